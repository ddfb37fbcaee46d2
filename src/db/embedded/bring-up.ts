// One pass from whatever is there to a server that answers: place decided, cluster made, server found or started,
// database made. Everything that exists already is kept. `bringUp` is called inside the lock.

import { existsSync } from "node:fs";
import { AppError } from "../../lib/app-error.ts";
import type { Logger } from "../../lib/logger.ts";
import { type Binaries, packagedBinaries, usableBinaries } from "./binaries.ts";
import { checkVersion, versionFile } from "./cluster-version.ts";
import { type Address, createDatabase, wrongPassword } from "./connection.ts";
import {
  type DataFolder,
  keepPassword,
  type Memory,
  newPassword,
  readMemory,
  readPassword,
  writeMemory,
} from "./data-folder.ts";
import { findReady } from "./find-ready.ts";
import { createCluster } from "./initdb.ts";
import { type OsUser, runAs } from "./os-user.ts";
import { isOwner } from "./outside-home.ts";
import { type PlaceRequest, placeOf } from "./place.ts";
import { replacePassword } from "./replace-password.ts";
import { makeSharedFolder } from "./shared-folder.ts";
import { type Started, startPostmaster } from "./start-postmaster.ts";
import { type StrangersRequest, untilStrangersGone } from "./strangers.ts";

export type BringUpRequest = PlaceRequest &
  StrangersRequest & {
    readonly logger: Logger;
    readonly database: string;
    readonly settings: Readonly<Record<string, string>>;
    /** The folder with bin, lib and share, if not the one that npm brought. */
    readonly native: string | undefined;
  };

export type Up = Address & {
  readonly memory: Memory;
  readonly pid: number;
  readonly password: string;
  readonly database: string;
  readonly adopted: boolean;
  readonly createdNow: boolean;
};

type Result = Started & { readonly password: string; readonly memory: Memory };

/** The server that runs already, if nothing at all has to be made or started. Needs no lock, only to be signed in. */
export async function adopt(request: BringUpRequest): Promise<Up | undefined> {
  const memory = readMemory(request.data);
  if (!memory?.made || !isOwner(memory.cluster, request.data)) return undefined;
  const found = await findStarted(request, memory);
  if (!found?.hasDatabase) return undefined;
  const { running, password } = found;
  const { database } = request;
  return { ...whereOf(running), memory, password, database, adopted: true, createdNow: false };
}

export async function bringUp(request: BringUpRequest): Promise<Up> {
  const place = await placeOf(request);
  const createdNow = !existsSync(versionFile(place.cluster));
  if (createdNow && place.made) throw lost(place.cluster, request.data);
  const found = createdNow ? undefined : await findStarted(request, place);
  const { running, hasDatabase, password, memory } = found ?? (await createAndStart(request, place, createdNow));
  const where = whereOf(running);
  const { database } = request;
  writeMemory(request.data, { ...memory, made: true, port: where.port });
  if (!hasDatabase) await createDatabase({ ...where, password, database }, memory.cluster);
  return { ...where, memory, password, database, adopted: found !== undefined, createdNow };
}

const whereOf = ({ process: { pid }, port, socketFolder }: Started["running"]) => ({ pid, port, socketFolder });

async function findStarted({ data, env, database }: BringUpRequest, memory: Memory): Promise<Result | undefined> {
  const password = readPassword(data);
  if (password === undefined) return undefined;
  const found = await findReady(memory.cluster, { password, database }, env);
  if (found.state === "wrong_password") throw wrongPassword(data.password);
  return found.state === "ready" ? { ...found, password, memory } : undefined;
}

async function createAndStart(request: BringUpRequest, place: Memory, isNew: boolean): Promise<Result> {
  await untilStrangersGone(request);
  const user = runAs(request.uid, place);
  const binaries = await binariesFor(request, user);
  const memory = { ...place, binaries: binaries.folder };
  const { cluster } = place;
  if (!isNew) await checkVersion(cluster, binaries, user);
  const password = isNew
    ? await create(request, cluster, binaries, user)
    : (readPassword(request.data) ?? (await replacePassword({ ...request, cluster, binaries, user })));
  if (isNew) writeMemory(request.data, { ...memory, made: true });
  const { settings, env, logger, data, database } = request;
  const files = { cluster, binaries, user, logFile: data.log, rememberedPort: place.port, passwordFile: data.password };
  const started = await startPostmaster({ ...files, settings, env, logger, credentials: { password, database } });
  return { ...started, password, memory };
}

async function create(
  { data, say, settings }: BringUpRequest,
  cluster: string,
  binaries: Binaries,
  user: OsUser | null,
): Promise<string> {
  say(`Creating the database in ${cluster}`);
  // A password without a cluster is left from a start that was killed: it serves as well as a new one.
  const password = readPassword(data) ?? keepPassword(data, newPassword());
  await createCluster({ cluster, binaries, user, password, durable: settings.fsync !== "off" });
  return password;
}

function binariesFor(request: BringUpRequest, user: OsUser | null): Promise<Binaries> {
  const { native, data, sharedFolders, say } = request;
  const copyTo = () => (user ? makeSharedFolder(sharedFolders, user) : data.path);
  return usableBinaries({ native: native ?? packagedBinaries(), user, copyTo, say });
}

function lost(cluster: string, data: DataFolder): AppError {
  return new AppError(
    "config_invalid",
    `The embedded database was in ${cluster} and is not there any more. Mount or restore that folder; or, to begin with an empty database, remove ${data.memory}.`,
  );
}

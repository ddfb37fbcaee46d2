// Decides where the cluster is and whom it belongs to, once; afterwards the data folder remembers.

import { existsSync } from "node:fs";
import path from "node:path";
import type { Env } from "../../lib/env.ts";
import { type DataFolder, type Memory, readMemory, writeMemory } from "./data-folder.ts";
import { findPostmaster } from "./find-postmaster.ts";
import { chooseOsUser } from "./os-user.ts";
import { checkOwner, makeHome } from "./outside-home.ts";
import { canPass } from "./reach.ts";
import { keyOf, makeSharedFolder } from "./shared-folder.ts";
import { stopPostmaster } from "./stop-postmaster.ts";

export type PlaceRequest = {
  readonly data: DataFolder;
  readonly uid: number | undefined;
  readonly sharedFolders: readonly string[];
  readonly say: (line: string) => void;
  readonly env: Env;
};

/** More databases of one data folder, each left behind when the folder was emptied by hand, than anyone keeps. */
const leftBehindMax = 100;

export async function placeOf(request: PlaceRequest): Promise<Memory> {
  const known = readMemory(request.data);
  const place = known ?? (await decidePlace(request));
  checkOwner(place.cluster, request.data);
  // Before anything is made there, so that a kill in the middle does not make the next start look elsewhere.
  if (!known) writeMemory(request.data, place);
  return place;
}

async function decidePlace(request: PlaceRequest): Promise<Memory> {
  const { data, uid, say } = request;
  const osUser = chooseOsUser(uid, data.path);
  const inside = { cluster: path.join(data.path, "postgres"), made: false, osUser, port: null, binaries: null };
  if (!osUser || canPass(osUser, data.path)) return inside;
  const shared = makeSharedFolder(request.sharedFolders, osUser);
  const home = await firstFree(path.join(shared, keyOf(data.path)), request);
  makeHome(home);
  say(`PostgreSQL runs as the user ${osUser.name}, who cannot reach ${data.path}: the database is kept in ${home}`);
  return { ...inside, cluster: path.join(home, "postgres") };
}

/** A database that a data folder no longer remembers may still be wanted: it is stopped, but neither used nor removed. */
async function firstFree(home: string, { say, env }: PlaceRequest): Promise<string> {
  for (let number = 1; number < leftBehindMax; number++) {
    const candidate = number === 1 ? home : `${home}-${number}`;
    const cluster = path.join(candidate, "postgres");
    if (!existsSync(cluster)) return candidate;
    const found = findPostmaster(cluster);
    if (found.state === "running") await stopPostmaster(found.process, env);
    say(`An earlier database of this data folder is still in ${candidate}; remove it if it is not needed`);
  }
  throw new Error(`${leftBehindMax} databases were left behind beside ${home}: remove those that are not needed`);
}

// Makes a new cluster in a folder beside and renames it when it is whole: a kill in the middle leaves no half cluster.

import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import type { Binaries } from "./binaries.ts";
import { diskFull, elsewhere, hasRoom, withAdvice } from "./file-error.ts";
import { namelessId, type OsUser } from "./os-user.ts";
import { run } from "./run.ts";

export type InitRequest = {
  readonly cluster: string;
  readonly binaries: Binaries;
  readonly user: OsUser | null;
  readonly password: string;
  /** False only where losing the cluster is no loss (tests). */
  readonly durable: boolean;
};

export const superuser = "postgres";
const draftPrefix = "postgres-being-made-";
/** Usually under a second; a busy machine with a slow disk takes tens. */
const initTimeoutMs = 120_000;
/** A new cluster takes 40 MB, and as much again while it is made. */
const roomNeededBytes = 100 * 1024 * 1024;

/** Call it inside the lock: it removes what earlier attempts left. */
export async function createCluster(request: InitRequest): Promise<void> {
  const home = path.dirname(request.cluster);
  await withAdvice(home, async () => {
    if (existsSync(request.cluster)) throw notACluster(request.cluster);
    sweepDrafts(home);
    const draft = mkdtempSync(path.join(home, draftPrefix));
    try {
      await initInto(draft, request);
      renameSync(path.join(draft, "cluster"), request.cluster);
      if (request.durable) syncFolder(home);
    } finally {
      removeQuietly(draft);
    }
  });
}

async function initInto(draft: string, { binaries, user, password, durable }: InitRequest): Promise<void> {
  const passwordFile = path.join(draft, "password");
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) for (const file of [passwordFile, draft]) chownSync(file, user.uid, user.gid);
  const args = [
    `--pgdata=${path.join(draft, "cluster")}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
    // Sorts by code point with rules of PostgreSQL's own, so an update of the system's locales cannot spoil an index.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
    ...(durable ? [] : ["--no-sync"]),
  ];
  const { code, output } = await run(binaries.initdb, args, { user, timeoutMs: initTimeoutMs, cwd: draft });
  if (code !== 0) throw initFailed(draft, user, output);
}

function initFailed(draft: string, user: OsUser | null, output: string): AppError {
  const nameless = namelessId(user);
  if (nameless !== undefined) {
    const message = `The user id ${nameless} has no name on this machine, and PostgreSQL insists on one. Add it to /etc/passwd, or run Homework as a user who is there. ${elsewhere}`;
    return new AppError("config_invalid", message);
  }
  if (!hasRoom(draft, roomNeededBytes)) return diskFull(path.dirname(draft), new Error(output));
  return new AppError(
    "database_unavailable",
    `The embedded database could not be created in ${path.dirname(draft)}. ${elsewhere} PostgreSQL said:\n${output.trim().slice(-2000)}`,
  );
}

function notACluster(folder: string): AppError {
  return new AppError(
    "config_invalid",
    `${folder} exists but is no PostgreSQL data folder (PG_VERSION is missing). Move it away or restore it. ${elsewhere}`,
  );
}

function sweepDrafts(home: string): void {
  for (const name of readdirSync(home)) if (name.startsWith(draftPrefix)) removeQuietly(path.join(home, name));
}

function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    // An initdb whose parent was killed may still write there; the next start sweeps again.
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

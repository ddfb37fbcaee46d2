// Which of our processes use the embedded database: one file per opener, named by the process and when it started.
// A process that was killed leaves its file behind; it no longer counts and is swept by the next one.

import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { hasCode } from "./file-error.ts";
import { makeOwnedFolder, writeOwned } from "./owned-files.ts";
import { isAlive, nameAfter, namedProcess, type ProcessIdentity } from "./process-identity.ts";

/** Signs the process in; `seat` tells two openers of one process apart. */
export function signIn(folder: string, self: ProcessIdentity, seat: string): void {
  makeOwnedFolder(folder);
  writeOwned(path.join(folder, nameAfter(self, seat)), "");
}

export function signOut(folder: string, self: ProcessIdentity, seat: string): void {
  rmSync(path.join(folder, nameAfter(self, seat)), { force: true });
}

/** One entry per opener whose process is alive. */
export function usersOf(folder: string): readonly ProcessIdentity[] {
  return filesIn(folder).flatMap((name) => livingUser(name) ?? []);
}

/** Removes the files of processes that are gone. Call it inside the lock. */
export function sweepUsers(folder: string): void {
  for (const name of filesIn(folder)) if (!livingUser(name)) rmSync(path.join(folder, name), { force: true });
}

function livingUser(name: string): ProcessIdentity | undefined {
  const user = namedProcess(name);
  return user && isAlive(user) ? user : undefined;
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

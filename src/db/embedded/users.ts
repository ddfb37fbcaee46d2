// Which of our processes use the embedded database: one file per opener, named by the process and when it started.
// A process that was killed leaves its file behind; it no longer counts and is swept by the next one.
// Processes on other machines and in other containers (another realm) cannot be looked up, so openers keep their files fresh.

import { closeSync, fstatSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import path from "node:path";
import { makeOwnedFolder, namesIn, readOrUndefined, writeOwned } from "../../files/owned-files.ts";
import { isAlive, nameAfter, namedProcess, type ProcessIdentity, realm } from "../../files/process-identity.ts";

/** How often an opener freshens its file, and how old it may get before its process counts as gone. */
export const freshenEveryMs = 5000;
const freshMs = 20_000;

/** Signs the process in; `seat` tells two openers of one process apart. */
export function signIn(folder: string, self: ProcessIdentity, seat: string): void {
  makeOwnedFolder(folder);
  writeOwned(path.join(folder, nameAfter(self, seat)), realm());
}

export function signOut(folder: string, self: ProcessIdentity, seat: string): void {
  rmSync(path.join(folder, nameAfter(self, seat)), { force: true });
}

/** Says that the process is still there; returns the time by the folder's disk, which all machines that share it agree on. */
export function freshen(folder: string, self: ProcessIdentity, seat: string): number {
  const descriptor = openSync(path.join(folder, nameAfter(self, seat)), "r+");
  try {
    // The same words again, in place: a reader never sees the file empty.
    writeSync(descriptor, realm(), 0);
    return fstatSync(descriptor).mtimeMs;
  } finally {
    closeSync(descriptor);
  }
}

/** One entry per opener whose process is alive, here. */
export function usersOf(folder: string): readonly ProcessIdentity[] {
  return namesIn(folder).flatMap((name) => livingUser(name) ?? []);
}

/** Removes the files of processes that are gone, here. Call it inside the lock. */
export function sweepUsers(folder: string): void {
  const gone = namesIn(folder).filter((name) => !livingUser(name) && !isStrange(folder, name));
  for (const name of gone) rmSync(path.join(folder, name), { force: true });
}

/** Openers in other realms whose files are fresh at `nowMs` (of the disk); removes those that are not. */
export function strangersOf(folder: string, nowMs: number): readonly string[] {
  const strange = namesIn(folder).filter((name) => isStrange(folder, name));
  const fresh = strange.filter((name) => nowMs - ageStamp(folder, name) < freshMs);
  for (const name of strange) if (!fresh.includes(name)) rmSync(path.join(folder, name), { force: true });
  return fresh;
}

function isStrange(folder: string, name: string): boolean {
  const from = readOrUndefined(path.join(folder, name));
  return from !== undefined && from !== realm() && !livingUser(name);
}

function ageStamp(folder: string, name: string): number {
  return statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function livingUser(name: string): ProcessIdentity | undefined {
  const user = namedProcess(name);
  return user && isAlive(user) ? user : undefined;
}

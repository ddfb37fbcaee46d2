// Can another OS user get at a path? Asked by modes alone, as root (who can get at everything) has to ask for others.

import { type Stats, statSync } from "node:fs";
import path from "node:path";
import type { OsUser } from "./os-user.ts";

const pass = 0o1;
const readBit = 0o4;

/** Every folder from the root down to and including this one lets the user through. Missing folders do not count. */
export function canPass(user: OsUser, folder: string): boolean {
  return ancestors(folder).every((each) => allows(user, each, pass));
}

export function canRead(user: OsUser, file: string): boolean {
  return canPass(user, path.dirname(file)) && allows(user, file, readBit);
}

function ancestors(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [...ancestors(parent), folder];
}

function allows(user: OsUser, file: string, bit: number): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return !found || (modeFor(user, found) & bit) !== 0;
}

function modeFor(user: OsUser, { mode, uid, gid }: Stats): number {
  if (uid === user.uid) return mode >> 6;
  return gid === user.gid ? mode >> 3 : mode;
}

// Files we keep in the data folder, for its owner's eyes only. Written by root into somebody's folder, they become
// that somebody's: one command with sudo must not lock its owner out.

import { chownSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hasCode } from "./has-code.ts";
import { ofOwner, readRegular } from "./regular-file.ts";

export function makeOwnedFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 })) giveToOwner(folder);
}

export function writeOwned(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  giveToOwner(file);
}

/** Never half a file, even after a power failure: written beside, flushed and renamed. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.new`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  giveToOwner(draft);
  renameSync(draft, file);
}

/** A few names and numbers. */
const ownedMax = 64 * 1024;

/** Some of these folders lie where agents write: nothing but a small regular file is read. */
export const readOrUndefined = (file: string): string | undefined =>
  readRegular(file, ownedMax, ofOwner)?.toString("utf8");

/** Empty where there is no such folder. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

export function giveToOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(path.dirname(file));
  if (uid !== 0) chownSync(file, uid, gid);
}

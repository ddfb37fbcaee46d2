// Pipes and devices that an agent put where git reads a file: git would wait for them until its time is over, and the platform with it.
// They are no work; git itself lists none of them as a change.

import { type Dirent, promises as fs } from "node:fs";
import path from "node:path";

/** Entries of a large work folder; what lies beyond is left to the time limit of git. */
const entriesMax = 500_000;
const readByGit = new Set([".gitignore", ".gitattributes"]);
/** Git reads no file in these to list or add the files around them, and they are large. */
const unread = new Set(["objects", "logs"]);

type Place = { readonly folder: string; readonly isOfGit: boolean };

/** No link is followed to another folder. What vanishes meanwhile is passed over. */
export async function removeTraps(top: string): Promise<void> {
  const pending: Place[] = [{ folder: top, isOfGit: false }];
  for (let count = 0; pending.length > 0 && count < entriesMax; ) {
    const { folder, isOfGit } = pending.pop() ?? { folder: top, isOfGit: false };
    const entries = await listEntries(folder);
    count += entries.length + 1;
    for (const entry of entries) {
      const file = path.join(folder, entry.name);
      if (!entry.isDirectory()) await removeTrap(entry, file, isOfGit);
      else if (isRead(entry.name, isOfGit, folder === top))
        pending.push({ folder: file, isOfGit: isOfGit || entry.name === ".git" });
    }
  }
}

/** The platform's git has a git directory of its own, so the one at the top is not read. */
const isRead = (name: string, isOfGit: boolean, isAtTop: boolean): boolean =>
  isOfGit ? !unread.has(name) : !(isAtTop && name === ".git");

async function removeTrap(entry: Dirent, file: string, isOfGit: boolean): Promise<void> {
  if ((isOfGit || readByGit.has(entry.name)) && (await isTrap(entry, file))) await fs.rm(file, { force: true });
}

async function listEntries(folder: string): Promise<readonly Dirent[]> {
  try {
    return await fs.readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Also a link to a pipe; one to a device may be the person's own. Sockets cannot be opened, so nothing waits for them. */
async function isTrap(entry: Dirent, file: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice();
  try {
    return (await fs.stat(file)).isFIFO();
  } catch {
    return false;
  }
}

// Where root keeps what the database's user must reach when the data folder or node_modules is closed to it
// (below a closed home, for example): /var/lib/homework, or the folder for temporary files if that cannot be made.

import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { elsewhere } from "./file-error.ts";
import type { OsUser } from "./os-user.ts";
import { canPass } from "./reach.ts";

export function defaultSharedFolders(): readonly string[] {
  return ["/var/lib/homework", path.join(os.tmpdir(), "homework-shared")];
}

/** The first folder that can be made, belongs to us and lets the user through. */
export function makeSharedFolder(candidates: readonly string[], user: OsUser): string {
  const found = candidates.find((folder) => isUsable(folder, user));
  if (found !== undefined) return found;
  throw new AppError(
    "config_invalid",
    `PostgreSQL runs as the user ${user.name}, who cannot reach the data folder, and none of ${candidates.join(", ")} can be used instead. Open the data folder to that user (chmod o+x), or run Homework as an ordinary user. ${elsewhere}`,
  );
}

/** A short name for a data folder, the same at every start. */
export function keyOf(folder: string): string {
  return createHash("sha256").update(folder).digest("hex").slice(0, 12);
}

function isUsable(folder: string, user: OsUser): boolean {
  try {
    makeOpenFolder(folder);
    const found = lstatSync(folder);
    // Somebody else's folder, or one that others may write to, could be swapped under us.
    if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) return false;
    return canPass(user, folder);
  } catch {
    return false;
  }
}

/** Open for all to pass and read, whatever the umask says; folders that were there stay as they are. */
function makeOpenFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.startsWith(first); made = path.dirname(made)) chmodSync(made, 0o755);
}

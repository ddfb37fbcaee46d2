// The lock beside a file of the tree, for whatever reads it and then writes it. Its folder is looked at first: agents write here too.

import { withLock } from "../../files/lock.ts";
import { AppError } from "../../lib/app-error.ts";
import type { RunnerRoot } from "./runner-root.ts";

export function lockFile<T>(root: RunnerRoot, file: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const folder = `${file}.lock`;
  if (root.disk.kindOf(folder) === null) root.disk.makeFolder(folder);
  if (root.disk.kindOf(folder) !== "folder")
    throw new AppError("unprocessable", `${folder} is not a folder. Remove it.`);
  return withLock({ folder, self: root.self, env: root.env, waitMs, whileHeld: `changes ${file}` }, work);
}

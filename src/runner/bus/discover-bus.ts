// Finds the bus that a folder belongs to, upwards from it: the task's before the project's, and a plain one last.

import { lstatSync } from "node:fs";
import path from "node:path";
import { hasCode } from "../../files/has-code.ts";
import { projectFiles, taskFiles } from "../layout/runner-root.ts";

export type FoundBus = { readonly scope: "task" | "project" | "plain"; readonly file: string };

const names = [
  { scope: "task", name: taskFiles.bus },
  { scope: "project", name: projectFiles.bus },
  { scope: "plain", name: "MESSAGE-BUS.md" },
] as const;
const foldersMax = 256;

/** Null: there is no bus up to the root of the file system. Links are passed over. */
export function discoverBus(from: string): FoundBus | null {
  let folder = path.resolve(from);
  for (let depth = 0; depth < foldersMax; depth++) {
    for (const { scope, name } of names) {
      const file = path.join(folder, name);
      if (isRegular(file)) return { scope, file };
    }
    const above = path.dirname(folder);
    if (above === folder) return null;
    folder = above;
  }
  return null;
}

function isRegular(file: string): boolean {
  try {
    return lstatSync(file).isFile();
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "ENAMETOOLONG")) return false;
    throw error;
  }
}

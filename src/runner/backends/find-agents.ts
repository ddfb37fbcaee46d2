// Which agent programs this machine has, by looking for their names in the folders of PATH. Nothing is started.

import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import type { BackendName } from "./backend.ts";

/** In the order in which they are offered. */
const programs = ["claude", "codex", "gemini", "opencode"] as const satisfies readonly BackendName[];

export type FoundAgent = { readonly name: (typeof programs)[number]; readonly file: string };

/** Folders that are looked through; a longer PATH is a mistake. */
const foldersMax = 200;

export function findAgents(searchPath: string): readonly FoundAgent[] {
  return programs.flatMap((name) => {
    const file = findProgram(name, searchPath);
    return file === null ? [] : [{ name, file }];
  });
}

/** The file of a program that is named as for a shell: a path, or a name that PATH has. Null: no such program. */
export function findProgram(name: string, searchPath: string): string | null {
  if (name === "") return null;
  if (/[\\/]/.test(name)) return isProgram(name) ? name : null;
  // A relative folder would mean another one in each work folder.
  const folders = searchPath.split(path.delimiter).filter(path.isAbsolute).slice(0, foldersMax);
  return folders.map((folder) => path.join(folder, name)).find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

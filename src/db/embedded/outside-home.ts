// The folder outside of the data folder that holds its cluster, with a note in it that says whose it is. A copy of a data
// folder points to the same cluster as the original; two of them must not use it side by side.

import { chmodSync, mkdirSync } from "node:fs";
import path from "node:path";
import { readOrUndefined, writeWhole } from "../../files/owned-files.ts";
import { AppError } from "../../lib/app-error.ts";
import { type DataFolder, dataFolderAt, readMemory } from "./data-folder.ts";

/** The database's user passes through it; only root lists it. */
export function makeHome(home: string): void {
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o711);
}

/** Certainly ours: inside the data folder, or noted as belonging to it. */
export function isOwner(cluster: string, data: DataFolder): boolean {
  return path.dirname(cluster) === data.path || readOrUndefined(noteOf(cluster))?.trim() === data.path;
}

/** Refuses a copied data folder; a moved one becomes the new owner. */
export function checkOwner(cluster: string, data: DataFolder): void {
  if (isOwner(cluster, data)) return;
  const note = noteOf(cluster);
  const owner = readOrUndefined(note)?.trim();
  if (owner !== undefined && stillUses(owner, cluster)) {
    throw new AppError(
      "config_invalid",
      `The database in ${cluster} belongs to the data folder ${owner}; ${data.path} looks like a copy of it. Remove ${data.memory} to give the copy an empty database of its own, or go on with the original.`,
    );
  }
  mkdirSync(path.dirname(note), { recursive: true });
  writeWhole(note, `${data.path}\n`);
}

function stillUses(folder: string, cluster: string): boolean {
  return readMemory(dataFolderAt(folder))?.cluster === cluster;
}

function noteOf(cluster: string): string {
  return path.join(path.dirname(cluster), "data-folder.txt");
}

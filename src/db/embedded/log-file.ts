// The server's log in the data folder, kept small: a long one becomes the single old one when somebody opens the database.

import { closeSync, copyFileSync, openSync, readSync, statSync, truncateSync } from "node:fs";
import { giveToOwner } from "../../files/owned-files.ts";

const logMaxBytes = 10 * 1024 * 1024;
const tailBytes = 2000;

/** Works while the server writes: it appends, so after the cut it goes on at the new end. */
export function trimLog(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found || found.size <= logMaxBytes) return;
  copyFileSync(file, `${file}.old`);
  truncateSync(file, 0);
}

/** For the server to write to; it needs no rights of its own on the file. */
export function openLog(file: string): number {
  const descriptor = openSync(file, "a", 0o600);
  giveToOwner(file);
  return descriptor;
}

export function logTail(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return "(no log yet)";
  const length = Math.min(found.size, tailBytes);
  const buffer = Buffer.alloc(length);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, buffer, 0, length, found.size - length);
  } finally {
    closeSync(descriptor);
  }
  return buffer.toString("utf8").trim();
}

// The few things that files of a run are changed by, each of which survives a crash whole or not at all: a file replaced, a line
// added at a known place, a file moved; and leftovers removed. Tests put crashes in between.

import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { hasCode } from "../files/has-code.ts";

export type Disk = {
  /** Null: there is no such file. */
  readonly read: (file: string) => Buffer | null;
  /** Never half a file: written beside, flushed, renamed. */
  readonly replace: (file: string, text: string) => void;
  /** Whatever stood behind `at` was torn off by a crash and is dropped. */
  readonly append: (file: string, at: number, text: string) => void;
  readonly move: (from: string, to: string) => void;
  /** A folder with all that is in it. A folder that is missing is left at that. */
  readonly remove: (folder: string) => void;
};

export const realDisk: Disk = {
  read: (file) => {
    try {
      return readFileSync(file);
    } catch (error) {
      if (hasCode(error, "ENOENT")) return null;
      throw error;
    }
  },
  replace: (file, text) => {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.new`;
    withFile(draft, "w", (fd) => writeAll(fd, text, 0));
    renameSync(draft, file);
    flushFolder(path.dirname(file));
  },
  append: (file, at, text) => {
    const isNew = at === 0;
    if (isNew) mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    withFile(file, isNew ? "w" : "r+", (fd) => {
      ftruncateSync(fd, at);
      writeAll(fd, text, at);
    });
    if (isNew) flushFolder(path.dirname(file));
  },
  move: (from, to) => {
    mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
    renameSync(from, to);
    flushFolder(path.dirname(to));
  },
  remove: (folder) => rmSync(folder, { recursive: true, force: true }),
};

export function writeAll(fd: number, text: string, at: number): void {
  const bytes = Buffer.from(text, "utf8");
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}

function withFile(file: string, flags: string, work: (fd: number) => void): void {
  const fd = openSync(file, flags, 0o600);
  try {
    work(fd);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A name is in its folder for good only once the folder is flushed. Some systems cannot, and need not. */
export function flushFolder(folder: string): void {
  try {
    withFile(folder, "r", () => {});
  } catch (error) {
    if (!hasCode(error, "EISDIR", "EPERM", "EINVAL", "EACCES")) throw error;
  }
}

// The disk of a runner's folder. Agents write there too, so no link is followed, no path leaves the root, and only regular files with one
// name are opened: a link, a device or a pipe under a name of ours is an error in clear words. An agent of the same user that swaps a folder
// between the look and the open could do so by itself: this keeps our own hands off, it is no sandbox.

import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import path from "node:path";
import { hasCode } from "../../files/has-code.ts";
import { notUsable, openRegular, readRegular } from "../../files/regular-file.ts";
import { AppError } from "../../lib/app-error.ts";
import { type Disk, flushFolder, writeAll } from "../disk.ts";
import { quote } from "./ids.ts";

export type EntryKind = "file" | "folder" | "other";

export type TreeDisk = Omit<Disk, "read"> & {
  readonly root: string;
  /** Null: there is no such file. Nothing is read of one that is larger than `max` bytes. */
  readonly read: (file: string, max?: number) => Buffer | null;
  /** False: something of that name is there already. Folders above are made. */
  readonly makeFolder: (folder: string) => boolean;
  /** What stands under this name, itself and not what it links to; null: nothing does. */
  readonly kindOf: (file: string) => EntryKind | null;
  /** Null: there is no such file. */
  readonly sizeOf: (file: string) => number | null;
  /** Names in a folder in order; none where the folder is missing. */
  readonly list: (folder: string) => readonly string[];
  /** False: there was no such file. */
  readonly removeFile: (file: string) => boolean;
  /** An open file for work at places in it; the caller closes it. `flags` as of open(2). */
  readonly open: (file: string, flags: number) => number;
};

/** No text of ours is larger; what agents print is read in pieces elsewhere. */
const wholeFileMax = 16 * 1024 * 1024;
/** Drafts of processes that were killed keep their names. */
const draftsMax = 100;
const folderMode = 0o700;

/** The root itself may be reached through links: where it lies is its owner's choice. It is made if missing. */
export function treeDisk(folder: string): TreeDisk {
  mkdirSync(folder, { recursive: true, mode: folderMode });
  const root = realpathSync(folder);
  const at = (file: string) => checkPlace(root, file);
  return {
    root,
    read: (file, max = wholeFileMax) => readRegular(at(file), max),
    replace: (file, text) => replaceFile(makeAbove(root, file), text),
    append: (file, end, text) => appendAt(makeAbove(root, file), end, text),
    move: (from, to) => {
      renameSync(at(from), makeAbove(root, to));
      flushFolder(path.dirname(to));
    },
    remove: (target) => rmSync(at(target), { recursive: true, force: true }),
    makeFolder: (target) => makeOne(makeAbove(root, target)),
    kindOf: (file) => kindOf(at(file)),
    sizeOf: (file) => lookAt(at(file))?.size ?? null,
    list: (target) => listNames(target === root ? root : at(target)),
    removeFile: (file) => removeOne(at(file)),
    open: (file, flags) => openRegular(makeAbove(root, file), flags),
  };
}

/** The path, once it is known to be inside and to pass through real folders only. */
function checkPlace(root: string, file: string): string {
  const inside = path.relative(root, file);
  const names = inside.split(path.sep);
  if (inside === "" || names.includes("..") || path.isAbsolute(inside) || file.includes("\0"))
    throw new AppError("invalid_request", `${quote(file)} is not inside of ${root}.`);
  let above = root;
  for (const name of names.slice(0, -1)) {
    above = path.join(above, name);
    const kind = kindOf(above);
    if (kind === null) break;
    if (kind !== "folder") throw notUsable(above, "a folder was expected, and links are not followed");
  }
  return path.join(root, inside);
}

function makeAbove(root: string, file: string): string {
  const place = checkPlace(root, file);
  const above = path.dirname(place);
  if (lookAt(above) === null) mkdirSync(above, { recursive: true, mode: folderMode });
  return place;
}

function makeOne(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: folderMode });
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
  flushFolder(path.dirname(folder));
  return true;
}

function kindOf(file: string): EntryKind | null {
  const stats = lookAt(file);
  if (stats === null) return null;
  if (stats.isFile()) return "file";
  return stats.isDirectory() ? "folder" : "other";
}

function lookAt(file: string): Stats | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (hasCode(error, "ENAMETOOLONG")) return null;
    throw error;
  }
}

/** Never half a file: written beside under a name that no other process has, flushed, renamed. */
function replaceFile(file: string, text: string): void {
  if (kindOf(file) === "folder") throw notUsable(file, "it is a folder where a file was expected");
  const draft = makeDraft(file);
  try {
    writeAndFlush(draft.fd, text, 0);
  } catch (error) {
    // A full disk must not also be filled with drafts.
    unlinkSync(draft.file);
    throw error;
  }
  renameSync(draft.file, file);
  flushFolder(path.dirname(file));
}

function makeDraft(file: string): { readonly file: string; readonly fd: number } {
  const { dir, name, ext } = path.parse(file);
  for (let attempt = 0; attempt < draftsMax; attempt++) {
    const draft = path.join(dir, `${name}.${process.pid}-${attempt}${ext}.tmp`);
    try {
      return { file: draft, fd: openRegular(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL) };
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
  }
  throw new AppError("unprocessable", `${dir} is full of drafts of ${name}${ext}. Remove the files that end in .tmp.`);
}

function appendAt(file: string, end: number, text: string): void {
  const fd = openRegular(file, constants.O_WRONLY | constants.O_CREAT);
  ftruncateSync(fd, end);
  writeAndFlush(fd, text, end);
  if (end === 0) flushFolder(path.dirname(file));
}

function writeAndFlush(fd: number, text: string, at: number): void {
  try {
    writeAll(fd, text, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function listNames(folder: string): readonly string[] {
  const kind = kindOf(folder);
  if (kind === null) return [];
  if (kind !== "folder") throw notUsable(folder, "a folder was expected, and links are not followed");
  return readdirSync(folder).sort();
}

function removeOne(file: string): boolean {
  try {
    unlinkSync(file);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return false;
    throw error;
  }
  flushFolder(path.dirname(file));
  return true;
}

// Opens, reads and writes files where others can put anything under a name we look at: links, pipes, devices, folders, second names of other
// files. Only a regular file is opened, nothing is waited for, and what is read has a limit.

import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeFileSync } from "node:fs";
import { AppError } from "../lib/app-error.ts";
import { hasCode } from "./has-code.ts";

export type FileTrust = {
  /** The person who chose the name may mean a link. */
  readonly followsLinks?: boolean;
  /** A second name of a file shows what its first one keeps from others. */
  readonly allowsHardLinks?: boolean;
  /** Of a file that is made. */
  readonly mode?: number;
};

/** For files that the owner of the installation names. */
export const ofOwner: FileTrust = { followsLinks: true, allowsHardLinks: true };

const fileMode = 0o600;
const pieceBytes = 4096;
const isFolder = "it is a folder where a file was expected";

/** `flags` as of open(2); the caller closes it. Throws `unprocessable` with the reason where something else stands under this name. */
export function openRegular(file: string, flags: number, trust: FileTrust = {}): number {
  const { followsLinks = false, allowsHardLinks = false, mode = fileMode } = trust;
  // A pipe without a writer would otherwise be waited for.
  const careful = constants.O_NONBLOCK | (followsLinks ? 0 : constants.O_NOFOLLOW);
  let fd: number;
  try {
    fd = openSync(file, flags | careful, mode);
  } catch (error) {
    throw refuseOpening(file, followsLinks, error);
  }
  const stats = fstatSync(fd);
  if (stats.isFile() && (allowsHardLinks || stats.nlink <= 1)) return fd;
  closeSync(fd);
  if (stats.isFile()) throw notUsable(file, "it is a second name of another file (a hard link)");
  throw notUsable(file, stats.isDirectory() ? isFolder : "it is not a regular file");
}

function refuseOpening(file: string, followsLinks: boolean, error: unknown): unknown {
  if (hasCode(error, "ELOOP", "EMLINK"))
    return notUsable(file, followsLinks ? "its links lead in a circle" : "it is a link, and links are not followed");
  if (hasCode(error, "EISDIR")) return notUsable(file, isFolder);
  if (hasCode(error, "ENXIO")) return notUsable(file, "it is a pipe or a socket where a file was expected");
  return error;
}

export function notUsable(file: string, why: string): AppError {
  return new AppError("unprocessable", `${file} cannot be used: ${why}. Remove or rename it.`, {
    details: { file, why },
  });
}

/** Null: there is no such file. Throws `too_large` before anything of a larger one is read. */
export function readRegular(file: string, max: number, trust: FileTrust = {}): Buffer | null {
  let fd: number;
  try {
    fd = openRegular(file, constants.O_RDONLY, trust);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return null;
    throw error;
  }
  try {
    const { size } = fstatSync(fd);
    if (size > max) throw tooLarge(file, `${size} bytes`, max);
    return readUpTo(fd, file, size, max);
  } finally {
    closeSync(fd);
  }
}

/** The whole file is replaced by `text`; a missing one is made. Throws as `openRegular` does. */
export function writeRegular(file: string, text: string, trust: FileTrust = {}): void {
  const fd = openRegular(file, constants.O_WRONLY | constants.O_CREAT, trust);
  try {
    ftruncateSync(fd, 0);
    writeFileSync(fd, text);
  } finally {
    closeSync(fd);
  }
}

/** Files of the system say that they have no bytes; others grow while they are read. */
function readUpTo(fd: number, file: string, size: number, max: number): Buffer {
  const pieces: Buffer[] = [];
  let length = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(Math.max(size - length + 1, pieceBytes));
    const got = readSync(fd, piece, 0, piece.length, null);
    if (got === 0) return Buffer.concat(pieces, length);
    pieces.push(piece.subarray(0, got));
    length += got;
    if (length > max) throw tooLarge(file, "more bytes than it says", max);
  }
}

const tooLarge = (file: string, size: string, max: number): AppError =>
  new AppError("too_large", `${file} has ${size}; at most ${max} are read.`, {
    details: { file, why: `it has ${size}; at most ${max} are read` },
  });

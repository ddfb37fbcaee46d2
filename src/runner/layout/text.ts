// Text files of the runner are strict UTF-8 without a byte order mark. Reading one never fails: a file may be missing, torn or written
// by something else, and the reader is told which.

import { closeSync, constants, readSync } from "node:fs";
import { AppError } from "../../lib/app-error.ts";
import type { TreeDisk } from "./tree-disk.ts";

export type TextRead =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  /** There, and not to be read as text; `why` is a sentence for people. */
  | { readonly kind: "unreadable"; readonly why: string };

const byteOrderMark = "\uFEFF";

/** Records, states and facts: whoever looks at a task reads many of them. */
export const smallTextMax = 1024 * 1024;

/** `max` bytes, where less is expected than the disk reads of any file. */
export function readText(disk: TreeDisk, file: string, max?: number): TextRead {
  try {
    const bytes = disk.read(file, max);
    return bytes === null ? { kind: "missing" } : decodeText(file, bytes);
  } catch (error) {
    if (error instanceof AppError) return { kind: "unreadable", why: error.message };
    throw error;
  }
}

/** For a look: the first `max` bytes, whatever they are; empty where there is no file that could be read. */
export function readBeginning(disk: TreeDisk, file: string, max: number): string {
  try {
    if (disk.kindOf(file) !== "file") return "";
    const fd = disk.open(file, constants.O_RDONLY);
    try {
      const bytes = Buffer.alloc(max);
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, max, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return "";
  }
}

function decodeText(file: string, bytes: Buffer): TextRead {
  const text = decodeUtf8(bytes);
  if (text === null) return { kind: "unreadable", why: `${file} is not valid UTF-8.` };
  if (text.startsWith(byteOrderMark))
    return { kind: "unreadable", why: `${file} begins with a byte order mark. Save it as UTF-8 without one.` };
  return { kind: "text", text };
}

/** Null: these bytes are not UTF-8. A byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

export function writeText(disk: TreeDisk, file: string, text: string): void {
  disk.replace(file, requireText(file, text));
}

/** What would not come back as it was written is refused. */
export function requireText(what: string, text: string): string {
  if (!text.isWellFormed())
    throw new AppError("unprocessable", `${what}: half of a character cannot be written as UTF-8.`);
  if (text.startsWith(byteOrderMark))
    throw new AppError("unprocessable", `${what}: begins with a byte order mark. Write it without one.`);
  return text;
}

// The bytes of a bus file: added to at the end, read in pieces from the front, looked at from the end without reading it all, and found
// again after a rotation. A bus that is a link, a folder or a pipe is refused by the disk.

import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, readSync, writeSync } from "node:fs";
import path from "node:path";
import { flushFolder } from "../disk.ts";
import { parseStamp } from "../layout/timestamps.ts";
import type { TreeDisk } from "../layout/tree-disk.ts";
import { timeOfMessage } from "./message-ids.ts";
import { findStarts, scanBus, tornSeal } from "./scan-bus.ts";
import type { BusScan } from "./scan-foreign.ts";

/** Which file it is, by whatever name, and how far it goes. */
export type BusPlace = { readonly file: string; readonly inode: number; readonly size: number };

const newline = 0x0a;
const pieceBytes = 1024 * 1024;
/** A body has at most 64 kB, escaped at most twice that. More without a message in it is given up. */
const undecidedMax = 4 * pieceBytes;
const firstWindow = 8 * 1024;
const windowMax = 64 * pieceBytes;
const inspectMax = pieceBytes;

/** Null: there is no such file. */
export function withBusFile<T>(disk: TreeDisk, file: string, work: (fd: number, place: BusPlace) => T): T | null {
  if (disk.kindOf(file) === null) return null;
  const fd = disk.open(file, constants.O_RDONLY);
  try {
    return work(fd, measure(fd, file));
  } finally {
    closeSync(fd);
  }
}

function measure(fd: number, file: string): BusPlace {
  const { ino, size } = fstatSync(fd);
  return { file, inode: ino, size };
}

function readAt(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let got = 0;
  while (got < length) {
    const more = readSync(fd, bytes, got, length - got, from + got);
    if (more === 0) break;
    got += more;
  }
  return bytes.subarray(0, got);
}

/** What stands between `from` and the end, piece by piece; each scan begins where the one before was settled. */
export function* scanFrom(fd: number, { size }: BusPlace, from: number): Generator<BusScan> {
  let carry: Buffer = Buffer.alloc(0);
  for (let at = from; at < size; ) {
    const piece = readAt(fd, at, Math.min(pieceBytes, size - at));
    if (piece.length === 0) return;
    const bytes = carry.length === 0 ? piece : Buffer.concat([carry, piece]);
    const base = at - carry.length;
    at += piece.length;
    const scan = scanBus(bytes, base, at >= size);
    const left = bytes.length - scan.used;
    if (left <= undecidedMax) {
      yield scan;
      carry = bytes.subarray(scan.used);
      continue;
    }
    const damage = { offset: base + scan.used, length: left, why: "bytes without a message in them" };
    yield { ...scan, damages: [...scan.damages, damage], used: bytes.length };
    carry = Buffer.alloc(0);
  }
}

/** The last messages, at least `count` if there are so many; looks no further back than it must. */
export function scanTail(fd: number, { size }: BusPlace, count: number, max = windowMax): BusScan {
  for (let length = firstWindow; ; length *= 4) {
    const from = Math.max(0, size - Math.min(length, max));
    const bytes = readAt(fd, from, size - from);
    // The window may begin inside of a line, so what stands at its very beginning is not known.
    const start = from === 0 ? 0 : (findStarts(bytes).find((each) => each > 0) ?? bytes.length);
    const scan = scanBus(bytes.subarray(start), from + start, true);
    if (from === 0 || scan.entries.length >= count || length >= max) return { ...scan, used: start + scan.used + from };
  }
}

/** Where the message with this id begins, looked for from the end; null: it is not in this file. */
export function findMessage(fd: number, { size }: BusPlace, id: string): number | null {
  const old = /^LINE-(\d{12,})$/.exec(id);
  if (old) return Number(old[1]) < size ? Number(old[1]) : null;
  const mark = Buffer.from(`---\nmsg_id: ${id}\n`);
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - pieceBytes);
    const bytes = readAt(fd, from, Math.min(end + mark.length, size) - from);
    const found = bytes.lastIndexOf(mark);
    if (found !== -1) return from + found;
    end = from;
  }
  return null;
}

/** What an appender remembers of the file between two appends, to see that no other process has written. */
export type BusEnd = { readonly inode: number; readonly size: number; readonly last: bigint | null };

/** Adds whole messages at the end, in one write. The caller holds the lock. `render` is given the time of the last message. */
export function appendToBus(
  disk: TreeDisk,
  file: string,
  known: BusEnd | null,
  render: (last: bigint | null) => { readonly text: string; readonly last: bigint; readonly flush: boolean },
): BusEnd {
  const fd = disk.open(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  try {
    const place = measure(fd, file);
    const isKnown = known !== null && known.inode === place.inode && known.size === place.size;
    const tail = isKnown ? { isWhole: true, last: known.last } : inspectTail(disk, fd, place);
    const { text, last, flush } = render(tail.last);
    writeOrUndo(fd, place.size, tail.isWhole ? text : tornSeal + text);
    if (flush) fsyncSync(fd);
    if (flush && place.size === 0) flushFolder(path.dirname(file));
    return { inode: place.inode, size: fstatSync(fd).size, last };
  } finally {
    closeSync(fd);
  }
}

/** A message is there whole or not at all: on a full disk what was written of it is taken back. */
function writeOrUndo(fd: number, before: number, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done);
  } catch (error) {
    if (fstatSync(fd).size === before + done) ftruncateSync(fd, before);
    throw error;
  }
}

function inspectTail(
  disk: TreeDisk,
  fd: number,
  place: BusPlace,
): { readonly isWhole: boolean; readonly last: bigint | null } {
  if (place.size === 0) return { isWhole: true, last: latestArchiveTime(disk, place.file) };
  const scan = scanTail(fd, place, 1, inspectMax);
  const endsLine = readAt(fd, place.size - 1, 1)[0] === newline;
  return {
    isWhole: endsLine && scan.used === place.size,
    last: timeOfMessage(scan.entries.at(-1)?.entry.msg_id ?? ""),
  };
}

/** Names of what was rotated away, oldest first. */
export function listArchives(disk: TreeDisk, file: string): readonly string[] {
  const prefix = `${path.basename(file)}.`;
  return disk
    .list(path.dirname(file))
    .filter(
      (name) => name.startsWith(prefix) && name.endsWith(".archived") && parseStamp(name.slice(prefix.length)) !== null,
    )
    .map((name) => path.join(path.dirname(file), name));
}

function latestArchiveTime(disk: TreeDisk, file: string): bigint | null {
  const latest = listArchives(disk, file).at(-1);
  return latest === undefined ? null : parseStamp(path.basename(latest).slice(path.basename(file).length + 1));
}

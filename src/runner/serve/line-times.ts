// When each line of an agent's output came, from the file beside it: `<offset> <ms>` per entry, in order. A line has the time of the last
// entry at or before its first byte. The file may have eight megabytes, so the beginning is found by halving.

import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { timesFile } from "../job/output-log.ts";
import type { TreeDisk } from "../layout/tree-disk.ts";

export type LineTime = { readonly offset: number; readonly ms: number };

/** Longer than any entry. */
const entryMax = 64;
/** Read in one go around the place where a search ends. */
const pieceBytes = 64 * 1024;
/** Entries of one page of lines; each entry has at least one line. */
const entriesMax = 20_000;

/** The entries that tell the times of lines beginning in `from` … `to`. Empty: no times are kept. */
export function readTimes(disk: TreeDisk, outputFile: string, from: number, to: number): readonly LineTime[] {
  const file = timesFile(outputFile);
  if (disk.kindOf(file) !== "file") return [];
  const fd = disk.open(file, constants.O_RDONLY);
  try {
    const { size } = fstatSync(fd);
    return readEntries(fd, findBegin(fd, size, from), size, to);
  } finally {
    closeSync(fd);
  }
}

/** A place at or before the last entry whose offset is at most `from`. */
function findBegin(fd: number, size: number, from: number): number {
  let low = 0;
  let high = size;
  while (high - low > pieceBytes) {
    const middle = Math.floor((low + high) / 2);
    const entry = entryAfter(fd, middle);
    if (entry === null || entry.time.offset > from) high = middle;
    else low = entry.at;
  }
  return low;
}

/** The first whole entry behind a place in the file. */
function entryAfter(fd: number, place: number): { readonly at: number; readonly time: LineTime } | null {
  const bytes = Buffer.alloc(entryMax * 2);
  const text = bytes.toString("latin1", 0, readSync(fd, bytes, 0, bytes.length, place));
  const begin = text.indexOf("\n") + 1;
  const time = parseEntry(text.slice(begin).split("\n")[0] ?? "");
  return begin === 0 || time === null ? null : { at: place + begin, time };
}

function readEntries(fd: number, begin: number, size: number, to: number): readonly LineTime[] {
  const times: LineTime[] = [];
  const bytes = Buffer.alloc(pieceBytes);
  let rest = "";
  for (let at = begin; at < size && times.length < entriesMax; ) {
    const got = readSync(fd, bytes, 0, pieceBytes, at);
    if (got === 0) break;
    at += got;
    const lines = (rest + bytes.toString("latin1", 0, got)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const time = parseEntry(line);
      if (time !== null && time.offset > to) return times;
      if (time !== null) times.push(time);
    }
  }
  return times;
}

function parseEntry(line: string): LineTime | null {
  const match = /^(\d{1,15}) (\d{1,15})$/.exec(line);
  return match === null ? null : { offset: Number(match[1]), ms: Number(match[2]) };
}

/** Finds the time of lines that are asked for in order. */
export function timeFinder(times: readonly LineTime[]): (offset: number) => number | null {
  let index = -1;
  return (offset) => {
    while ((times[index + 1]?.offset ?? Number.POSITIVE_INFINITY) <= offset) index += 1;
    return times[index]?.ms ?? null;
  };
}

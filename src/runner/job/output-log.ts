// What an agent prints, as it came, in a file of bounded size: the beginning, and once that is full, the end. Beside it a file that
// says when each line came: `<offset> <ms since the epoch>` per line, where a line of text has the time of the last entry at or
// before its first byte. A disk that takes no more does not stop the agent: what was lost is told of.

import { closeSync, constants, fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";
import type { TreeDisk } from "../layout/tree-disk.ts";

export type OutputLimits = {
  readonly headMax: number;
  /** Kept in memory until the end. */
  readonly tailMax: number;
  readonly timesMax: number;
};

export const outputLimits: OutputLimits = {
  headMax: 64 * 1024 * 1024,
  tailMax: 4 * 1024 * 1024,
  // At most one entry per millisecond: that is 25 bytes, so this is enough for hours of lines that come one by one.
  timesMax: 8 * 1024 * 1024,
};

export type OutputLog = {
  readonly write: (chunk: Buffer, nowMs: number) => void;
  /** Writes the end, and all of it anew where the agent has removed its file. Returns what is missing and why; null: nothing is. */
  readonly close: () => string | null;
  /** Bytes that came, written or not. */
  readonly size: () => number;
};

type Kept = { readonly chunk: Buffer; readonly ms: number };

const newline = 10;

export function openOutputLog(disk: TreeDisk, file: string, limits: OutputLimits = outputLimits): OutputLog {
  const text = openGrowing(disk, file, limits.headMax);
  const times = openGrowing(disk, timesFile(file), limits.timesMax);
  let tail: Kept[] = [];
  let tailSize = 0;
  let total = 0;
  let leftOut = 0;
  let atLineStart = true;
  let lastMs = Number.NEGATIVE_INFINITY;

  const noteTime = (chunk: Buffer, ms: number, at: number) => {
    const begin = atLineStart ? 0 : chunk.indexOf(newline) + 1;
    const hasLine = atLineStart ? chunk.length > 0 : begin > 0 && begin < chunk.length;
    atLineStart = chunk.length > 0 ? chunk.at(-1) === newline : atLineStart;
    // A clock that was set back does not turn the order of lines around.
    if (!hasLine || ms <= lastMs) return;
    lastMs = ms;
    times.add(Buffer.from(`${at + begin} ${Math.round(ms)}\n`));
  };
  const put = ({ chunk, ms }: Kept): Buffer => {
    const at = text.size();
    const taken = chunk.subarray(0, text.add(chunk));
    noteTime(taken, ms, at);
    return chunk.subarray(taken.length);
  };
  const keep = (kept: Kept) => {
    tail.push(kept);
    tailSize += kept.chunk.length;
    while (tail.length > 1 && tailSize - (tail[0]?.chunk.length ?? 0) >= limits.tailMax) {
      const length = tail.shift()?.chunk.length ?? 0;
      tailSize -= length;
      leftOut += length;
    }
  };
  /** Returns the bytes that were not taken. On a full disk it is written as a whole or not at all: the room that is left is for the record of the run. */
  const putTail = (): number => {
    const [first] = tail;
    if (first === undefined) return 0;
    const headSize = text.size();
    text.allow(limits.tailMax * 2 + 1_000);
    if (leftOut > 0) put({ chunk: Buffer.from(`\n[run-agent: ${leftOut} bytes left out]\n`), ms: first.ms });
    const lost = tail.reduce((sum, kept) => sum + put(kept).length, 0);
    if (text.fault() === null) return lost;
    text.cutTo(headSize);
    return tailSize;
  };

  return {
    size: () => total,
    write: (chunk, ms) => {
      total += chunk.length;
      const rest = tail.length > 0 ? chunk : put({ chunk, ms });
      // A copy: what streams hand out is a part of a larger buffer, which would be kept as a whole.
      if (rest.length > 0) keep({ chunk: Buffer.from(rest), ms });
    },
    close: () => {
      const why = text.fault();
      leftOut += putTail();
      tail = [];
      for (const each of [text, times]) each.close();
      if (leftOut === 0) return null;
      return `${leftOut} of ${total} bytes are not in ${file}: ${why ?? `more than ${limits.headMax} were printed`}.`;
    },
  };
}

export const timesFile = (file: string): string => file.replace(/(\.txt)?$/, ".times");

/** A file that only grows, up to a size. A fault ends it: a gap in the middle could be taken for the agent's own words. */
function openGrowing(disk: TreeDisk, file: string, sizeMax: number) {
  const fd = disk.open(file, constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC);
  let max = sizeMax;
  let size = 0;
  let fault: string | null = null;
  return {
    size: () => size,
    fault: () => fault,
    /** Room for the end, and another try where the disk was full. */
    allow: (bytes: number) => {
      max = size + bytes;
      fault = null;
    },
    cutTo: (length: number): void => {
      if (takeBack(fd, length)) size = length;
    },
    /** How many bytes were taken. */
    add: (chunk: Buffer): number => {
      const length = fault === null ? Math.min(chunk.length, max - size) : 0;
      let done = 0;
      try {
        while (done < length) done += writeSync(fd, chunk, done, length - done, size + done);
      } catch (error) {
        fault = error instanceof Error ? error.message : String(error);
        done = takeBack(fd, size) ? 0 : done;
      }
      size += done;
      return done;
    },
    close: () => {
      try {
        if (fstatSync(fd).nlink === 0 && disk.kindOf(file) === null) copyTo(disk, file, fd, size);
      } catch (error) {
        fault ??= String(error);
      } finally {
        closeSync(fd);
      }
    },
  };
}

function takeBack(fd: number, size: number): boolean {
  try {
    ftruncateSync(fd, size);
    return true;
  } catch {
    return false;
  }
}

/** The agent removed the file, and the bytes are still there as long as it is open. */
function copyTo(disk: TreeDisk, file: string, from: number, size: number): void {
  const to = disk.open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
  try {
    const piece = Buffer.alloc(1024 * 1024);
    for (let at = 0; at < size; ) {
      const length = readSync(from, piece, 0, piece.length, at);
      if (length === 0) return;
      for (let done = 0; done < length; ) done += writeSync(to, piece, done, length - done, at + done);
      at += length;
    }
  } finally {
    closeSync(to);
  }
}

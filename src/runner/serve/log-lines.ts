// Lines of what an agent printed, from any offset on, with the time of each. Agents print lines of ten megabytes, bytes that are no text,
// and files that they then remove: everything read here is bounded, and what is not text is shown as replacement characters.

import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { inRun, type RunFolder, type RunnerRoot } from "../layout/runner-root.ts";
import { type LineTime, readTimes, timeFinder } from "./line-times.ts";

export type LogStream = "stdout" | "stderr";

export type LogLine = {
  readonly offset: number;
  readonly at: string | null;
  readonly text: string;
  readonly bytes_left_out: number;
  readonly is_open: boolean;
};

export type LogPage = {
  readonly stream: LogStream;
  readonly lines: readonly LogLine[];
  readonly from: number;
  readonly next: number;
  readonly size: number;
};

export type LogRequest = {
  readonly stream: LogStream;
  /** Lines from here on. Neither this nor `up_to`: the last ones. */
  readonly from?: number | undefined;
  /** Lines that end here. */
  readonly up_to?: number | undefined;
  readonly lines: number;
};

const pieceBytes = 64 * 1024;
/** Of one line; a JSON event that is longer cannot be rendered anyway. */
const lineMax = 256 * 1024;
/** Of one page. */
const pageMax = 1024 * 1024;
/** Looked through for the end of one line. */
const scanMax = 64 * 1024 * 1024;
const newline = 10;

export function readLog({ disk }: RunnerRoot, run: RunFolder, request: LogRequest): LogPage {
  const file = inRun(run, request.stream);
  if (disk.kindOf(file) !== "file") return { stream: request.stream, lines: [], from: 0, next: 0, size: 0 };
  const fd = disk.open(file, constants.O_RDONLY);
  try {
    const { size } = fstatSync(fd);
    const raw = findLines(fd, size, request);
    const first = raw.lines[0]?.offset ?? raw.next;
    const times = readTimes(disk, file, first, raw.lines.at(-1)?.offset ?? raw.next);
    return { stream: request.stream, lines: withTimes(raw.lines, times), from: first, next: raw.next, size };
  } finally {
    closeSync(fd);
  }
}

type RawLine = Omit<LogLine, "at">;
type RawLines = { readonly lines: readonly RawLine[]; readonly next: number };

function findLines(fd: number, size: number, { from, up_to: before, lines: limit }: LogRequest): RawLines {
  if (from !== undefined) return readFrom(fd, Math.min(from, size), size, limit);
  const end = Math.min(before ?? size, size);
  const { lines, next } = readFrom(
    fd,
    findLineStart(fd, Math.max(0, end - pageMax), end),
    end,
    Number.MAX_SAFE_INTEGER,
  );
  return { lines: lines.slice(-limit), next };
}

/** The first line that begins at or behind a place; the place itself where one line fills all of it. */
function findLineStart(fd: number, place: number, end: number): number {
  if (place === 0) return 0;
  const bytes = Buffer.alloc(pieceBytes);
  for (let at = place - 1; at < end; ) {
    const got = readSync(fd, bytes, 0, Math.min(pieceBytes, end - at), at);
    if (got === 0) break;
    const found = bytes.subarray(0, got).indexOf(newline);
    // A newline at the very end begins no line.
    if (found !== -1) return at + found + 1 < end ? at + found + 1 : place;
    at += got;
  }
  return place;
}

function readFrom(fd: number, from: number, end: number, limit: number): RawLines {
  const lines: RawLine[] = [];
  const piece = Buffer.alloc(pieceBytes);
  let line = openLine(from);
  let total = 0;
  for (let at = from; at < end && lines.length < limit && total < pageMax; ) {
    const got = readSync(fd, piece, 0, Math.min(pieceBytes, end - at), at);
    if (got === 0) break;
    const bytes = piece.subarray(0, got);
    let begin = 0;
    for (let found = bytes.indexOf(newline); found !== -1; found = bytes.indexOf(newline, begin)) {
      line.add(bytes.subarray(begin, found));
      lines.push(line.close(false));
      total += line.kept();
      begin = found + 1;
      line = openLine(at + begin);
      if (lines.length >= limit || total >= pageMax) return { lines, next: line.offset };
    }
    line.add(bytes.subarray(begin));
    at += got;
    if (line.length() < scanMax) continue;
    lines.push(line.close(false));
    line = openLine(at);
  }
  if (line.length() > 0) lines.push(line.close(true));
  return { lines, next: line.offset };
}

function openLine(offset: number) {
  const parts: Buffer[] = [];
  let kept = 0;
  let length = 0;
  return {
    offset,
    length: () => length,
    kept: () => kept,
    add: (bytes: Buffer) => {
      length += bytes.length;
      const room = lineMax - kept;
      if (room <= 0 || bytes.length === 0) return;
      // A copy: the piece is read into again.
      parts.push(Buffer.from(bytes.subarray(0, room)));
      kept += Math.min(bytes.length, room);
    },
    close: (isOpen: boolean): RawLine => ({
      offset,
      text: new TextDecoder().decode(Buffer.concat(parts)).replace(/\r$/, ""),
      bytes_left_out: length - kept,
      is_open: isOpen,
    }),
  };
}

function withTimes(lines: readonly RawLine[], times: readonly LineTime[]): readonly LogLine[] {
  const find = timeFinder(times);
  return lines.map((line) => {
    const ms = find(line.offset);
    return { ...line, at: ms === null ? null : toIso(ms) };
  });
}

// biome-ignore lint/style/noRestrictedGlobals: writes a given time; reads no clock
const toIso = (ms: number): string => new Date(ms).toISOString();

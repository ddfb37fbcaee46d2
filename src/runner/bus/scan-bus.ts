// Finds the messages in bytes of a bus file. Never fails: what is torn, binary or foreign is reported and passed over, and what may
// still be under way at the end is left for the next look.

import { decodeUtf8 } from "../layout/text.ts";
import { type BusEntry, parseHeader, unescapeBody } from "./entry.ts";
import { type BusScan, type SegmentEnd, scanForeign } from "./scan-foreign.ts";

/** In front of a message that follows a torn one: whatever was cut off cannot swallow it. */
export const tornSeal = "\n--- the message above was cut off\n";

const dash = 0x2d;
const newline = 0x0a;
const carriageReturn = 0x0d;
const firstKey = Buffer.from("\nmsg_id:");
const sealMark = Buffer.from("\n--- ");

/** `base` is the place of the bytes in the file; `isEnd`: they reach to its end, as of now. */
export function scanBus(bytes: Buffer, base: number, isEnd: boolean): BusScan {
  const starts = findStarts(bytes);
  const first = starts[0] ?? bytes.length;
  const scans: BusScan[] = [];
  let used = first;
  if (first > 0) {
    const isLast = starts.length === 0;
    const before = scanForeign(bytes.subarray(0, first), base, isLast ? (isEnd ? "end" : "more") : "closed");
    scans.push(before);
    used = before.used;
  }
  for (const [index, start] of starts.entries()) {
    const next = starts[index + 1];
    const segment = bytes.subarray(start, next ?? bytes.length);
    const scan = scanSegment(segment, base + start, next !== undefined ? "closed" : isEnd ? "end" : "more");
    scans.push(scan);
    used = start + scan.used;
  }
  return {
    entries: scans.flatMap(({ entries }) => entries),
    damages: scans.flatMap(({ damages }) => damages),
    used,
  };
}

/** Where a message begins: a line of three dashes, and the next line begins with `msg_id:`. */
export function findStarts(bytes: Buffer): readonly number[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf(firstKey); at !== -1; at = bytes.indexOf(firstKey, at + 1)) {
    const lineEnd = bytes[at - 1] === carriageReturn ? at - 1 : at;
    const start = lineEnd - 3;
    const isDashes = start >= 0 && [0, 1, 2].every((n) => bytes[start + n] === dash);
    if (isDashes && (start === 0 || bytes[start - 1] === newline)) starts.push(start);
  }
  return starts;
}

function scanSegment(segment: Buffer, offset: number, end: SegmentEnd): BusScan {
  const found = splitSegment(segment);
  // A later look may find the rest of it, unless something follows that shows it will not come.
  const torn = (why: string): BusScan =>
    end === "closed" || segment.indexOf(sealMark) !== -1
      ? { entries: [], damages: [{ offset, length: segment.length, why }], used: segment.length }
      : { entries: [], damages: [], used: 0 };
  if (found === null) return torn("a message without the end of its header");
  const text = decodeUtf8(found.head);
  const parsed = text === null ? null : parseHeader(text);
  if (parsed === null) return torn("a message whose header cannot be read");
  const { header, bodyBytes } = parsed;
  if (bodyBytes === null) return scanOldBody(segment, offset, end, found.bodyAt, header);
  const bodyEnd = found.bodyAt + bodyBytes;
  const raw = segment.subarray(found.bodyAt, bodyEnd);
  if (segment[bodyEnd] !== newline || hasMarkedLine(raw)) return torn("a message that was cut off or changed");
  const body = decodeUtf8(raw);
  if (body === null) return torn("a message that is not UTF-8");
  const entry = { ...header, body: unescapeBody(body) };
  const rest = scanForeign(segment.subarray(bodyEnd + 1), offset + bodyEnd + 1, end);
  return {
    entries: [{ offset, entry }, ...rest.entries],
    damages: rest.damages,
    used: bodyEnd + 1 + rest.used,
  };
}

/** Without a length, the body ends where the next message begins, or where the file does. */
function scanOldBody(
  segment: Buffer,
  offset: number,
  end: SegmentEnd,
  bodyAt: number,
  header: Omit<BusEntry, "body">,
): BusScan {
  if (end === "more" || (end === "end" && segment.at(-1) !== newline)) return { entries: [], damages: [], used: 0 };
  const body = decodeUtf8(segment.subarray(bodyAt));
  const used = segment.length;
  if (body === null)
    return { entries: [], damages: [{ offset, length: used, why: "a message that is not UTF-8" }], used };
  return { entries: [{ offset, entry: { ...header, body: body.replace(/\s+$/, "") } }], damages: [], used };
}

/** The header without its dashes, and where the body begins; null: the header does not end. */
function splitSegment(segment: Buffer): { readonly head: Buffer; readonly bodyAt: number } | null {
  const headAt = segment.indexOf(newline) + 1;
  for (let lineAt = headAt; lineAt < segment.length; ) {
    const lineEnd = segment.indexOf(newline, lineAt);
    if (lineEnd === -1) return null;
    const line = segment.toString("latin1", lineAt, Math.min(lineEnd, lineAt + 8));
    if (/^---[ \t]*\r?$/.test(line))
      return { head: segment.subarray(headAt, Math.max(headAt, lineAt - 1)), bodyAt: lineEnd + 1 };
    if (line.startsWith("---")) return null;
    lineAt = lineEnd + 1;
  }
  return null;
}

/** A body of ours has no line that begins with dashes: here it is torn, and something else was written behind it. */
function hasMarkedLine(raw: Buffer): boolean {
  return raw.subarray(0, 3).toString("latin1") === "---" || raw.indexOf("\n---") !== -1;
}

// Text on a bus that is no message of ours: one-line records of the first generation (`[date] TYPE: body`), messages whose header begins
// with another key, and whatever people and agents write there by hand. Only whole lines count.

import { decodeUtf8 } from "../layout/text.ts";
import { type BusEntry, parseHeader } from "./entry.ts";

/** Bytes that are no message. `offset` is their place in the file. */
export type BusDamage = { readonly offset: number; readonly length: number; readonly why: string };
export type PlacedEntry = { readonly offset: number; readonly entry: BusEntry };

export type BusScan = {
  readonly entries: readonly PlacedEntry[];
  readonly damages: readonly BusDamage[];
  /** How many bytes are settled; what follows may be a message under way. */
  readonly used: number;
};

/** Closed: another message follows; end: the file ends here, for now; more: the file goes on. */
export type SegmentEnd = "closed" | "end" | "more";

const newline = 0x0a;
/** A header that is longer is not one. */
const headerLinesMax = 100;
const recordLine = /^\[([^\]]{4,60})\]\s*([A-Z][A-Z0-9_]{0,60}):\s?(.*)$/;
const dashes = /^---[ \t]*$/;

type Line = { readonly at: number; readonly text: string };

export function scanForeign(bytes: Buffer, base: number, end: SegmentEnd): BusScan {
  if (bytes.length === 0 || end === "more") return { entries: [], damages: [], used: 0 };
  const whole = end === "closed" ? bytes.length : bytes.lastIndexOf(newline) + 1;
  const text = decodeUtf8(bytes.subarray(0, whole));
  if (text === null)
    return { entries: [], damages: [{ offset: base, length: whole, why: "bytes that are not UTF-8" }], used: whole };
  return scanLines(toLines(text, base), base, whole, end);
}

function toLines(text: string, base: number): readonly Line[] {
  let at = base;
  return text.split("\n").map((line) => {
    const here = { at, text: line.endsWith("\r") ? line.slice(0, -1) : line };
    at += Buffer.byteLength(line) + 1;
    return here;
  });
}

function scanLines(lines: readonly Line[], base: number, length: number, end: SegmentEnd): BusScan {
  const entries: PlacedEntry[] = [];
  const damages: BusDamage[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index];
    if (line === undefined) break;
    const message = dashes.test(line.text) ? readMessage(lines, index) : null;
    if (message !== null) {
      entries.push({ offset: line.at, entry: message.entry });
      index = message.next;
      continue;
    }
    // The header may still be under way.
    if (dashes.test(line.text) && end === "end") return { entries, damages, used: line.at - base };
    const record = recordLine.exec(line.text);
    if (record) entries.push({ offset: line.at, entry: toEntry(record, line.at) });
    else if (!isSilent(line.text)) addDamage(damages, line);
    index += 1;
  }
  return { entries, damages, used: length };
}

const isSilent = (text: string): boolean => text.trim() === "" || text.startsWith("--- ");

function addDamage(damages: BusDamage[], { at, text }: Line): void {
  const last = damages.at(-1);
  const length = Buffer.byteLength(text) + 1;
  if (last && last.offset + last.length === at) damages[damages.length - 1] = { ...last, length: last.length + length };
  else damages.push({ offset: at, length, why: "text that belongs to no message" });
}

/** A message that begins with another key than `msg_id`, up to the next line of dashes. */
function readMessage(
  lines: readonly Line[],
  start: number,
): { readonly entry: BusEntry; readonly next: number } | null {
  const rest = lines.slice(start + 1, start + 1 + headerLinesMax);
  const length = rest.findIndex(({ text }) => dashes.test(text));
  if (length === -1) return null;
  const parsed = parseHeader(textOf(rest.slice(0, length)));
  if (parsed === null) return null;
  const bodyAt = start + 2 + length;
  const after = lines.slice(bodyAt).findIndex(({ text }) => dashes.test(text));
  const next = after === -1 ? lines.length : bodyAt + after;
  const body = textOf(lines.slice(bodyAt, next)).replace(/\s+$/, "");
  return { entry: { ...parsed.header, body }, next };
}

const textOf = (lines: readonly Line[]): string => lines.map(({ text }) => text).join("\n");

/** Its id is its place: the file only grows, so the place stays. */
function toEntry([, date = "", type = "", body = ""]: RegExpExecArray, at: number): BusEntry {
  // biome-ignore lint/style/noRestrictedGlobals: reads a given time, not the clock
  const ms = Date.parse(date);
  return {
    msg_id: `LINE-${String(at).padStart(12, "0")}`,
    // biome-ignore lint/style/noRestrictedGlobals: writes a given time; reads no clock
    ts: Number.isNaN(ms) ? "" : new Date(ms).toISOString(),
    type,
    project_id: "",
    task_id: "",
    run_id: "",
    parents: [],
    attachment_path: "",
    issue_id: "",
    links: [],
    meta: {},
    body,
  };
}

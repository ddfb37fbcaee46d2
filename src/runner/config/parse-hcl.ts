// Reads the part of HCL that settings need: blocks with labels, attributes, texts, numbers, booleans, null, lists, maps and comments.
// There are no expressions, functions or references. Never throws; the first mistake is reported with its place.

import { HclFault, HclScanner } from "./hcl-scanner.ts";

/** `at` is an offset into the text; `makePlaces` makes line and column of it. */
export type HclValue = { readonly at: number } & (
  | { readonly kind: "scalar"; readonly value: string | number | boolean | null }
  | { readonly kind: "list"; readonly items: readonly HclValue[] }
  | { readonly kind: "map"; readonly entries: readonly HclAttribute[] }
);
export type HclAttribute = { readonly at: number; readonly name: string; readonly value: HclValue };
export type HclBlock = {
  readonly at: number;
  readonly name: string;
  readonly labels: readonly string[];
  readonly body: HclBody;
};
export type HclBody = { readonly attributes: readonly HclAttribute[]; readonly blocks: readonly HclBlock[] };

export type HclPlace = { readonly line: number; readonly column: number };
export type HclRead =
  | { readonly kind: "body"; readonly body: HclBody }
  | { readonly kind: "fault"; readonly place: HclPlace; readonly why: string };

/** A file of settings has a few kilobytes. */
const textMax = 1024 * 1024;
const depthMax = 32;
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

export function parseHcl(text: string): HclRead {
  if (text.length > textMax)
    return { kind: "fault", place: { line: 1, column: 1 }, why: "The file is too large for settings." };
  try {
    return { kind: "body", body: readBody(new HclScanner(text), null, 0) };
  } catch (error) {
    if (!(error instanceof HclFault)) throw error;
    return { kind: "fault", place: makePlaces(text)(error.at), why: error.message };
  }
}

/** Lines and columns count from 1; a column is a character, not a byte. Places in order of the text are found fastest. */
export function makePlaces(text: string): (at: number) => HclPlace {
  const starts = [0];
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  let last = { line: 1, at: 0, column: 1 };
  return (at) => {
    const line = countUpTo(starts, at);
    const start = starts[line - 1] ?? 0;
    const from = last.line === line && last.at <= at ? last : { at: start, column: 1 };
    let column = from.column;
    for (const _ of text.slice(from.at, at)) column++;
    last = { line, at, column };
    return { line, column };
  };
}

/** How many of the ascending numbers are not above `value`. */
function countUpTo(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `openedAt`: where the block began; null for the file itself. */
function readBody(scan: HclScanner, openedAt: number | null, depth: number): HclBody {
  if (depth > depthMax) throw new HclFault(scan.at, "Blocks are nested too deeply.");
  const attributes: HclAttribute[] = [];
  const blocks: HclBlock[] = [];
  const names = new Set<string>();
  while (!isBodyEnd(scan, openedAt)) {
    const at = scan.at;
    const name = scan.readName();
    if (name === null) throw new HclFault(at, "Expected the name of a setting or of a block.");
    scan.skip("blanks");
    if (scan.take("=")) {
      requireNew(names, name, at);
      attributes.push({ at, name, value: readValue(scan, depth) });
    } else blocks.push({ at, name, ...readBlock(scan, at, depth) });
    requireEndOfLine(scan, openedAt !== null);
  }
  return { attributes, blocks };
}

/** The brace of a block is taken. */
function isBodyEnd(scan: HclScanner, openedAt: number | null): boolean {
  scan.skip("lines");
  const at = scan.at;
  const isBrace = scan.take("}");
  if (isBrace && openedAt === null) throw new HclFault(at, "This } closes nothing.");
  if (scan.isEnd && !isBrace && openedAt !== null)
    throw new HclFault(openedAt, "This block does not end. Close it with }.");
  return isBrace || scan.isEnd;
}

function readBlock(scan: HclScanner, at: number, depth: number): Pick<HclBlock, "labels" | "body"> {
  const labels: string[] = [];
  for (;;) {
    scan.skip("blanks");
    if (scan.take("{")) return { labels, body: readBody(scan, at, depth + 1) };
    const label = scan.next() === '"' ? scan.readText() : scan.readName();
    if (label === null) throw new HclFault(scan.at, "Expected = and a value, or { and a block.");
    labels.push(label);
  }
}

function requireNew(names: Set<string>, name: string, at: number): void {
  if (names.has(name)) throw new HclFault(at, `${name} is set twice.`);
  names.add(name);
}

function requireEndOfLine(scan: HclScanner, isInBlock: boolean): void {
  scan.skip("blanks");
  if (scan.isEnd || scan.next() === "\n" || (isInBlock && scan.next() === "}")) return;
  throw new HclFault(scan.at, "Expected the end of the line. Each setting stands on a line of its own.");
}

function readValue(scan: HclScanner, depth: number): HclValue {
  if (depth > depthMax) throw new HclFault(scan.at, "Lists and maps are nested too deeply.");
  scan.skip("blanks");
  const at = scan.at;
  if (scan.take("[")) return { at, kind: "list", items: readItems(scan, at, depth + 1) };
  if (scan.take("{")) return { at, kind: "map", entries: readEntries(scan, at, depth + 1) };
  return { at, kind: "scalar", value: readScalar(scan) };
}

function readScalar(scan: HclScanner): string | number | boolean | null {
  const at = scan.at;
  const value = scan.readText() ?? scan.readNumber();
  if (value !== null) return value;
  const word = scan.readName();
  if (word !== null && Object.hasOwn(words, word)) return words[word] ?? null;
  if (word !== null) throw new HclFault(at, "Write text in quotes. Without quotes: numbers, true, false and null.");
  throw new HclFault(at, "Expected a value: a text in quotes, a number, true, false, null, a list or a map.");
}

function readItems(scan: HclScanner, openedAt: number, depth: number): readonly HclValue[] {
  const items: HclValue[] = [];
  for (;;) {
    scan.skip("lines");
    if (scan.isEnd) throw new HclFault(openedAt, "This list does not end. Close it with ].");
    if (scan.take("]")) return items;
    items.push(readValue(scan, depth));
    scan.skip("lines");
    if (!scan.take(",") && scan.next() !== "]" && !scan.isEnd)
      throw new HclFault(scan.at, "Expected a comma or ] after a value of the list.");
  }
}

function readEntries(scan: HclScanner, openedAt: number, depth: number): readonly HclAttribute[] {
  const entries: HclAttribute[] = [];
  const names = new Set<string>();
  for (;;) {
    scan.skip("lines");
    if (scan.isEnd) throw new HclFault(openedAt, "This map does not end. Close it with }.");
    if (scan.take("}")) return entries;
    const at = scan.at;
    const name = scan.next() === '"' ? scan.readText() : scan.readName();
    if (name === null) throw new HclFault(at, "Expected a name and = or }.");
    requireNew(names, name, at);
    scan.skip("blanks");
    if (!scan.take("=") && !scan.take(":")) throw new HclFault(scan.at, "Expected = and a value.");
    entries.push({ at, name, value: readValue(scan, depth) });
    scan.skip("blanks");
    if (!scan.take(",") && !scan.isEnd && scan.next() !== "\n" && scan.next() !== "}")
      throw new HclFault(scan.at, "Expected a comma, a new line or } after a value of the map.");
  }
}

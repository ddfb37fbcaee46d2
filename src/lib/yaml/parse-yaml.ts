// Reads the YAML that people, models and agents write: mappings, lists, flow collections, quotes, blocks of text and comments. Anchors,
// aliases, tags and several documents are refused. The time it takes grows with the length of the text, whatever stands in it; a parser
// that others wrote took minutes for a quarter of a megabyte of quotation marks.

import { readBlockScalar } from "./block-scalar.ts";
import { readPlainBlock, readPlainFlow, readPlainLine, resolvePlain, startsPlain } from "./plain-scalar.ts";
import { readQuoted } from "./quoted-scalar.ts";
import { YamlFault, YamlText } from "./yaml-text.ts";

export type YamlValue =
  | { readonly kind: "value"; readonly value: unknown }
  /** `line` counts from 1. */
  | { readonly kind: "fault"; readonly line: number; readonly why: string };

const depthMax = 32;
const twice = "This key is there twice.";
const tooDeep = "Values are nested too deeply.";
const isNotRead = /[&*!]/;
const notRead = "Anchors, aliases and tags are not read. Write the value itself.";

/** Never throws. A text without a value is null. */
export function parseYaml(source: string): YamlValue {
  const text = new YamlText(source.replaceAll("\r\n", "\n"));
  try {
    return { kind: "value", value: readDocument(text) };
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    return { kind: "fault", line: countLines(text.text, error.at), why: error.message };
  }
}

function countLines(text: string, at: number): number {
  let lines = 1;
  for (let end = text.indexOf("\n"); end !== -1 && end < at; end = text.indexOf("\n", end + 1)) lines += 1;
  return lines;
}

function readDocument(text: YamlText): unknown {
  const column = text.toContent();
  const isMarked = text.isMarker() && text.next() === "-";
  if (!isMarked && text.next() === "%") text.fault("Directives are not read.");
  const value = isMarked ? readMarked(text) : readRoot(text, column);
  if (text.toContent() !== -1) text.fault("This line is indented less than the lines above, or stands behind the end.");
  if (text.isMarker() && text.next() === "-") text.fault("Only one document is read.");
  if (!text.isEnd) {
    text.at += "...".length;
    text.requireEndOfLine();
    if (text.toContent() !== -1 || !text.isEnd) text.fault("Something stands behind the end.");
  }
  return value;
}

const readRoot = (text: YamlText, column: number): unknown => (column === -1 ? null : readNode(text, column, -1, 0));

/** From `---`: the value is on its line, or below it. */
function readMarked(text: YamlText): unknown {
  text.at += "---".length;
  text.skipBlanks();
  if (text.isEndOfLine || text.next() === "#") return readRoot(text, text.toContent());
  if (isDash(text) || readKey(text) !== null) text.fault("A mapping or a list begins on the line below ---.");
  return readInline(text, -1, 0);
}

/** What begins here, where a mapping or a list may begin. It belongs to something at the column `parent`. */
function readNode(text: YamlText, column: number, parent: number, depth: number): unknown {
  if (depth > depthMax) text.fault(tooDeep);
  if (isDash(text)) return readSequence(text, column, depth);
  const key = readKey(text);
  return key === null ? readInline(text, parent, depth) : readMapping(text, column, key, depth);
}

const isDash = (text: YamlText): boolean => text.next() === "-" && text.isGap(1);

function readSequence(text: YamlText, column: number, depth: number): unknown[] {
  const items: unknown[] = [];
  for (let next = column; next === column && isDash(text); next = toSibling(text, column)) {
    text.at += 1;
    if (text.next() === "\t") text.fault("A tab stands where spaces are needed.");
    items.push(readValue(text, column, depth + 1, "item"));
  }
  return items;
}

function readMapping(text: YamlText, column: number, first: string, depth: number): unknown {
  const entries = new Map<string, unknown>();
  for (let key = first; ; ) {
    if (entries.has(key)) text.fault(twice);
    entries.set(key, readValue(text, column, depth + 1, "key"));
    if (toSibling(text, column) !== column) return Object.fromEntries(entries);
    key = readKey(text) ?? text.fault("A key and a colon were expected here.");
  }
}

function toSibling(text: YamlText, column: number): number {
  const next = text.toContent();
  if (next > column) text.fault("This line is indented more than what it belongs to.");
  return next;
}

/** Behind `key:` or a dash: on the same line, or below it. */
function readValue(text: YamlText, parent: number, depth: number, behind: "key" | "item"): unknown {
  text.skipBlanks();
  if (text.isEndOfLine || text.next() === "#") {
    const column = text.toContent();
    if (column > parent) return readNode(text, column, parent, depth);
    // The dashes of a list may stand right below its key.
    return behind === "key" && column === parent && isDash(text) ? readSequence(text, column, depth) : null;
  }
  return behind === "item" ? readNode(text, text.column, parent, depth) : readInline(text, parent, depth);
}

/** With its colon; null: no key begins here. */
function readKey(text: YamlText): string | null {
  const begin = text.mark();
  const isPlain = startsPlain(text, false);
  const key = isPlain ? readPlainLine(text, false) : readQuoted(text, -1);
  text.skipBlanks();
  if (key !== null && text.mark().lineStart === begin.lineStart && text.next() === ":" && text.isGap(1)) {
    text.at += 1;
    return isPlain ? requireTextKey(text, key) : key;
  }
  text.back(begin);
  return null;
}

/** A key such as null or 1.0 would be another one than it looks. */
function requireTextKey(text: YamlText, key: string): string {
  const value = resolvePlain(key);
  return value === key || (value !== null && String(value) === key)
    ? key
    : text.fault("This key is not text. Put it in quotes.");
}

function readInline(text: YamlText, parent: number, depth: number): unknown {
  const sign = text.next();
  if (sign === "|" || sign === ">") return readBlockScalar(text, parent);
  if (isNotRead.test(sign)) text.fault(notRead);
  if (!`"'[{`.includes(sign)) return readPlainBlock(text, parent);
  const value = readQuoted(text, parent) ?? readFlow(text, depth);
  text.requireEndOfLine();
  return value;
}

function readFlow(text: YamlText, depth: number): unknown {
  if (depth > depthMax) text.fault(tooDeep);
  const opened = text.at;
  if (text.take("[")) return readItems(text, opened, depth);
  if (text.take("{")) return readEntries(text, opened, depth);
  if (isNotRead.test(text.next())) text.fault(notRead);
  return readQuoted(text, -1) ?? resolvePlain(readPlainFlow(text));
}

function readItems(text: YamlText, opened: number, depth: number): unknown[] {
  const items: unknown[] = [];
  while (!isClosed(text, "]", opened)) {
    items.push(readFlow(text, depth + 1));
    requireComma(text, "]", opened);
  }
  return items;
}

function readEntries(text: YamlText, opened: number, depth: number): unknown {
  const entries = new Map<string, unknown>();
  while (!isClosed(text, "}", opened)) {
    const quoted = readQuoted(text, -1);
    const key = quoted ?? requireTextKey(text, readPlainFlow(text));
    if (entries.has(key)) text.fault(twice);
    toFlowContent(text, "}", opened);
    const hasValue = text.take(":");
    toFlowContent(text, "}", opened);
    const isMissing = !hasValue || text.next() === "," || text.next() === "}";
    entries.set(key, isMissing ? null : readFlow(text, depth + 1));
    requireComma(text, "}", opened);
  }
  return Object.fromEntries(entries);
}

function toFlowContent(text: YamlText, close: string, opened: number): void {
  if (text.toContent("flow") === -1) text.fault(`This does not end. Close it with ${close}.`, opened);
}

/** The closing bracket is taken. */
function isClosed(text: YamlText, close: string, opened: number): boolean {
  toFlowContent(text, close, opened);
  return text.take(close);
}

function requireComma(text: YamlText, close: string, opened: number): void {
  toFlowContent(text, close, opened);
  if (!text.take(",") && text.next() !== close) text.fault(`A comma or ${close} was expected here.`);
}

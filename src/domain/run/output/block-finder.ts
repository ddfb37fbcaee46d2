// Finds blocks of a given name in a text, as YAML or JSON, fenced or not, with fields in any case. It says what stands
// there and believes nothing: a block that is cut off, too long, or says a field twice is found, but has no meaning.

import { balanced, isRecord, readJson } from "../../../lib/json.ts";
import { parseYaml } from "../../../lib/yaml/parse-yaml.ts";

/** Null for a block that is there and cannot be read. */
export type Block = Readonly<Record<string, unknown>> | null;
type Found = { readonly at: number; readonly value: unknown };

/** From the end: a text of nothing but headings is not read block by block. */
const headingsMax = 10;
/** Fifty times the usual one; what is longer is not read to its end, and so not believed. */
const lengthMax = 20_000;

const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
const fence = /^\s*(?:```|~~~)/;

/** In the order of the text; only the last ones. */
export function findBlocks(text: string, name: string, fields: readonly string[]): readonly Block[] {
  const plain = text.replace(colours, "").replace(/\r\n?/g, "\n");
  return [...yamlBlocks(plain, name, fields), ...jsonBlocks(plain, name, fields)]
    .toSorted((one, other) => one.at - other.at)
    .map(({ value }) => withLowerKeys(value));
}

/** EXIT_SIGNAL is exit_signal; both of them in one block, and it has no meaning. */
function withLowerKeys(value: unknown): Block {
  if (!isRecord(value)) return null;
  const entries = Object.entries(value).map(([key, each]) => [key.toLowerCase(), each] as const);
  const names = new Set(entries.map(([key]) => key));
  return names.size === entries.length ? Object.fromEntries(entries) : null;
}

/** A line with nothing but the name and a colon, with the fields below it or in braces behind it. */
function yamlBlocks(text: string, name: string, fields: readonly string[]): readonly Found[] {
  const heading = new RegExp(`^([^\\S\\n]*)${name}:[^\\S\\n]*(\\{.*\\})?[^\\S\\n]*$`, "gm");
  return [...text.matchAll(heading)].slice(-headingsMax).map(({ 0: line, 1: indent = "", 2: inBraces, index }) => {
    const below = text.slice(index + line.length + 1, index + line.length + 1 + lengthMax);
    if (inBraces !== undefined) return { at: index, value: inBraces.length > lengthMax ? null : readYaml(inBraces) };
    const isLast = index + line.length + 1 + lengthMax >= text.length;
    const block = linesOf(below, width(indent), fields);
    const isCutOff = block.reachesEnd && (!isLast || isFenced(text.slice(0, index)) || block.text.endsWith(":"));
    return { at: index, value: isCutOff ? null : readYaml(block.text) };
  });
}

type BlockLines = { readonly text: string; readonly reachesEnd: boolean };

/** Deeper lines belong to it; lines as deep as its name do where they are fields, and the first line is one of them. */
function linesOf(below: string, indent: number, fields: readonly string[]): BlockLines {
  const field = new RegExp(`^\\s*(?:(?:${fields.join("|")})\\s*:|- )`, "i");
  const lines = below.split("\n").map((line) => line.replace(/^\t+/, (tabs) => "  ".repeat(tabs.length)));
  const first = lines.find((line) => line.trim() !== "") ?? "";
  const isFlat = width(first) === indent && field.test(first);
  const belongs = (line: string) =>
    !fence.test(line) && (width(line) > indent || (isFlat && width(line) === indent && field.test(line)));
  const end = lines.findIndex((line) => line.trim() !== "" && !belongs(line));
  return {
    text: lines
      .slice(0, end === -1 ? undefined : end)
      .join("\n")
      .trimEnd(),
    reachesEnd: end === -1,
  };
}

const width = (line: string): number => line.length - line.trimStart().length;

/** Whether the text ends with the line that opens a fence. */
function isFenced(before: string): boolean {
  const above = before.trimEnd().split("\n");
  const isOpening = above.filter((line) => fence.test(line)).length % 2 === 1;
  return isOpening && fence.test(above.at(-1) ?? "");
}

/** An object that begins a line with the name as its first key; or, with it as any key, is the whole text or a fence. */
function jsonBlocks(text: string, name: string, fields: readonly string[]): readonly Found[] {
  const starts = [...text.matchAll(new RegExp(`^[ \\t]*\\{\\s*"${name}"\\s*:`, "gm"))].slice(-headingsMax);
  const found = starts.map(({ index }) => {
    const json = balanced(text.slice(index, index + lengthMax));
    return { at: index, value: json === null || saysTwice(json, fields) ? null : own(readJson(json), name) };
  });
  if (found.length > 0) return found;
  const at = text.lastIndexOf(`"${name}"`);
  const whole = at === -1 ? undefined : own(readJson(wholeOrFence(text)), name);
  if (whole === undefined) return [];
  return [{ at, value: saysTwice(balanced(text.slice(at, at + lengthMax)) ?? "", fields) ? null : whole }];
}

/** The text, or what stands in its last fence. */
function wholeOrFence(text: string): string {
  const close = text.lastIndexOf("\n```");
  const open = close === -1 ? -1 : text.lastIndexOf("```", close - 1);
  return open === -1 ? text : text.slice(text.indexOf("\n", open), close);
}

const own = (object: unknown, name: string): unknown =>
  isRecord(object) && Object.hasOwn(object, name) ? object[name] : undefined;

/** JSON itself would silently take the last one. */
function saysTwice(json: string, fields: readonly string[]): boolean {
  return fields.some((field) => [...json.matchAll(new RegExp(`"${field}"\\s*:`, "gi"))].length > 1);
}

/** What models forget to quote: `summary: done: all of it`, `- mend: the test`. */
function quoteValue(line: string): string {
  const head = /^[ \t]*(?:\w+:|-)[ \t]+/.exec(line)?.[0] ?? "";
  const value = line.slice(head.length).trim();
  if (head === "" || /^["'[{|>]/.test(value)) return line;
  const isPlain = !/:(?:[ \t]|$)/.test(value) && !/^[`@%*&!]/.test(value);
  return isPlain ? line : head + JSON.stringify(value);
}

/** Null: it has no meaning. */
function readYaml(text: string): unknown {
  const found = parseYaml(text.split("\n").map(quoteValue).join("\n"));
  return found.kind === "value" ? found.value : null;
}

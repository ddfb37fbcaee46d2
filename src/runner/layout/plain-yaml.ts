// The YAML that our own files are written in, and a quick reader of it: a key and a value on each line, a mapping below its key, and
// everything that is not plain as JSON, which YAML is a superset of. What others wrote may be any YAML; the reader then says so.

import { isRecord } from "../../lib/json.ts";

const plainKey = /^[A-Za-z][\w-]*$/;
/** Words that YAML takes for something else than text are quoted. */
const plainText = /^(?!(?:true|false|yes|no|on|off|null|y|n)$)[A-Za-z/][\w./-]*(?: [\w./-]+)*$/i;
/** Times, and ids that begin with one. */
const plainTime = /^(?:\d{4}-\d\d-\d\dT[\d:.]+Z|\d{8}-\d{6,20}-\d{1,20})$/;
const plainNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/;
const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
/** Characters that YAML does not take as they are, and JSON does. */
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
const depthMax = 20;

/** Keys without a value are left out. */
export function writePlain(value: Readonly<Record<string, unknown>>, indent = ""): string {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  if (entries.length === 0) return indent === "" ? "{}\n" : "";
  return entries
    .map(([key, each]) => {
      const head = `${indent}${plainKey.test(key) ? key : toJson(key)}:`;
      return isRecord(each) && Object.keys(each).length > 0
        ? `${head}\n${writePlain(each, `${indent}  `)}`
        : `${head} ${toScalar(each)}\n`;
    })
    .join("");
}

export function toScalar(value: unknown): string {
  return typeof value === "string" && (plainText.test(value) || plainTime.test(value)) ? value : toJson(value);
}

const toJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(unprintable, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Null: this is not written as we do, and may be good YAML all the same. */
export function readPlain(text: string): Readonly<Record<string, unknown>> | null {
  const lines = text.replace(/\n$/, "").split("\n").map(splitLine);
  const read = readBlock(lines, 0, 0);
  return read !== null && read.next === lines.length ? read.value : null;
}

/** `scalar` is missing where a mapping stands below. */
type Line = { readonly depth: number; readonly key: string; readonly scalar: string | undefined };
type Block = { readonly value: Readonly<Record<string, unknown>>; readonly next: number };

function splitLine(line: string): Line | null {
  const [, indent = "", key, scalar] = /^((?: {2})*)([A-Za-z][\w-]*):(?: (\S.*))?$/.exec(line) ?? [];
  return key === undefined ? null : { depth: indent.length / 2, key, scalar };
}

/** The mapping that begins at a line, up to the first line that is less deep. */
function readBlock(lines: readonly (Line | null)[], first: number, depth: number): Block | null {
  const value: Record<string, unknown> = {};
  let at = first;
  for (let line = lines[at]; line !== undefined; line = lines[at]) {
    if (line !== null && line.depth < depth && at > first) break;
    if (line === null || line.depth !== depth || depth > depthMax || Object.hasOwn(value, line.key)) return null;
    const read = line.scalar === undefined ? readBlock(lines, at + 1, depth + 1) : null;
    const each = line.scalar === undefined ? read?.value : readScalar(line.scalar);
    if (each === undefined) return null;
    value[line.key] = each;
    at = read?.next ?? at + 1;
  }
  return at === first ? null : { value, next: at };
}

/** Undefined: ask YAML. */
function readScalar(scalar: string): unknown {
  if (plainText.test(scalar) || plainTime.test(scalar)) return scalar;
  if (plainNumber.test(scalar)) return Number(scalar);
  if (Object.hasOwn(words, scalar)) return words[scalar];
  if (!/^["[{]/.test(scalar)) return undefined;
  try {
    return JSON.parse(scalar);
  } catch {
    return undefined;
  }
}

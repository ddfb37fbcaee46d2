// Finds the JSON object in what a model said: bare, fenced or with words around it. The last whole one is meant. Comments and
// commas before a closing bracket are forgiven; what broke off is never mended: half a plan is a different plan.

import { isRecord, readJson } from "../lib/json.ts";

export type Found =
  | { readonly kind: "found"; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: "none"; readonly why: string };

export function findObject(text: string): Found {
  const { pieces, isOpen } = piecesOf(text);
  if (isOpen)
    return { kind: "none", why: "the JSON object is not closed: the answer broke off, or a brace is missing" };
  for (const piece of pieces.toReversed()) {
    const parsed = parse(piece);
    if (parsed.kind === "found") return parsed;
    // Words in braces are no object; something that begins like one was meant to be.
    if (/^\{\s*["'}]/.test(piece)) return parsed;
  }
  return { kind: "none", why: "there is no JSON object in the answer" };
}

/** True: it begins like a JSON object and ends before it is closed. */
export function isUnclosed(text: string): boolean {
  const begin = text.search(/\S/);
  return begin >= 0 && text[begin] === "{" && endOf(text, begin, text.lastIndexOf("*/")) === null;
}

function parse(piece: string): Found {
  try {
    return { kind: "found", value: JSON.parse(piece) as Record<string, unknown> };
  } catch (error) {
    const value = parseForgiving(piece);
    if (value !== null) return { kind: "found", value };
    return { kind: "none", why: `this is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

// What is not closed goes on to the end of the text: looking for its end from every next beginning would take for ever.
const stringText = String.raw`"(?:[^"\\]|\\[\s\S])*"?`;
/** Two slashes within words are an address. */
const lineComment = String.raw`(?<=[\s,{}[\]]|^)//[^\n]*`;
const commentText = String.raw`${lineComment}|/\*[\s\S]*?(?:\*/|$)`;

/** The object that this text is, with comments and commas too many; null: it is not one. */
export function parseForgiving(text: string): Readonly<Record<string, unknown>> | null {
  const bare = text.replace(new RegExp(`${stringText}|${commentText}`, "g"), keepStrings);
  const strict = bare.replace(new RegExp(`${stringText}|,(?=\\s*[}\\]])`, "g"), keepStrings);
  const value = readJson(strict);
  return isRecord(value) ? value : null;
}

const keepStrings = (match: string) => (match.startsWith('"') ? match : "");

/** Everything between an outermost brace and the one that closes it. */
function piecesOf(text: string): { readonly pieces: readonly string[]; readonly isOpen: boolean } {
  const pieces: string[] = [];
  const lastClosed = text.lastIndexOf("*/");
  for (let begin = text.indexOf("{"); begin >= 0; ) {
    const end = endOf(text, begin, lastClosed);
    if (end === null) return { pieces, isOpen: true };
    pieces.push(text.slice(begin, end));
    begin = text.indexOf("{", end);
  }
  return { pieces, isOpen: false };
}

/** Braces within strings and comments mean nothing. `lastClosed`: where the last comment is closed. Null: it is never closed. */
function endOf(text: string, begin: number, lastClosed: number): number | null {
  // In words such as {src/*.ts} no comment begins that is never closed.
  const comments = begin < lastClosed ? commentText : lineComment;
  const marks = new RegExp(`${stringText}|${comments}|[{}]`, "g");
  marks.lastIndex = begin;
  let depth = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === "{") depth += 1;
    if (mark[0] === "}") depth -= 1;
    if (depth === 0) return marks.lastIndex;
  }
  return null;
}

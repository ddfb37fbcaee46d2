// Text of YAML in single or double quotes, which may go over several lines.

import { isBlank, joinLines, type YamlText } from "./yaml-text.ts";

const notEnded = "This text does not end. Close it with a quote.";
const anyQuote = /["']/y;
const inDouble = /[^"\\\n]+/y;
const inSingle = /[^'\n]+/y;
const simple: Readonly<Record<string, string>> = {
  0: "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  "\t": "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "/": "/",
  "\\": "\\",
  N: "\u0085",
  _: "\u00a0",
  L: "\u2028",
  P: "\u2029",
};
const hexDigits: Readonly<Record<string, RegExp>> = {
  x: /[0-9a-fA-F]{2}/y,
  u: /[0-9a-fA-F]{4}/y,
  U: /[0-9a-fA-F]{8}/y,
};
const highestPoint = 0x10ffff;

/** Null: no quote stands here. Lines after the first are deeper than `parent`. */
export function readQuoted(text: YamlText, parent: number): string | null {
  const opened = text.at;
  const quote = text.match(anyQuote);
  if (quote === null) return null;
  const parts: string[] = [];
  for (;;) {
    const chunk = text.match(quote === '"' ? inDouble : inSingle) ?? "";
    parts.push(text.next() === "\n" ? withoutBlankEnd(chunk) : chunk);
    if (text.isEnd) text.fault(notEnded, opened);
    if (isClosed(text, quote)) return parts.join("");
    parts.push(text.take(quote) ? quote : readBreakOrEscape(text, parent, opened));
  }
}

/** The last quote is taken. Two single ones stand for one: the first of them is taken. */
function isClosed(text: YamlText, quote: string): boolean {
  if (!text.take(quote)) return false;
  return quote === '"' || text.next() !== quote;
}

function withoutBlankEnd(chunk: string): string {
  let end = chunk.length;
  while (end > 0 && isBlank(chunk[end - 1] ?? "")) end -= 1;
  return chunk.slice(0, end);
}

/** A # inside of quotes begins no comment. */
function toQuotedLine(text: YamlText, parent: number, opened: number): number {
  for (let lines = 1; !text.isEnd; lines++) {
    text.nextLine();
    if (text.isMarker()) break;
    const indent = text.match(/ +/y)?.length ?? 0;
    text.skipBlanks();
    if (text.next() === "\n") continue;
    if (!text.isEnd && indent <= parent) text.fault("The lines of this text must be indented.", opened);
    return lines;
  }
  return text.fault(notEnded, opened);
}

const readBreakOrEscape = (text: YamlText, parent: number, opened: number): string =>
  text.take("\\") ? readEscape(text, parent, opened) : joinLines(toQuotedLine(text, parent, opened));

function readEscape(text: YamlText, parent: number, opened: number): string {
  const at = text.at - 1;
  const letter = text.next();
  if (letter === "\n") return "\n".repeat(toQuotedLine(text, parent, opened) - 1);
  text.at += 1;
  if (Object.hasOwn(simple, letter)) return simple[letter] ?? "";
  const form = Object.hasOwn(hexDigits, letter) ? hexDigits[letter] : undefined;
  const digits = form === undefined ? null : text.match(form);
  const point = digits === null ? Number.NaN : Number.parseInt(digits, 16);
  if (!(point <= highestPoint)) text.fault("This escape is not known. Write \\\\ for a backslash.", at);
  return String.fromCodePoint(point);
}

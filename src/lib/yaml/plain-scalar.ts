// Values of YAML without quotes: where they end, and whether they are text, a number or a word such as true.

import { isBlank, joinLines, type YamlText } from "./yaml-text.ts";

const words: Readonly<Record<string, unknown>> = {
  "~": null,
  null: null,
  Null: null,
  NULL: null,
  true: true,
  True: true,
  TRUE: true,
  false: false,
  False: false,
  FALSE: false,
  ".nan": Number.NaN,
  ".NaN": Number.NaN,
  ".NAN": Number.NaN,
};
const decimal = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const otherBase = /^0(?:o[0-7]+|x[0-9a-fA-F]+)$/;
const infinite = /^[-+]?\.(?:inf|Inf|INF)$/;

/** As YAML 1.2 has it: `yes`, `on` and dates are text. */
export function resolvePlain(text: string): unknown {
  if (Object.hasOwn(words, text)) return words[text];
  if (decimal.test(text) || otherBase.test(text)) return Number(text);
  if (!infinite.test(text)) return text;
  return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

const flowSigns = ",[]{}";
const otherSigns = "#&*!|>'\"%@`";
const colonInside = "Text with a colon and a space in it goes in quotes.";

export function startsPlain(text: YamlText, isFlow: boolean): boolean {
  const first = text.next();
  if (first === "" || flowSigns.includes(first) || otherSigns.includes(first)) return false;
  if (!"?:-".includes(first)) return true;
  return !text.isGap(1) && !(isFlow && flowSigns.includes(text.next(1)));
}

/** The part of a plain value that stands on this line. */
export function readPlainLine(text: YamlText, isFlow: boolean): string {
  const from = text.at;
  let end = from;
  for (let offset = 0; ; offset++) {
    const character = text.next(offset);
    if (character === "" || character === "\n") break;
    if (isBlank(character)) continue;
    if (endsPlain(text, offset, isFlow)) break;
    end = from + offset + 1;
  }
  text.at = end;
  return text.text.slice(from, end);
}

function endsPlain(text: YamlText, offset: number, isFlow: boolean): boolean {
  const character = text.next(offset);
  if (character === "#") return offset > 0 && isBlank(text.next(offset - 1));
  if (character === ":") return text.isGap(offset + 1) || (isFlow && flowSigns.includes(text.next(offset + 1)));
  return isFlow && flowSigns.includes(character);
}

/** With the lines below that are deeper than what holds it. */
export function readPlainBlock(text: YamlText, parent: number): unknown {
  if (!startsPlain(text, false)) text.fault("A value cannot begin like this. Put it in quotes.");
  const parts = [readPlainLine(text, false)];
  for (;;) {
    text.skipBlanks();
    if (text.next() === ":") text.fault(colonInside);
    if (!text.isEndOfLine) break;
    const breaks = text.toDeeperLine(parent);
    if (breaks === 0) break;
    if (text.next() === ":" && text.isGap(1)) text.fault(colonInside);
    parts.push(joinLines(breaks), readPlainLine(text, false));
  }
  text.restOfLine();
  return parts.length === 1 ? resolvePlain(parts[0] ?? "") : parts.join("");
}

/** Up to the sign that ends it, over as many lines as it takes. */
export function readPlainFlow(text: YamlText): string {
  if (!startsPlain(text, true)) text.fault("A value cannot begin like this. Put it in quotes.");
  const parts = [readPlainLine(text, true)];
  for (;;) {
    text.skipBlanks();
    if (!text.isEndOfLine) break;
    const breaks = text.toDeeperLine(-1);
    if (breaks === 0 || flowSigns.includes(text.next()) || text.next() === ":") break;
    parts.push(joinLines(breaks), readPlainLine(text, true));
  }
  return parts.join("");
}

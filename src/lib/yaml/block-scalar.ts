// Text of YAML in a block of lines: kept as it is behind |, joined behind >.

import type { YamlText } from "./yaml-text.ts";

const header = /^[|>](?:([1-9])?([+-])?|([+-])([1-9]))$/;

/** Its lines are deeper than `parent`. */
export function readBlockScalar(text: YamlText, parent: number): string {
  const at = text.at;
  const sign = text.next();
  const [found, indentOne, chompOne, chompTwo, indentTwo] = header.exec(cutComment(text.restOfLine())) ?? [];
  if (found === undefined) text.fault("Behind | or > the line ends.", at);
  const given = indentOne ?? indentTwo;
  const lines = readLines(text, given === undefined ? null : Math.max(parent, 0) + Number(given), parent);
  let end = lines.length;
  while (end > 0 && lines[end - 1] === "") end -= 1;
  const body = sign === "|" ? lines.slice(0, end).join("\n") : foldLines(lines.slice(0, end));
  const chomp = chompOne ?? chompTwo;
  if (chomp === "-") return body;
  if (chomp === "+") return body + "\n".repeat(lines.length - end + (end > 0 ? 1 : 0));
  return end > 0 ? `${body}\n` : "";
}

/** The header is short: what is behind a blank and # is a comment of any length. */
function cutComment(line: string): string {
  const at = line.search(/[ \t]/);
  if (at === -1) return line;
  const rest = line.slice(at).trimStart();
  return rest === "" || rest.startsWith("#") ? line.slice(0, at) : line;
}

/** Without their indentation, which the first line that is not blank gives. */
function readLines(text: YamlText, given: number | null, parent: number): string[] {
  const lines: string[] = [];
  let indent = given;
  let widest = 0;
  while (toNextLine(text)) {
    const begin = text.at;
    const depth = text.match(/ +/y)?.length ?? 0;
    if (text.isEnd) break;
    if (text.isEndOfLine) {
      widest = Math.max(widest, depth);
      lines.push(" ".repeat(Math.max(0, depth - (indent ?? depth))));
      continue;
    }
    text.at = begin;
    if (depth <= parent || depth < (indent ?? 0)) break;
    if (indent === null && widest > depth) text.fault("A blank line above this one is indented more.");
    indent ??= depth;
    lines.push(text.restOfLine().slice(indent));
  }
  return lines;
}

function toNextLine(text: YamlText): boolean {
  text.nextLine();
  return !text.isEnd && !text.isMarker();
}

/** One break between two lines is a space; lines that are indented more keep theirs. */
function foldLines(lines: readonly string[]): string {
  const parts: string[] = [];
  let blank = 0;
  let wasIndented = true;
  for (const line of lines) {
    if (line === "") {
      blank += 1;
      continue;
    }
    const isIndented = /^[ \t]/.test(line);
    const kept = wasIndented || isIndented ? blank + 1 : blank;
    if (parts.length === 0) parts.push("\n".repeat(blank));
    else parts.push(kept === 0 ? " " : "\n".repeat(kept));
    parts.push(line);
    wasIndented = isIndented;
    blank = 0;
  }
  return parts.join("");
}

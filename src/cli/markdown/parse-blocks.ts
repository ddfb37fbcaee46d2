// Markdown as blocks: headings, paragraphs, lists, tables, quotes and code, as models write them. Pure. It knows what a terminal
// can show and no more; what it does not know stays text.

export type ListItem = { readonly marker: string; readonly blocks: readonly Block[] };

export type Block =
  | { readonly kind: "heading"; readonly depth: number; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly ListItem[] }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "code"; readonly lines: readonly string[] }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "rule" };

/** Deeper lists and quotes are shown as text; no line is narrow enough for more. */
const depthMax = 8;

const heading = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const rule = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const quote = /^ {0,3}> ?/;
const item = /^( {0,3})([-*+]|\d{1,9}[.)])(\s+|$)/;
const box = /^\[([ xX])\]\s+/;
const indentedCode = /^(?: {4}|\t)/;
const delimiterRow = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const commentStart = /^ {0,3}<!--/;

export function parseMarkdown(text: string): readonly Block[] {
  return parseBlocks(text.replaceAll(/\r\n?/g, "\n").split("\n"), 0);
}

/** What was read, and the first line after it. */
type Read = { readonly block: Block | null; readonly next: number };
type Reader = (lines: readonly string[], at: number, depth: number) => Read | null;

function parseBlocks(lines: readonly string[], depth: number): readonly Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const { block, next } = readBlock(lines, at, depth);
    if (block !== null) blocks.push(block);
    at = next;
  }
  return blocks;
}

function readBlock(lines: readonly string[], at: number, depth: number): Read {
  if (isBlank(lines[at])) return { block: null, next: at + 1 };
  for (const read of readers) {
    const found = read(lines, at, depth);
    if (found !== null) return found;
  }
  return readParagraph(lines, at);
}

const readComment: Reader = (lines, at) => {
  if (!commentStart.test(lines[at] ?? "")) return null;
  const end = endWhere(lines, at, (line) => line.includes("-->"));
  return { block: null, next: end + 1 };
};

const readHeading: Reader = (lines, at) => {
  const found = heading.exec(lines[at] ?? "");
  if (found === null) return null;
  return { block: { kind: "heading", depth: found[1]?.length ?? 1, text: found[2] ?? "" }, next: at + 1 };
};

const readCode: Reader = (lines, at) => {
  const mark = fence.exec(lines[at] ?? "")?.[1];
  if (mark === undefined) return null;
  const isEnd = (line: string) => line.trim().startsWith(mark) && /^[`~]+$/.test(line.trim());
  const end = endWhere(lines, at + 1, isEnd);
  return { block: { kind: "code", lines: lines.slice(at + 1, end) }, next: end + 1 };
};

const readIndentedCode: Reader = (lines, at) => {
  if (!indentedCode.test(lines[at] ?? "")) return null;
  const next = endWhere(lines, at, (line) => !indentedCode.test(line));
  return { block: { kind: "code", lines: lines.slice(at, next).map((line) => line.replace(indentedCode, "")) }, next };
};

const readRule: Reader = (lines, at) => (rule.test(lines[at] ?? "") ? { block: { kind: "rule" }, next: at + 1 } : null);

const readQuote: Reader = (lines, at, depth) => {
  if (depth >= depthMax || !quote.test(lines[at] ?? "")) return null;
  const next = endWhere(lines, at, (line) => !quote.test(line));
  const inner = lines.slice(at, next).map((line) => line.replace(quote, ""));
  return { block: { kind: "quote", blocks: parseBlocks(inner, depth + 1) }, next };
};

const readTable: Reader = (lines, at) => {
  const isTable = lines[at]?.includes("|") && delimiterRow.test(lines[at + 1] ?? "");
  const head = splitRow(lines[at] ?? "");
  if (!isTable || splitRow(lines[at + 1] ?? "").length !== head.length) return null;
  const next = endWhere(lines, at + 2, (line) => isBlank(line) || !line.includes("|"));
  const rows = lines.slice(at + 2, next).map((line) => {
    const cells = splitRow(line);
    return head.map((_, column) => cells[column] ?? "");
  });
  return { block: { kind: "table", rows: [head, ...rows] }, next };
};

/** A bar behind a backslash is part of the text. */
const splitRow = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

const readList: Reader = (lines, start, depth) => {
  if (depth >= depthMax || !item.test(lines[start] ?? "")) return null;
  const items: ListItem[] = [];
  let at = start;
  while (at < lines.length && item.test(lines[at] ?? "") && !rule.test(lines[at] ?? "")) {
    const [, indent = "", marker = "", gap = ""] = item.exec(lines[at] ?? "") ?? [];
    const width = indent.length + marker.length + Math.min(Math.max(gap.length, 1), 4);
    const end = endOfItem(lines, at, indent.length + 2);
    const inner = lines.slice(at, end).map((line, index) => (index === 0 ? line.slice(width) : dedent(line, width)));
    items.push(toItem(marker, inner, depth));
    at = end;
  }
  return { block: { kind: "list", items }, next: at };
};

/** An item goes on with lines that are set in, and with the rest of its paragraph. */
function endOfItem(lines: readonly string[], at: number, indent: number): number {
  let end = at + 1;
  while (end < lines.length) {
    const line = lines[end] ?? "";
    if (isBlank(line)) {
      const filled = endWhere(lines, end, (each) => !isBlank(each));
      if (indentOf(lines[filled] ?? "") < indent) break;
      end = filled;
      continue;
    }
    const belongs = indentOf(line) >= indent || (!isBlank(lines[end - 1]) && !startsBlock(line) && !item.test(line));
    if (!belongs) break;
    end += 1;
  }
  while (end < lines.length && isBlank(lines[end]) && item.test(lines[end + 1] ?? "")) end += 1;
  return end;
}

function toItem(marker: string, lines: readonly string[], depth: number): ListItem {
  const [first = "", ...rest] = lines;
  const ticked = box.exec(first)?.[1];
  const text = ticked === undefined ? first : first.replace(box, "");
  const sign = /\d/.test(marker) ? marker : "•";
  const blocks = parseBlocks([text, ...rest], depth + 1);
  return { marker: ticked === undefined ? sign : `[${ticked === " " ? " " : "x"}]`, blocks };
}

function readParagraph(lines: readonly string[], at: number): Read {
  let next = at + 1;
  while (next < lines.length && !isBlank(lines[next]) && !startsBlock(lines[next] ?? "") && !isUnderline(lines[next]))
    next += 1;
  const text = lines
    .slice(at, next)
    .map((line) => (/(?: {2}|\\)$/.test(line) ? `${line.replace(/\\$/, "").trim()}\n` : `${line.trim()} `))
    .join("")
    .trim();
  const under = lines[next];
  if (isUnderline(under))
    return { block: { kind: "heading", depth: under?.trim().startsWith("=") ? 1 : 2, text }, next: next + 1 };
  return { block: { kind: "paragraph", text }, next };
}

/** Below a paragraph it makes a heading of it. */
const isUnderline = (line: string | undefined) => line !== undefined && /^ {0,3}(?:=+|-{2,})\s*$/.test(line);

/** Within a paragraph, only a list that begins at 1 is one. */
const startsBlock = (line: string) =>
  heading.test(line) ||
  fence.test(line) ||
  quote.test(line) ||
  /^ {0,3}(?:[-*+]|1[.)])\s+\S/.test(line) ||
  (rule.test(line) && !isUnderline(line));

const readers: readonly Reader[] = [
  readComment,
  readHeading,
  readCode,
  readRule,
  readQuote,
  readList,
  readIndentedCode,
  readTable,
];

const isBlank = (line: string | undefined) => line === undefined || line.trim() === "";
const indentOf = (line: string) => line.length - line.trimStart().length;
const dedent = (line: string, width: number) => line.slice(Math.min(width, indentOf(line)));

function endWhere(lines: readonly string[], from: number, isOver: (line: string) => boolean): number {
  for (let at = from; at < lines.length; at += 1) if (isOver(lines[at] ?? "")) return at;
  return lines.length;
}

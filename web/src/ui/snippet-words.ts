// A piece of a Markdown text as one line of words, with what was searched for marked in it. Pure.
// Marks of Markdown go; paragraphs, items of lists and lines of code stay apart, and so do the rows and cells of a table.

export type SnippetPiece = { readonly text: string; readonly match: boolean };

/** Private characters that stand around a match while the text is cleaned. */
const [matchStart, matchEnd] = ["\ue000", "\ue001"];

export function snippetWords(pieces: readonly SnippetPiece[]): readonly SnippetPiece[] {
  const marked = pieces.map(({ text, match }) => (match ? `${matchStart}${text}${matchEnd}` : text)).join("");
  return withEllipses(withoutMarks(joinLines(marked)))
    .split(matchStart)
    .flatMap((part, at) => {
      const [first = "", rest = ""] = at === 0 ? ["", part] : part.split(matchEnd);
      return [
        { text: first, match: true },
        { text: rest, match: false },
      ];
    })
    .filter(({ text }) => text !== "");
}

const fence = /^(?:```|~~~)/;
const rule = /^[\s:|*_-]*(?:--|\*\*|__)[\s:|*_-]*$/;
const tableRow = /^\||\s\|\s|\|$/;
const heading = /^#{1,6}\s/;
const blockStart = /^(?:(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+)+(?:\[[ xX]\]\s+)?/;

type Line = {
  readonly words: string;
  readonly isRow: boolean;
  readonly isHeading: boolean;
  /** Begins something new: a paragraph, an item, a line of code. */
  readonly isApart: boolean;
};

function joinLines(text: string): string {
  let joined = "";
  let before: Line | null = null;
  for (const line of linesOf(text)) {
    joined += before === null ? line.words : `${betweenLines(before, line)}${line.words}`;
    before = line;
  }
  return joined;
}

function betweenLines(before: Line, line: Line): string {
  if (before.isRow && line.isRow) return "; ";
  if (before.isHeading && !line.isHeading) return ": ";
  return line.isApart && !/[.!?:;,…][\ue001*_`)”"]*$/.test(before.words) ? " · " : " ";
}

/** What was left out between two fragments ends a line, too. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let isCode = false;
  let isApart = false;
  for (const raw of text.replaceAll(/\s*…\s+/g, "…\n").split("\n")) {
    const line = raw.trim();
    if (fence.test(line)) isCode = !isCode;
    if (line === "" || fence.test(line) || rule.test(line)) {
      isApart = true;
      continue;
    }
    const isRow = !isCode && tableRow.test(line);
    const isBlock = blockStart.test(line);
    const isHeading = !isCode && heading.test(line);
    const words = isRow ? cellsOf(line) : line.replace(blockStart, "");
    lines.push({ words, isRow, isHeading, isApart: isApart || isCode || isRow || isBlock });
    // Neither a heading nor a row nor a line of code goes on in the next line.
    isApart = isCode || isHeading || isRow;
  }
  return lines;
}

const cellsOf = (line: string) =>
  line
    .split("|")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "")
    .join(", ");

const withoutMarks = (text: string) =>
  text
    .replaceAll(/!?\[([^[\]]*)\]\([^()\s]*(?:\)|$)/g, "$1")
    .replaceAll(/\*\*|`/g, "")
    .replaceAll(/(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)/g, "");

/** One kind: without a space to the words that it stands for. */
function withEllipses(text: string): string {
  const words = text.trim().replaceAll(/\s+…/g, "…").replace(/^…\s*/, "…");
  const start = /^\ue000?\p{Ll}/u.test(words) ? "…" : "";
  return `${start}${words}${/[.!?…]\ue001?$/.test(words) ? "" : "…"}`;
}

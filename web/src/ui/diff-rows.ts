// Two texts as the lines of a comparison: what stayed, what went, what came, and inside a changed line which words. Pure.
// Import it through text-diff.tsx; it brings the library that compares.

import { type ChangeObject, diffArrays, diffWordsWithSpace } from "diff";

export type Piece = { readonly text: string; readonly isChanged: boolean };
export type DiffRow = {
  readonly kind: "same" | "removed" | "added";
  /** Where it stands in the text it comes from, from 1. */
  readonly line: number;
  readonly pieces: readonly Piece[];
};
/** Unchanged lines that are folded away. */
export type Fold = { readonly kind: "fold"; readonly line: number; readonly rows: readonly DiffRow[] };

/** Comparing must not hold up the page; what takes longer is shown side by side instead. */
const compareLimitMs = 400;
/** Lines that came or went. A longer comparison is not readable, and its cost grows with the square. */
const editsMax = 4_000;
/** Longer lines are marked as a whole. */
const wordsLineMax = 4_000;
/** Characters in which words are compared, over all lines. */
const wordsBudget = 200_000;
/** With less in common, two lines are two lines and not one that was changed. */
const alikeFrom = 0.3;

/** Null where it would take too long to find out. */
export function diffRows(before: string, after: string): readonly DiffRow[] | null {
  const options = { timeout: compareLimitMs, maxEditLength: editsMax };
  const changes = diffArrays(linesOf(before), linesOf(after), options);
  if (!changes) return null;
  const rows: DiffRow[] = [];
  const at = { before: 1, after: 1 };
  let wordsLeft = wordsBudget;
  for (let index = 0; index < changes.length; index++) {
    const change = changes[index] as ChangeObject<string[]>;
    const next = changes[index + 1];
    const came = change.removed && next?.added ? next.value : [];
    if (came.length > 0) index++;
    const pairs = change.removed ? comparedWords(change.value, came, wordsLeft) : [];
    wordsLeft -= pairs.reduce((sum, pair) => sum + pair.cost, 0);
    if (change.removed) {
      addAll(
        rows,
        numbered("removed", change.value, at.before, (line) => pairs[line]?.removed),
      );
      addAll(
        rows,
        numbered("added", came, at.after, (line) => pairs[line]?.added),
      );
      at.before += change.value.length;
      at.after += came.length;
      continue;
    }
    addAll(rows, numbered(change.added ? "added" : "same", change.value, at.after));
    at.after += change.value.length;
    if (!change.added) at.before += change.value.length;
  }
  return rows;
}

/** One by one: as arguments of one call, some hundred thousand lines overflow the stack. */
function addAll<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item);
}

/** Nothing is no line at all. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/\r\n|\r|\n/);
}

function numbered(
  kind: DiffRow["kind"],
  lines: readonly string[],
  from: number,
  piecesOf: (line: number) => readonly Piece[] | undefined = () => undefined,
): readonly DiffRow[] {
  return lines.map((text, line) => ({
    kind,
    line: from + line,
    pieces: piecesOf(line) ?? [{ text, isChanged: false }],
  }));
}

type Pair = { readonly removed?: readonly Piece[]; readonly added?: readonly Piece[]; readonly cost: number };

/** The first line that went with the first that came, and so on. */
function comparedWords(went: readonly string[], came: readonly string[], budget: number): readonly Pair[] {
  let left = budget;
  return went.slice(0, came.length).map((before, line) => {
    const after = came[line] ?? "";
    const cost = before.length + after.length;
    if (Math.max(before.length, after.length) > wordsLineMax || cost > left) return { cost: 0 };
    left -= cost;
    return { ...wordsOfLine(before, after), cost };
  });
}

function wordsOfLine(before: string, after: string): Pick<Pair, "removed" | "added"> {
  const words = diffWordsWithSpace(before, after);
  const common = words.filter(({ added, removed }) => !added && !removed).map(({ value }) => value.trim().length);
  const alike = common.reduce((sum, length) => sum + length, 0) / Math.max(1, before.length, after.length);
  if (alike < alikeFrom) return {};
  return {
    removed: words.filter(({ added }) => !added).map(({ value, removed }) => ({ text: value, isChanged: removed })),
    added: words.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, isChanged: added })),
  };
}

/** Keeps `around` unchanged lines beside every change and folds the others, where that saves something. */
export function foldRows(rows: readonly DiffRow[], around = 3): readonly (DiffRow | Fold)[] {
  const folded: (DiffRow | Fold)[] = [];
  let start = 0;
  while (start < rows.length) {
    const end = endOfBlock(rows, start);
    const block = rows.slice(start, end);
    const head = start === 0 ? 0 : around;
    const tail = end === rows.length ? 0 : around;
    const hidden = block.slice(head, block.length - tail);
    const [first] = hidden;
    if (first?.kind === "same" && block.length > head + tail + 1)
      addAll(folded, [
        ...block.slice(0, head),
        { kind: "fold", line: first.line, rows: hidden },
        ...block.slice(block.length - tail),
      ]);
    else addAll(folded, block);
    start = end;
  }
  return folded;
}

/** The end of the lines that are all unchanged, or all changed, from here on. */
function endOfBlock(rows: readonly DiffRow[], start: number): number {
  const isSame = rows[start]?.kind === "same";
  let end = start;
  while (end < rows.length && (rows[end]?.kind === "same") === isSame) end++;
  return end;
}

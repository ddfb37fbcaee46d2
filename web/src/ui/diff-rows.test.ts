import { expect, test } from "vitest";
import { type DiffRow, diffRows, type Fold, foldRows } from "./diff-rows.ts";

const signs = { same: " ", removed: "-", added: "+" } as const;
const words = ({ pieces }: DiffRow) => pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join("");
const shown = (rows: readonly DiffRow[] | null) => rows?.map((row) => `${signs[row.kind]}${row.line} ${words(row)}`);
const lines = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `line ${from + index}`);
const folds = (rows: readonly (DiffRow | Fold)[]) =>
  rows.map((row) => (row.kind === "fold" ? `~${row.rows.length}` : `${signs[row.kind]}${row.line}`));

test("a changed word is marked in the line that went and in the one that came", () =>
  expect(shown(diffRows("one\nthe old word\nthree", "one\nthe new word\nthree"))).toEqual([
    " 1 one",
    "-2 the [old] word",
    "+2 the [new] word",
    " 3 three",
  ]));

test("lines that have nothing in common are not compared word by word", () =>
  expect(shown(diffRows("todo", "completely different"))).toEqual(["-1 todo", "+1 completely different"]));

test("lines keep their numbers after something was taken out and put in", () =>
  expect(shown(diffRows("a\nb\nc\nd", "a\nc\nx\ny\nd"))).toEqual([" 1 a", "-2 b", " 2 c", "+3 x", "+4 y", " 5 d"]));

test("nothing before is all added, nothing after is all removed", () => {
  expect(shown(diffRows("", "a\nb"))).toEqual(["+1 a", "+2 b"]);
  expect(shown(diffRows("a\nb", ""))).toEqual(["-1 a", "-2 b"]);
});

test("line ends of other systems are no change", () =>
  expect(shown(diffRows("a\r\nb", "a\nb"))).toEqual([" 1 a", " 2 b"]));

test("two long texts without a common line are given up instead of holding up the page", () => {
  const began = performance.now();
  const rows = diffRows(lines(30_000).join("\n"), lines(30_000, 100_000).join("\n"));
  expect(rows).toBeNull();
  expect(performance.now() - began).toBeLessThan(3_000);
});

test("unchanged lines are folded but for three beside a change", () => {
  const before = lines(20);
  const after = before.with(9, "line ten");
  const rows = diffRows(before.join("\n"), after.join("\n")) ?? [];
  expect(folds(foldRows(rows))).toEqual(["~6", " 7", " 8", " 9", "-10", "+10", " 11", " 12", " 13", "~7"]);
});

test("a fold between two changes leaves the lines beside both", () => {
  const before = lines(12);
  const after = before.with(0, "line one").with(11, "line twelve");
  const rows = diffRows(before.join("\n"), after.join("\n")) ?? [];
  expect(folds(foldRows(rows))).toEqual(["-1", "+1", " 2", " 3", " 4", "~4", " 9", " 10", " 11", "-12", "+12"]);
});

test("one line is shown rather than folded", () => {
  const rows = diffRows("a\nb\nc\nd\ne", "a\nb\nc\nd\ne!") ?? [];
  expect(folds(foldRows(rows))).toEqual([" 1", " 2", " 3", " 4", "-5", "+5"]);
});

test("whatever is folded, no line is lost", () => {
  const before = lines(100);
  const after = before.filter((_, index) => index % 17 !== 3).map((line, index) => (index % 23 === 5 ? "x" : line));
  const rows = diffRows(before.join("\n"), after.join("\n")) ?? [];
  expect(foldRows(rows).flatMap((row) => (row.kind === "fold" ? row.rows : [row]))).toEqual(rows);
  expect(rows.filter(({ kind }) => kind !== "added").map(words)).toEqual(before);
  expect(rows.filter(({ kind }) => kind !== "removed").map(words)).toEqual(after);
});

test("a text of very many lines is compared like any other", () => {
  const before = "a\n".repeat(200_000);
  const rows = diffRows(before, `${before}b`) ?? [];
  expect([rows.length, rows.at(-1)?.kind, foldRows(rows)[0]?.kind]).toEqual([200_002, "added", "fold"]);
});

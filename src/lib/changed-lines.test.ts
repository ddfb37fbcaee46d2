import { expect, test } from "vitest";
import { changedLines } from "./changed-lines.ts";

const poem = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const written = (lines: readonly string[]) => lines.join("\n");
const withLine = (at: number, ...lines: readonly string[]) => written(poem.toSpliced(at, 1, ...lines));

test.each([
  ["a line that was replaced, with one line around it", withLine(3, "FOUR"), "  three\n- four\n+ FOUR\n  five"],
  ["a line that was added", withLine(7, "eight", "nine"), "  eight\n+ nine"],
  ["a line that was taken out", withLine(0), "- one\n  two"],
  [
    "two changes far from each other, what lies between them folded",
    written(poem.with(1, "TWO").with(6, "SEVEN")),
    "  one\n- two\n+ TWO\n  three\n…\n  six\n- seven\n+ SEVEN\n  eight",
  ],
  ["no change", written(poem), "…"],
])("%s is shown", (_, after, shown) => {
  expect(changedLines(written(poem), after, 1_000)).toEqual({ text: shown, isWhole: true });
});

test("what is longer than asked for is cut, and says so", () => {
  const cut = changedLines("", "x".repeat(500), 100);
  expect(cut).toEqual({ text: `- \n+ ${"x".repeat(96)}`.slice(0, 100).concat("\n…"), isWhole: false });
});

test("texts with nothing in common are one block that was replaced, however long they are", () => {
  const [before, after] = ["a", "b"].map((letter) =>
    written(Array.from({ length: 2_000 }, (_, n) => `${letter}${n}`)),
  ) as [string, string];
  const { text, isWhole } = changedLines(before, after, 1_000_000);
  expect([isWhole, text.split("\n").length]).toEqual([true, 4_000]);
  expect(text).toContain("- a1999\n+ b0");
});

import { expect, test } from "vitest";
import { clip, firstLine } from "./clip.ts";

const digits = "0123456789".repeat(100);

test("what is cut away is counted", () =>
  expect(clip(digits, 600)).toBe(`${digits.slice(0, 600)} […400 more characters]`));

test("B3: what was cut already is not cut again, so its count stays true", () =>
  expect(clip(clip(digits, 600), 600)).toBe(clip(digits, 600)));

test("B3, otherwise: what is cut shorter is counted anew", () =>
  expect(clip(digits, 500)).toBe(`${digits.slice(0, 500)} […500 more characters]`));

test("what is hardly too long stays whole: the note would be longer", () =>
  expect(clip(digits.slice(0, 624), 600)).toBe(digits.slice(0, 624)));

test.each([
  ["\n## Added the parser\n\nMore.", "Added the parser"],
  ["- **Fixed** the sum", "Fixed the sum"],
  ["---\n", ""],
  ["a".repeat(80), `${"a".repeat(71)}…`],
])("the first line with words is a title, and no count of what was cut stands in it: %#", (text, title) =>
  expect(firstLine(text, 72)).toBe(title),
);

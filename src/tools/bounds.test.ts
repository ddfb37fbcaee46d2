import { expect, test } from "vitest";
import { sliceText } from "../lib/slice-text.ts";
import { cut, oneLine } from "./bounds.ts";

test("a text that fits is left as it is", () => expect(cut("abc", 3)).toBe("abc"));

test("a longer text ends in a mark and is as long as it may be", () => expect(cut("abcd", 3)).toBe("ab…"));

test("no character is cut in half", () => expect(cut("a🎉bc", 3)).toBe("a…"));

test("line breaks do not make lines in a list", () => expect(oneLine("a\n\n- b\t c ", 20)).toBe("a - b c"));

test.each([2, 3, 5, 100])("pages of %s characters together are the text", (limit) => {
  const text = "a🎉🎉b👩‍👩‍👧c".repeat(5);
  let whole = "";
  for (let from: number | null = 0; from !== null; ) {
    const slice = sliceText(text, from, limit);
    expect(slice.shown.isWellFormed()).toBe(true);
    expect(slice.shown.length).toBeLessThanOrEqual(limit);
    whole += slice.shown;
    from = slice.next;
  }
  expect(whole).toBe(text);
});

test("a page beyond the end is empty and the last", () => {
  expect(sliceText("abc", 9, 5)).toEqual({ shown: "", from: 3, next: null });
});

test("a page that would begin inside of a character begins with it", () => {
  expect(sliceText("a🎉b", 2, 10)).toEqual({ shown: "🎉b", from: 1, next: null });
});

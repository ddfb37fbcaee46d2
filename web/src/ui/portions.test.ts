import { expect, test } from "vitest";
import { portionsOf } from "./portions.ts";

const words = (text: string, size: number) => portionsOf(text, size).map((portion) => portion.words);

test("a short text is one portion", () => expect(words("abc", 10)).toEqual(["abc"]));

test("no text is no portion", () => expect(words("", 10)).toEqual([]));

test("cuts fall between paragraphs", () =>
  expect(words("one\n\ntwo\n\nthree", 10)).toEqual(["one\n\ntwo\n\n", "three"]));

test("a long paragraph is cut between lines", () => expect(words("aaa\nbbb\nccc", 9)).toEqual(["aaa\nbbb\n", "ccc"]));

test("a long line is cut where it must be", () => expect(words("abcdefgh", 3)).toEqual(["abc", "def", "gh"]));

test("nothing is lost", () => {
  const text = "line\n\nparagraph with words\nand more\n\n".repeat(50);
  expect(words(text, 64).join("")).toBe(text);
});

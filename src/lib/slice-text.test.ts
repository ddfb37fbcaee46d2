import { expect, test } from "vitest";
import { cutAtWord } from "./slice-text.ts";

test.each([
  ["a short text", "a short text"],
  ["the whole text here", "the whole text here"],
  ["the words of this line", "the words of this…"],
  ["the words of this text", "the words of this…"],
  ["the words that stop, x and more", "the words that…"],
  ["Donaudampfschifffahrtsgesellschaft", "Donaudampfschifffa…"],
  ["a Donaudampfschifffahrtsgesellschaft", "a Donaudampfschiff…"],
  [`${"x".repeat(17)}😀😀`, `${"x".repeat(17)}…`],
])("%j cut at 19 is %j", (text, shown) => {
  expect(cutAtWord(text, 19)).toBe(shown);
  expect(cutAtWord(text, 19).isWellFormed()).toBe(true);
});

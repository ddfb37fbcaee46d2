import { expect, test } from "vitest";
import { isTooMuch } from "./markdown-limits.ts";

test.each(["> ", ">", "1. ", "2) ", "- ", "> - 1. "])("%j over and over in one line is too deep", (mark) => {
  expect(isTooMuch(`A page\n\n${mark.repeat(60)}text`)).toBe(true);
});

test.each([
  "> > a quote in a quote",
  "- one\n  - two\n    - three",
  "----------",
  "1. a\n2. b\n",
  "> ".repeat(20),
  "- a\n".repeat(500),
  "- see [this](#that)\n".repeat(3_000),
  "| [a](#b) | [c](#d) |\n".repeat(3_000),
  "See [this](#that).\n\n".repeat(3_000),
])("%j is not", (text) => {
  expect(isTooMuch(text)).toBe(false);
});

test.each(["[a](", "![](", "[a](\n"])("%j very often in one paragraph is too much", (mark) => {
  expect(isTooMuch(`A page\n\n${mark.repeat(2_500)}`)).toBe(true);
});

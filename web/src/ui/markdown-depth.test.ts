import { expect, test } from "vitest";
import { isTooDeep } from "./markdown-depth.ts";

test.each(["> ", ">", "1. ", "2) ", "- ", "> - 1. "])("%j over and over in one line is too deep", (mark) => {
  expect(isTooDeep(`A page\n\n${mark.repeat(60)}text`)).toBe(true);
});

test.each([
  "> > a quote in a quote",
  "- one\n  - two\n    - three",
  "----------",
  "1. a\n2. b\n",
  "> ".repeat(20),
  "- a\n".repeat(500),
])("%j is not", (text) => {
  expect(isTooDeep(text)).toBe(false);
});

import { expect, test } from "vitest";
import { openingParagraph } from "./opening-paragraph.ts";

test.each([
  ["# Title\n\nThe answer is blue.\n\nMore.", "The answer is blue."],
  ["# Title\nRight below\nthe heading.\n\nMore.", "Right below the heading."],
  ["Title\n=====\n\nProse.", "Prose."],
  ["- a list\n- of things\n\nThen prose.", "Then prose."],
  ["| a | b |\n|---|---|\n\n> quoted\n\nProse.", "Prose."],
  ["```js\nconst prose = 1;\n\nstill code\n```\n\nProse.", "Prose."],
  ["```\nnever closed\n\nmore", ""],
  ["1. One\n2. Two", ""],
  ["**Bold** begins prose, too.", "**Bold** begins prose, too."],
  ["", ""],
])("%j begins with %j", (text, opening) => expect(openingParagraph(text)).toBe(opening));

test("a long paragraph is cut", () => {
  const opening = openingParagraph("word ".repeat(400));
  expect(opening.length).toBeLessThanOrEqual(500);
  expect(opening.endsWith("…")).toBe(true);
});

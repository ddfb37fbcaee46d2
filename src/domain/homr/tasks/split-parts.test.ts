import { expect, test } from "vitest";
import { makeTask } from "../../../../test/helpers/make-outcome.ts";
import { canBeSplit, findParts } from "./split-parts.ts";

const listed = "Do all:\n- [ ] the form\n2. the page\n* the end";
const checkpoint = { summary: "Half of it", remaining: ["the page", "the end"], isTainted: false };

test("what the last attempt left to do", () =>
  expect(findParts(makeTask(1, { checkpoint, description: listed }))).toEqual(["the page", "the end"]));
test("the list in the description", () =>
  expect(findParts(makeTask(1, { description: listed }))).toEqual(["the form", "the page", "the end"]));
test("neither: a first useful piece, and the rest", () =>
  expect(findParts(makeTask(1, { checkpoint: { summary: "", remaining: ["one"], isTainted: false } }))).toEqual([
    "The smallest useful part of: Task 1",
    "The rest of: Task 1",
  ]));
test("no more than a split may have", () => {
  const remaining = Array.from({ length: 99 }, (_, n) => `part ${n}`);
  expect(findParts(makeTask(1, { checkpoint: { summary: "", remaining, isTainted: false } }))).toHaveLength(15);
});
test("one that was split off three times is not split again", () => {
  expect([2, 3].map((splitDepth) => canBeSplit(makeTask(1, { splitDepth })))).toEqual([true, false]);
});

import { expect, test } from "vitest";
import { findChange } from "./text-change.ts";

test.each([
  ["nothing", "same", "same", null],
  ["a word in the middle", "a red roof", "a blue roof", { from: 2, to: 5, insert: "blue" }],
  ["more at the end", "one", "one two", { from: 3, to: 3, insert: " two" }],
  ["less at the beginning", "one two", "two", { from: 0, to: 4, insert: "" }],
  ["a letter twice", "aa", "aaa", { from: 2, to: 2, insert: "a" }],
  ["everything", "one", "two", { from: 0, to: 3, insert: "two" }],
  ["all of it gone", "one", "", { from: 0, to: 3, insert: "" }],
])("the change between two texts is %s", (_what, before, after, change) => {
  expect(findChange(before, after)).toEqual(change);
});

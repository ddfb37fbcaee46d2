import { expect, test } from "vitest";
import { checkOrigin, checkSentence } from "./check.ts";

test.each([
  ["there are at least 3 tasks, at most 500 words", "There are at least 3 tasks, at most 500 words"],
  ["a judge agrees: it is what the user asked for", "A judge agrees: it is what you asked for"],
  [" ", ""],
])("%j reads %j", (words, shown) => expect(checkSentence(words)).toBe(shown));

test.each([
  [{ given_by: "user", deliverable_id: "d1" }, "From you, for “List”"],
  [{ given_by: "planner", deliverable_id: "gone" }, "From the planner"],
  [{ given_by: "platform", deliverable_id: null }, "Built-in"],
] as const)("%j is %s", (check, origin) => expect(checkOrigin(check, [{ id: "d1", title: "List" }])).toBe(origin));

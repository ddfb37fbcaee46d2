import { expect, test } from "vitest";
import { checkWords } from "./check-words.ts";

test.each([
  ["entity_exists", { entity: "task", title_like: "hall" }, "There is a task with “hall” in its title"],
  ["entity_count", { entity: "task", at_least: 3 }, "There are at least 3 tasks"],
  [
    "document_has",
    { document_id: null, title_like: "Hall", headings: ["Goal"], words_at_least: 50, sources_at_least: 2 },
    "A document with “Hall” in its title has the heading “Goal”, at least 50 words, at least 2 sources",
  ],
  [
    "document_has",
    { title_like: "", headings: [], words_at_least: 10 },
    "The documents of this run have at least 10 words",
  ],
  ["command_succeeds", { program: "npm", args: ["test"] }, "The command “npm test” succeeds"],
  [
    "judge",
    { rubric: "It is there and what the user asked for" },
    "A judge agrees: It is there and what you asked for",
  ],
  ["judge", { rubric: "It is kind" }, "A judge agrees: It is kind"],
  ["plan_complete", {}, "Every step of the plan is done and shows what it made"],
])("%s is told as a sentence", (kind, target, words) => expect(checkWords({ kind, target })).toBe(words));

test("a kind that this version does not know is shown as it is", () =>
  expect(checkWords({ kind: "moon_is_full", target: { at: 3 } })).toBe('moon is full: {"at":3}'));

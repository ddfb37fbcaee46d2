import { expect, test } from "vitest";
import { isTold, underWayWords } from "./step-words.ts";

const done = { state: "done", kind: "tool", summary: "Made a task" } as const;
const asked = { state: "intended", kind: "model", summary: "Asking the model" } as const;
const fetched = { state: "intended", kind: "tool", summary: "Reads a page" } as const;

test.each([
  ["a call of a model", [done, asked], "Waiting for the model"],
  ["a tool", [done, asked, fetched], "Reads a page"],
  ["nothing that is known", [done], null],
])("under way is %s", (_what, entries, words) => expect(underWayWords(entries)).toBe(words));

test.each([
  ["Made a task", false, true],
  ["Updated the plan", false, false],
  ["Ended the iteration", false, false],
  ["Updated the plan", true, true],
])("%s, failed: %s, is told: %s", (summary, isFailed, told) => expect(isTold({ summary, isFailed })).toBe(told));

import { expect, test } from "vitest";
import { laneWords } from "./lane.ts";
import { receiptWords } from "./receipt.ts";

const at = "2026-01-01T00:00:00.000Z";
const first = { iteration: 2, lane: "planner", at };
const inPrompts = (calls: number, lane = "planner") => ({ calls, first: { ...first, lane }, last: first });

test.for([
  [{ prompts: inPrompts(7), taken_up_in: 2 }, "In 7 prompts, from iteration 2 (planner)"],
  [{ prompts: inPrompts(1, "exec:3"), taken_up_in: 2 }, "In 1 prompt, from iteration 2 (executor 3)"],
  [{ prompts: null, taken_up_in: 2 }, "Taken up in iteration 2"],
  [{ prompts: null, taken_up_in: null }, "Pending"],
] as const)("%j reads %s", ([message, words]) => expect(receiptWords(message, false)).toBe(words));

test("what a run that is over has not taken up stays so", () =>
  expect(receiptWords({ prompts: null, taken_up_in: null }, true)).toBe("Not taken up"));

test.for([
  ["exec:12", "executor 12"],
  ["exec:", "exec:"],
  ["judge", "judge"],
  ["platform", "platform"],
] as const)("%s is called %s", ([lane, words]) => expect(laneWords(lane)).toBe(words));

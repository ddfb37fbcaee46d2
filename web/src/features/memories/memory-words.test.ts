import { expect, test } from "vitest";
import type { Memory } from "../../../../src/protocol/api.ts";
import { helpedWords, isNoLongerOffered } from "./memory-words.ts";

const memory: Memory = {
  id: "0198c2a4-0000-7000-8000-000000000031",
  type: "lesson",
  importance: "high",
  content: "The gateway throttles at night",
  confidence: 0.8,
  outcome_id: null,
  outcome_name: null,
  task_id: null,
  task_number: null,
  times_used: 0,
  times_helped: 0,
  is_tainted: false,
  created_at: "2030-03-17T17:36:40Z",
  updated_at: "2030-03-17T17:36:40Z",
};

test("it says whether a memory helped", () => {
  expect(helpedWords(memory)).toBe("Not used yet, 80% trusted");
  expect(helpedWords({ ...memory, times_used: 1, times_helped: 1 })).toBe("Helped in 1 of 1 task");
  expect(helpedWords({ ...memory, times_used: 4, times_helped: 3 })).toBe("Helped in 3 of 4 tasks");
});

test("a memory that failed too often is no longer offered", () => {
  expect(isNoLongerOffered(memory)).toBe(false);
  expect(isNoLongerOffered({ ...memory, confidence: 0.29 })).toBe(true);
  expect(isNoLongerOffered({ ...memory, confidence: 0.3 })).toBe(false);
});

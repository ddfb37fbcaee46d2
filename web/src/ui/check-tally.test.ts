import { expect, test } from "vitest";
import { checkRingArcs, checkRingSentence } from "./check-tally.ts";

test.for([
  [{ passed: 3, failed: 0, pending: 2 }, "3 of 5 checks passed"],
  [{ passed: 3, failed: 1, pending: 1 }, "3 of 5 checks passed, 1 failed"],
  [{ passed: 1, failed: 0, pending: 0 }, "1 of 1 check passed"],
  [{ passed: 0, failed: 0, pending: 0 }, "No checks"],
] as const)("%o is said as %s", ([tally, sentence]) => {
  expect(checkRingSentence(tally)).toBe(sentence);
});

test("failed checks follow the passed ones round the ring, and pending ones have no arc", () => {
  expect(checkRingArcs({ passed: 2, failed: 1, pending: 1 })).toEqual([
    { state: "passed", dash: "50 50", offset: 0 },
    { state: "failed", dash: "25 75", offset: -50 },
  ]);
  expect(checkRingArcs({ passed: 0, failed: 0, pending: 3 })).toEqual([]);
  expect(checkRingArcs({ passed: 0, failed: 0, pending: 0 })).toEqual([]);
});

import { expect, test } from "vitest";
import { checkRingArcs } from "./check-tally.ts";

test("failed checks follow the passed ones round the ring, and pending ones have no arc", () => {
  expect(checkRingArcs({ passed: 2, failed: 1, pending: 1 })).toEqual([
    { state: "passed", dash: "50 50", offset: 0 },
    { state: "failed", dash: "25 75", offset: -50 },
  ]);
  expect(checkRingArcs({ passed: 0, failed: 0, pending: 3 })).toEqual([]);
  expect(checkRingArcs({ passed: 0, failed: 0, pending: 0 })).toEqual([]);
});

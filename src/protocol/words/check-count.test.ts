import { expect, test } from "vitest";
import { tallyWords } from "./check-count.ts";

test.each([
  [{ passed: 3, failed: 0, pending: 2 }, "3 of 5 checks passed"],
  [{ passed: 3, failed: 1, pending: 1 }, "3 of 5 checks passed, 1 failed"],
  [{ passed: 1, failed: 0, pending: 0 }, "1 of 1 check passed"],
  [{ passed: 0, failed: 0, pending: 0 }, "No checks"],
])("%j reads %j", (tally, words) => expect(tallyWords(tally)).toBe(words));

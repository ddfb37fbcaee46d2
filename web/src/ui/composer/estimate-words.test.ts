import { expect, test } from "vitest";
import { type Estimate, estimateWords, isBelowUsual } from "./estimate-words.ts";

const some: Estimate = {
  runs: 12,
  cost_micro_usd: { p50: 1_200_000, p90: 4_000_000 },
  iterations: { p50: 1, p90: 9 },
  running_ms: { p50: 65_000, p90: 3_600_000 },
  tokens: { p50: 10, p90: 20 },
};
const none: Estimate = { runs: 0, cost_micro_usd: null, iterations: null, running_ms: null, tokens: null };

test("several runs give what is typical, and nine of ten", () =>
  expect(estimateWords(some)).toBe(
    "Your last 12 runs: typically $1.20, 1 iteration, 1m 05s. Nine of ten: at most $4.00, 9 iterations, 1h 00m.",
  ));

test("a few runs give what is typical", () =>
  expect(estimateWords({ ...some, runs: 9 })).toBe("Your last 9 runs: typically $1.20, 1 iteration, 1m 05s."));

test("one run is told as it was", () =>
  expect(estimateWords({ ...some, runs: 1 })).toBe("Your last run: $1.20, 1 iteration, 1m 05s."));

test("without any there is nothing to guess from", () =>
  expect(estimateWords(none)).toBe("No finished run yet to estimate from."));

test("a limit below the usual cost is noticed", () => {
  expect(isBelowUsual(some, 1)).toBe(true);
  expect(isBelowUsual(some, 1.2)).toBe(false);
  expect(isBelowUsual(some, "")).toBe(false);
  expect(isBelowUsual(none, 0.01)).toBe(false);
});

import { expect, test } from "vitest";
import type { Run } from "../../../../src/protocol/api.ts";
import type { RunView } from "../../../../src/protocol/run-view.ts";
import { budgetUses, colorOfUse } from "./figures.ts";

const run = {
  budgets: {
    max_iterations: 10,
    max_wall_clock_ms: 600_000,
    max_cost_usd: 2,
    max_total_tokens: null,
    max_tool_calls: null,
    hard: false,
  },
  metrics: { tool_calls_total: 3 },
} as Run;
const view = {
  state: { status: "running", since: "2026-01-01T00:00:00.000Z", hold: null },
  iteration: 3,
  maxIterations: 10,
  runningMs: 60_000,
  costMicroUsd: 500_000,
  tokens: 1_000,
} as unknown as RunView;
const begun = Date.parse("2026-01-01T00:00:00.000Z");

test("budgets without a limit have no bar", () => {
  expect(budgetUses(run, view, begun).map(({ name }) => name)).toEqual(["Iterations", "Time", "Cost"]);
});

test("the iteration in flight counts while it lasts", () => {
  const time = (nowMs: number) => budgetUses(run, view, nowMs)[1];
  expect(time(begun)).toEqual({ name: "Time", words: "1m 00s of 10m 00s", percent: 10 });
  expect(time(begun + 240_000)?.percent).toBe(50);
});

test("money is compared in the same unit", () => {
  expect(budgetUses(run, view, begun)[2]).toEqual({ name: "Cost", words: "$0.5000 of $2.00", percent: 25 });
});

test("a bar is never longer than full, and says so in colour", () => {
  const full = budgetUses(run, { ...view, costMicroUsd: 9_000_000 }, begun)[2];
  expect(full?.percent).toBe(100);
  expect([colorOfUse(10), colorOfUse(80), colorOfUse(100)]).toEqual(["blue", "orange", "red"]);
});

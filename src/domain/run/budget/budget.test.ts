import { expect, test } from "vitest";
import { addSpent, allowsCall, defaultBudget, forecast, nothingSpent, reachedLimit } from "./budget.ts";

const spent = { runningMs: 3_000, costMicroUsd: 900, tokens: 90, toolCalls: 6, unpricedCalls: 0 };

test("a limit is reached when it is used up, not before", () => {
  const budget = { ...defaultBudget, maxCostMicroUsd: 900 };
  expect(reachedLimit(budget, { ...spent, costMicroUsd: 899 }, 1)).toBeNull();
  expect(reachedLimit(budget, spent, 1)).toMatchObject({ reason: "cost" });
});

test.each([
  [{}, { ...spent }, 20, "20 of 20 iterations used"],
  [{ maxRunningMs: 3_600_000 }, { ...spent, runningMs: 3_750_000 }, 1, "62.5 of 60 minutes used"],
  [{ maxCostMicroUsd: 1_000_000 }, { ...spent, costMicroUsd: 1_020_000 }, 1, "$1.02 of $1.00 used"],
  [{ maxCostMicroUsd: 10 }, { ...spent, costMicroUsd: 50 }, 1, "$0.00005 of $0.00001 used"],
  [{ maxTokens: 80 }, spent, 1, "90 of 80 tokens used"],
  [{ maxToolCalls: 6 }, spent, 1, "6 of 6 tool calls used"],
])("%j with %j is told in units of people", (limit, used, iteration, detail) =>
  expect(reachedLimit({ ...defaultBudget, ...limit }, used, iteration)).toMatchObject({ detail }),
);

test("what counts is running time: a run that waited a day has used none", () => {
  expect(reachedLimit(defaultBudget, addSpent(nothingSpent, nothingSpent), 1)).toBeNull();
});

test("a hard limit refuses the call that could cross it", () => {
  const hard = { ...defaultBudget, maxCostMicroUsd: 1_000, isCostHard: true };
  expect([allowsCall(hard, spent, 100), allowsCall(hard, spent, 101)]).toEqual([true, false]);
});

test("a soft limit, or none, lets the call through", () => {
  expect(allowsCall({ ...defaultBudget, maxCostMicroUsd: 1_000 }, spent, 9_999)).toBe(true);
  expect(allowsCall({ ...defaultBudget, isCostHard: true }, spent, 9_999)).toBe(true);
});

test("the next iteration is expected to use what one has used so far", () => {
  expect(forecast(spent, 3)).toEqual({
    runningMs: 1_000,
    costMicroUsd: 300,
    tokens: 30,
    toolCalls: 2,
    unpricedCalls: 0,
  });
  expect(forecast(spent, 0)).toBeNull();
});

import { expect, test } from "vitest";
import type { Run } from "../../../../../src/protocol/api.ts";
import { makeWireRun } from "../../../../../test/helpers/cli-runs.ts";
import { anyUsedUp, budgetUses, changedBudgets, suggestBudgets, toBudgetForm } from "./budget-form.ts";

const { budgets, metrics } = makeWireRun();

test("what was not touched is not sent", () => expect(changedBudgets(budgets, toBudgetForm(budgets))).toEqual({}));

test("minutes are sent as milliseconds", () =>
  expect(changedBudgets(budgets, { ...toBudgetForm(budgets), minutes: 90 })).toEqual({ max_wall_clock_ms: 5_400_000 }));

test("an emptied field is no limit", () => {
  const limited = { ...budgets, max_cost_usd: 2 };
  expect(changedBudgets(limited, { ...toBudgetForm(limited), usd: "" })).toEqual({ max_cost_usd: null });
});

test("iterations cannot be emptied", () =>
  expect(changedBudgets(budgets, { ...toBudgetForm(budgets), iterations: "" })).toEqual({}));

const suggest = (change: Partial<Run>, done = 3) => suggestBudgets(makeWireRun(change), done);

test("nothing used up: everything as it was", () => expect(suggest({})).toEqual(toBudgetForm(budgets)));

test("used up iterations are raised by half", () => expect(suggest({}, 20).iterations).toBe(30));

test("used up money is raised with room for ten more iterations", () =>
  expect(
    suggest({
      budgets: { ...budgets, max_cost_usd: 1 },
      metrics: { ...metrics, cost_total_micro_usd: 1_000_000 },
      forecast: { ...metrics, cost_total_micro_usd: 300_000 },
    }).usd,
  ).toBe(4));

test("money that the next iteration would use up is raised too", () =>
  expect(
    suggest({
      budgets: { ...budgets, max_cost_usd: 1 },
      metrics: { ...metrics, cost_total_micro_usd: 900_000 },
      forecast: { ...metrics, cost_total_micro_usd: 300_000 },
    }).usd,
  ).toBe(4));

test("small sums stay small", () =>
  expect(
    suggest({ budgets: { ...budgets, max_cost_usd: 0.002 }, metrics: { ...metrics, cost_total_micro_usd: 2_000 } }).usd,
  ).toBe(0.003));

test("no limit stays none", () => expect(suggest({}, 20).tokens).toBe(""));

test("what was used up is said", () => {
  const run = makeWireRun();
  expect(budgetUses(run, 20).iterations).toEqual({ used: "20", isUsedUp: true });
  expect([anyUsedUp(run, 20), anyUsedUp(run, 19)]).toEqual([true, false]);
});

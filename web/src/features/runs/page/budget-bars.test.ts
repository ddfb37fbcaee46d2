import { expect, test } from "vitest";
import type { Run } from "../../../../../src/protocol/api.ts";
import { iterationsDone, viewOf } from "../../../../../src/protocol/run-view.ts";
import { makeWireRun } from "../../../../../test/helpers/cli-runs.ts";
import { type BudgetBar, budgetBars, tightestBudget } from "./budget-bars.ts";

const nowMs = Date.parse("2030-03-17T18:00:00Z");
const base = makeWireRun();
const spent = { ...base.metrics, running_ms: 600_000, tokens_total: 9_000, cost_total_micro_usd: 500_000 };
const each = { ...base.metrics, running_ms: 60_000, tokens_total: 900, cost_total_micro_usd: 200_000 };

function check(key: BudgetBar["key"], change: Partial<Run>): BudgetBar {
  const run = makeWireRun({ iteration: 3, ...change });
  return budgetBars(run, viewOf(run), nowMs).find((bar) => bar.key === key) as BudgetBar;
}

test("an iteration in flight is not used up yet", () =>
  expect(check("iterations", {})).toMatchObject({ used: "2", limit: "20", usedPercent: 10, nextPercent: 5 }));

test("time ticks with the iteration in flight", () =>
  expect(
    check("time", {
      activity: {
        iteration: 3,
        attempt: 1,
        since: "2030-03-17T17:59:00Z",
        active_ms: null,
        entries: [],
        entry_count: 0,
      },
    }).used,
  ).toBe("1m 00s"));

test("no limit has no bar", () =>
  expect(check("cost", {})).toMatchObject({ limit: null, usedPercent: 0, lasts: null }));

test("a cost that nobody knows is never 0", () =>
  expect(check("cost", { metrics: { ...base.metrics, unpriced_calls: 2 } }).used).toBe("no price known"));

test("a limit says for how many more iterations it lasts", () =>
  expect(
    check("cost", { budgets: { ...base.budgets, max_cost_usd: 1 }, metrics: spent, forecast: each }),
  ).toMatchObject({
    used: "$0.50",
    limit: "$1.00",
    usedPercent: 50,
    lasts: "enough for about 2 iterations like these",
  }));

test("the iteration under way is one of those that a limit lasts for", () => {
  const of = (cost_micro_usd: number) => ({ cost_micro_usd, tokens: 0, running_ms: 0 });
  const budgets = { ...base.budgets, max_cost_usd: 1 };
  const run = makeWireRun({ iteration: 3, budgets, metrics: spent, forecast: each });
  const bars = budgetBars(run, viewOf(run), nowMs, { sum: of(200_000), each: of(100_000) });
  expect(bars.find(({ key }) => key === "cost")?.lasts).toBe("enough for about 8 iterations like these");
});

test("a limit that the next iteration crosses says so", () =>
  expect(check("cost", { budgets: { ...base.budgets, max_cost_usd: 0.6 }, metrics: spent, forecast: each }).lasts).toBe(
    "used up by the next iteration",
  ));

test("a used up budget is full and not more", () =>
  expect(
    check("cost", { budgets: { ...base.budgets, max_cost_usd: 0.25 }, metrics: spent, forecast: each }),
  ).toMatchObject({
    usedPercent: 100,
    nextPercent: 0,
    isUsedUp: true,
    lasts: "used up",
  }));

test("a run that has ended forecasts nothing", () =>
  expect(check("iterations", { status: "completed" })).toMatchObject({ used: "3", nextPercent: 0 }));

const doneIn = (change: Partial<Run>) => iterationsDone(viewOf(makeWireRun({ iteration: 3, ...change })));

test("a paused iteration is done again, so it is not done", () =>
  expect(doneIn({ status: "stopped", stop_reason: { type: "paused", detail: "" } })).toBe(2));

test("one that stopped after an iteration has done it", () =>
  expect(doneIn({ status: "stopped", stop_reason: { type: "cost", detail: "" } })).toBe(3));

const tightest = (change: Partial<Run>) => {
  const run = makeWireRun({ iteration: 3, metrics: spent, forecast: each, ...change });
  return tightestBudget(run, viewOf(run));
};

test("the budget that ends first is named", () =>
  expect(tightest({ budgets: { ...base.budgets, max_cost_usd: 1 } })).toBe("money"));

test("none is named where all last as long as the iterations", () => expect(tightest({})).toBeNull());

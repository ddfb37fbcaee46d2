import { expect, test } from "vitest";
import type { Run } from "../../../../../src/protocol/api.ts";
import { viewOf } from "../../../../../src/protocol/run-view.ts";
import { makeWireRun } from "../../../../../test/helpers/cli-runs.ts";
import { activeWords } from "../../../ui/run-words.ts";
import type { RunUsage } from "../run-context.tsx";
import { checksWords, costSoFar, costWithLimit } from "./fact-words.ts";

const view = (change: Partial<Run> = {}) => viewOf(makeWireRun(change));
const use = (priced_by: RunUsage[number]["priced_by"]) => [{ priced_by }] as unknown as RunUsage;

test("a call that was cut off makes the cost the most that it can be", () => {
  const spent = { ...view(), costMicroUsd: 180_000, unpricedCalls: 0 };
  expect(costSoFar(spent, use("table"))).toBe("$0.18");
  expect(costSoFar(spent, use("reservation"))).toBe("at most $0.18");
});

test("checks that were never due are only counted", () => {
  const run = { warnings: [], completion_criteria: [] };
  const checks = { greenChecks: 0, allChecks: 3 };
  expect(checksWords(run, { ...view({ status: "running" }), ...checks })).toBe("3 checks");
  expect(checksWords(run, { ...view({ status: "canceled" }), ...checks })).toBe("3 checks");
  expect(checksWords(run, { ...view({ status: "completed" }), ...checks, greenChecks: 3 })).toBe(
    "3 of 3 checks passed",
  );
  expect(checksWords(run, { ...view({ status: "failed" }), ...checks })).toBe("not checked");
});

test("the limit of the cost is said while it may still be spent", () => {
  const { budgets } = makeWireRun({});
  const limited = { budgets: { ...budgets, max_cost_usd: 1 } };
  const spent = { ...view({ status: "running" }), costMicroUsd: 250_000, unpricedCalls: 0 };
  expect(costWithLimit(limited, spent, use("table"))).toBe("$0.25 of $1.00");
  expect(costWithLimit({ budgets: { ...budgets, max_cost_usd: null } }, spent, use("table"))).toBe("$0.25");
  expect(costWithLimit(limited, { ...spent, state: { status: "completed" } }, use("table"))).toBe("$0.25");
});

test("active time below a second is not worth a word", () =>
  expect([activeWords(999), activeWords(1_000)]).toEqual([null, "1s active"]));

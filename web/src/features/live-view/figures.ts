// What of a run's budgets is used, as the live view has room for it: only those that have a limit. Pure.

import type { Run } from "../../../../src/protocol/api.ts";
import { dollars, duration } from "../../../../src/protocol/figures.ts";
import { type RunView, runningMsAt } from "../../../../src/protocol/run-view.ts";

export type BudgetUse = { readonly name: string; readonly words: string; readonly percent: number };

type Measure = readonly [name: string, used: number, limit: number | null, inWords: (value: number) => string];

const plain = (value: number) => value.toLocaleString("en");

export function budgetUses({ budgets, metrics }: Run, view: RunView, nowMs: number): readonly BudgetUse[] {
  const costMax = budgets.max_cost_usd === null ? null : Math.round(budgets.max_cost_usd * 1_000_000);
  const measures: readonly Measure[] = [
    ["Iterations", view.iteration, view.maxIterations, plain],
    ["Time", runningMsAt(view, nowMs), budgets.max_wall_clock_ms, duration],
    ["Cost", view.costMicroUsd, costMax, dollars],
    ["Tokens", view.tokens, budgets.max_total_tokens, plain],
    ["Tool calls", metrics.tool_calls_total, budgets.max_tool_calls, plain],
  ];
  return measures.flatMap(([name, used, limit, inWords]) =>
    limit === null
      ? []
      : [{ name, words: `${inWords(used)} of ${inWords(limit)}`, percent: Math.min(100, (100 * used) / limit) }],
  );
}

/** Soon used up; used up. */
const soonPercent = 75;
const endPercent = 95;

export function colorOfUse(percent: number): string {
  if (percent >= endPercent) return "red";
  return percent >= soonPercent ? "orange" : "blue";
}

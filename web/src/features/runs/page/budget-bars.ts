// How much of its budgets a run has used, what one more iteration would add, and for how many more they last. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";
import { cost, counted, duration, exactDollars } from "../../../../../src/protocol/figures.ts";
import { iterationsDone, type RunView, runningMsAt } from "../../../../../src/protocol/run-view.ts";
import type { Usual } from "../pictures/figures-over-time.ts";

export type BudgetBar = {
  readonly key: "iterations" | "time" | "cost" | "tokens" | "tool_calls";
  readonly label: string;
  readonly used: string;
  /** Null: no limit. */
  readonly limit: string | null;
  /** Of the limit; at most 100, and 0 without one. */
  readonly usedPercent: number;
  /** Of the limit: what one more iteration of the usual size would add, as far as there is room. */
  readonly nextPercent: number;
  /** For how much longer it lasts; null where that is unknown. */
  readonly lasts: string | null;
  readonly isUsedUp: boolean;
};

type Measure = {
  readonly used: number;
  /** Of the iterations that ended: how long the rest lasts is counted from there, as in the charts. */
  readonly usedByEnded?: number | undefined;
  readonly limit: number | null;
  readonly perIteration: number | null;
  /** How many more there may be: what lasts longer needs no words. */
  readonly iterationsLeft: number;
};

/** `usual`: what its ended iterations used; null where that is not known in full. */
export function budgetBars(run: Run, view: RunView, nowMs: number, usual: Usual | null = null): readonly BudgetBar[] {
  const { budgets, forecast, metrics } = run;
  const goesOn =
    view.state.status !== "completed" && view.state.status !== "failed" && view.state.status !== "canceled";
  const each = goesOn ? forecast : null;
  const done = iterationsDone(view);
  const iterationsLeft = Math.max(0, view.maxIterations - done);
  const timeUsed = runningMsAt(view, nowMs);
  const costLimit = budgets.max_cost_usd === null ? null : Math.round(budgets.max_cost_usd * 1_000_000);
  const number = (value: number) => value.toLocaleString("en");
  return [
    barOf("iterations", "Iterations", number, {
      used: done,
      limit: view.maxIterations,
      perIteration: goesOn ? 1 : null,
      iterationsLeft,
    }),
    barOf("time", "Active time", duration, {
      used: timeUsed,
      usedByEnded: usual?.sum.running_ms,
      limit: budgets.max_wall_clock_ms,
      perIteration: (each && usual?.each.running_ms) ?? each?.running_ms ?? null,
      iterationsLeft,
    }),
    {
      ...barOf("cost", "Cost", exactDollars, {
        used: view.costMicroUsd,
        usedByEnded: usual?.sum.cost_micro_usd,
        limit: costLimit,
        perIteration: (each && usual?.each.cost_micro_usd) ?? each?.cost_total_micro_usd ?? null,
        iterationsLeft,
      }),
      used: cost(view.costMicroUsd, view.unpricedCalls),
    },
    barOf("tokens", "Tokens", number, {
      used: view.tokens,
      usedByEnded: usual?.sum.tokens,
      limit: budgets.max_total_tokens,
      perIteration: (each && usual?.each.tokens) ?? each?.tokens_total ?? null,
      iterationsLeft,
    }),
    barOf("tool_calls", "Tool calls", number, {
      used: metrics.tool_calls_total,
      limit: budgets.max_tool_calls,
      perIteration: each?.tool_calls_total ?? null,
      iterationsLeft,
    }),
  ];
}

function barOf(
  key: BudgetBar["key"],
  label: string,
  inWords: (value: number) => string,
  { used, usedByEnded, limit, perIteration, iterationsLeft }: Measure,
): BudgetBar {
  const usedPercent = limit === null ? 0 : Math.min(100, (100 * used) / limit);
  const nextPercent =
    limit === null || perIteration === null ? 0 : Math.min(100 - usedPercent, (100 * perIteration) / limit);
  return {
    key,
    label,
    used: inWords(used),
    limit: limit === null ? null : inWords(limit),
    usedPercent,
    nextPercent,
    lasts: key === "iterations" ? null : lastsWords({ used, usedByEnded, limit, perIteration, iterationsLeft }),
    isUsedUp: limit !== null && used >= limit,
  };
}

function lastsWords({ used, usedByEnded = used, limit, perIteration, iterationsLeft }: Measure): string | null {
  if (limit === null || perIteration === null || perIteration === 0) return null;
  if (used >= limit) return "used up";
  const left = Math.floor((limit - usedByEnded) / perIteration);
  if (left >= iterationsLeft) return null;
  return left === 0 ? "used up by the next iteration" : `enough for about ${counted(left, "iteration")} like these`;
}

/** The first budget that will not last as long as the iterations do; null where all do. */
export function tightestBudget(run: Run, view: RunView, usual: Usual | null = null): string | null {
  const { forecast, budgets, metrics } = run;
  if (forecast === null) return null;
  const iterationsLeft = view.maxIterations - iterationsDone(view);
  const limits: readonly (readonly [string, number | null, number, number])[] = [
    [
      "time",
      budgets.max_wall_clock_ms,
      usual?.sum.running_ms ?? metrics.running_ms,
      usual?.each.running_ms ?? forecast.running_ms,
    ],
    [
      "money",
      budgets.max_cost_usd === null ? null : budgets.max_cost_usd * 1e6,
      usual?.sum.cost_micro_usd ?? view.costMicroUsd,
      usual?.each.cost_micro_usd ?? forecast.cost_total_micro_usd,
    ],
    ["tokens", budgets.max_total_tokens, usual?.sum.tokens ?? view.tokens, usual?.each.tokens ?? forecast.tokens_total],
    ["tool calls", budgets.max_tool_calls, metrics.tool_calls_total, forecast.tool_calls_total],
  ];
  const lasting = limits.flatMap(([name, limit, used, each]) =>
    limit === null || each === 0 ? [] : [{ name, left: Math.max(0, limit - used) / each }],
  );
  const [first] = lasting.sort((one, other) => one.left - other.left);
  return first && first.left < iterationsLeft ? first.name : null;
}

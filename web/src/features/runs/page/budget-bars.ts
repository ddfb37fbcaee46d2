// How much of its budgets a run has used, what one more iteration would add, and for how many more they last. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";
import { cost, counted, duration, exactDollars } from "../../../../../src/protocol/figures.ts";
import { type RunView, runningMsAt } from "../../../../../src/protocol/run-view.ts";
import { goesOnByItself } from "../../../ui/run-words.ts";

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
  readonly limit: number | null;
  readonly perIteration: number | null;
  /** How many more there may be: what lasts longer needs no words. */
  readonly iterationsLeft: number;
};

/** Stopped in the middle of an iteration, which is then not used up. */
const midway = new Set<string | null>(["paused", "provider_auth", "provider_quota", "monthly_quota"]);

export function iterationsDone({ state, iteration }: RunView): number {
  const isOpen = goesOnByItself(state.status) || (state.status === "stopped" && midway.has(state.reason));
  return isOpen ? iteration - 1 : iteration;
}

export function budgetBars(run: Run, view: RunView, nowMs: number): readonly BudgetBar[] {
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
      limit: budgets.max_wall_clock_ms,
      perIteration: each?.running_ms ?? null,
      iterationsLeft,
    }),
    {
      ...barOf("cost", "Cost", exactDollars, {
        used: view.costMicroUsd,
        limit: costLimit,
        perIteration: each?.cost_total_micro_usd ?? null,
        iterationsLeft,
      }),
      used: cost(view.costMicroUsd, view.unpricedCalls),
    },
    barOf("tokens", "Tokens", number, {
      used: view.tokens,
      limit: budgets.max_total_tokens,
      perIteration: each?.tokens_total ?? null,
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
  { used, limit, perIteration, iterationsLeft }: Measure,
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
    lasts: key === "iterations" ? null : lastsWords(used, limit, perIteration, iterationsLeft),
    isUsedUp: limit !== null && used >= limit,
  };
}

function lastsWords(used: number, limit: number | null, perIteration: number | null, most: number): string | null {
  if (limit === null || perIteration === null || perIteration === 0) return null;
  if (used >= limit) return "used up";
  const left = Math.floor((limit - used) / perIteration);
  if (left >= most) return null;
  return left === 0 ? "used up by the next iteration" : `enough for about ${counted(left, "iteration")} like these`;
}

/** The first budget that will not last as long as the iterations do; null where all do. */
export function tightestBudget(run: Run, view: RunView): string | null {
  const { forecast, budgets, metrics } = run;
  if (forecast === null) return null;
  const iterationsLeft = view.maxIterations - iterationsDone(view);
  const limits: readonly (readonly [string, number | null, number, number])[] = [
    ["time", budgets.max_wall_clock_ms, metrics.running_ms, forecast.running_ms],
    [
      "money",
      budgets.max_cost_usd === null ? null : budgets.max_cost_usd * 1e6,
      view.costMicroUsd,
      forecast.cost_total_micro_usd,
    ],
    ["tokens", budgets.max_total_tokens, view.tokens, forecast.tokens_total],
    ["tool calls", budgets.max_tool_calls, metrics.tool_calls_total, forecast.tool_calls_total],
  ];
  const lasting = limits.flatMap(([name, limit, used, each]) =>
    limit === null || each === 0 ? [] : [{ name, left: Math.max(0, limit - used) / each }],
  );
  const [first] = lasting.sort((one, other) => one.left - other.left);
  return first && first.left < iterationsLeft ? first.name : null;
}

// How much a run may use, what it has used, and which limit it has reached. Reaching one lets the iteration in flight
// finish and then stops the run. Money is whole micro-dollars: sums of fractions drift.

import type { StopReason } from "../stop-reason.ts";

export type Budget = {
  readonly maxIterations: number;
  /** Time in iterations only: waiting for the user, for a slot or for a provider never counts. */
  readonly maxRunningMs: number;
  readonly maxCostMicroUsd: number | null;
  readonly maxTokens: number | null;
  readonly maxToolCalls: number | null;
  /** Also refuse the one call that could cross `maxCostMicroUsd`. */
  readonly isCostHard: boolean;
};

export const defaultBudget: Budget = {
  maxIterations: 20,
  maxRunningMs: 60 * 60_000,
  maxCostMicroUsd: null,
  maxTokens: null,
  maxToolCalls: null,
  isCostHard: false,
};

export type Spent = {
  readonly runningMs: number;
  readonly costMicroUsd: number;
  readonly tokens: number;
  readonly toolCalls: number;
  /** Calls of models without a known price: with any of them the cost is not the whole cost. */
  readonly unpricedCalls: number;
};

const mapSpent = (figure: (of: keyof Spent) => number): Spent => ({
  runningMs: figure("runningMs"),
  costMicroUsd: figure("costMicroUsd"),
  tokens: figure("tokens"),
  toolCalls: figure("toolCalls"),
  unpricedCalls: figure("unpricedCalls"),
});

export const nothingSpent: Spent = { runningMs: 0, costMicroUsd: 0, tokens: 0, toolCalls: 0, unpricedCalls: 0 };

/** Never less than before: a clock that jumps back or a bad figure takes nothing away. */
export const addSpent = (total: Spent, more: Spent): Spent =>
  mapSpent((of) => total[of] + (Number.isFinite(more[of]) && more[of] > 0 ? more[of] : 0));

export type Reached = { readonly reason: StopReason; readonly detail: string };

/** The first limit that is used up after `iteration` was done, or null. */
export function reachedLimit(budget: Budget, spent: Spent, iteration: number): Reached | null {
  const limits: readonly (readonly [StopReason, number, number | null, (amount: number) => string, string])[] = [
    ["max_iterations", iteration, budget.maxIterations, String, " iterations"],
    ["running_time", spent.runningMs, budget.maxRunningMs, inMinutes, " minutes"],
    ["cost", spent.costMicroUsd, budget.maxCostMicroUsd, inDollars, ""],
    ["tokens", spent.tokens, budget.maxTokens, String, " tokens"],
    ["tool_calls", spent.toolCalls, budget.maxToolCalls, String, " tool calls"],
  ];
  for (const [reason, used, limit, tell, unit] of limits)
    if (limit !== null && used >= limit) return { reason, detail: `${tell(used)} of ${tell(limit)}${unit} used` };
  return null;
}

/** `60`, `62.5`. */
const inMinutes = (ms: number): string => String(Math.round(ms / 6_000) / 10);

/** `$1.02`, `$0.00005`: limits are set to the micro-dollar. */
const inDollars = (microUsd: number): string => `$${(microUsd / 1_000_000).toFixed(6).replace(/0{1,4}$/, "")}`;

/** Whether a call that costs at most `reservedMicroUsd` may still be made. */
export function allowsCall(budget: Budget, spent: Spent, reservedMicroUsd: number): boolean {
  if (!budget.isCostHard || budget.maxCostMicroUsd === null) return true;
  return spent.costMicroUsd + reservedMicroUsd <= budget.maxCostMicroUsd;
}

/** What one more iteration of the usual size would use; null before there was one. */
export const forecast = (spent: Spent, iterations: number): Spent | null =>
  iterations <= 0 ? null : mapSpent((of) => Math.round(spent[of] / iterations));

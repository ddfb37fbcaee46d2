// What a run cost and how its checks stand, the same in its header and on its cards. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";
import { cost, counted, exactDollars } from "../../../../../src/protocol/figures.ts";
import type { RunView } from "../../../../../src/protocol/run-view.ts";
import { tellPassed } from "../../../../../src/protocol/words/check-count.ts";
import type { RunUsage } from "../run-context.tsx";
import { anyLookedAt, isDue } from "./check-state.ts";

/** A call that was cut off counts with what was put aside for it, so the sum is the most that it can be. */
export function costSoFar({ costMicroUsd, unpricedCalls }: RunView, usage: RunUsage): string {
  const words = cost(costMicroUsd, unpricedCalls);
  return usage.some(({ priced_by: by }) => by === "reservation") ? `at most ${words}` : words;
}

/** `$0.25 of $1.00` while it may still be spent. */
export function costWithLimit({ budgets }: Pick<Run, "budgets">, view: RunView, usage: RunUsage): string {
  const spent = costSoFar(view, usage);
  const isOver =
    view.state.status === "completed" || view.state.status === "failed" || view.state.status === "canceled";
  if (isOver || budgets.max_cost_usd === null || view.unpricedCalls > 0) return spent;
  return `${spent} of ${exactDollars(Math.round(budgets.max_cost_usd * 1_000_000))}`;
}

/** `3 of 3 checks passed`; before they are due, `3 checks`. */
export function checksWords(
  { warnings, completion_criteria: checks }: Pick<Run, "warnings" | "completion_criteria">,
  { state, greenChecks, allChecks }: RunView,
): string {
  if (greenChecks === 0 && !isDue({ state }, { warnings })) return counted(allChecks, "check");
  if (state.status === "failed" && !anyLookedAt(checks)) return "not checked";
  return tellPassed(greenChecks, allChecks);
}

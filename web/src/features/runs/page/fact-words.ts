// What a run cost and how its checks stand, the same in its header and on its cards. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";
import { cost, counted } from "../../../../../src/protocol/figures.ts";
import type { RunView } from "../../../../../src/protocol/run-view.ts";
import type { RunUsage } from "../run-context.tsx";
import { isDue } from "./check-state.ts";

/** A call that was cut off counts with what was put aside for it, so the sum is the most that it can be. */
export function costSoFar({ costMicroUsd, unpricedCalls }: RunView, usage: RunUsage): string {
  const words = cost(costMicroUsd, unpricedCalls);
  return usage.some(({ priced_by: by }) => by === "reservation") ? `at most ${words}` : words;
}

/** `3 of 3 checks passed`; before they are due, `3 checks`. */
export function checksWords({ warnings }: Pick<Run, "warnings">, { state, greenChecks, allChecks }: RunView): string {
  if (greenChecks === 0 && !isDue(state.status, warnings)) return counted(allChecks, "check");
  return `${greenChecks} of ${counted(allChecks, "check")} passed`;
}

// What would stop a run if it went on like this: a streak that has begun, a budget that is almost used up. For people, before
// it happens; it decides nothing, that is the breakers' and the gate's.

import { unreachable } from "../../../lib/assert.ts";
import { type Budget, forecast } from "../budget/budget.ts";
import { isMidway } from "../midway.ts";
import { isTerminal, type Run, type RunState } from "../run.ts";
import type { BreakerLimits } from "./breakers.ts";
import type { Streaks } from "./streaks.ts";

export const warningKinds = [
  "no_progress",
  "repetition",
  "same_error",
  "claim_rejected",
  "tool_missing",
  "budget",
] as const;

export type Warning = {
  readonly kind: (typeof warningKinds)[number];
  /** In a sentence. */
  readonly text: string;
  readonly count: number;
  readonly limit: number;
};

/** Of a budget that is at least this much used, one is told in any case. */
const nearlyAll = 0.8;

/** `iterationsDone`: those that have ended, for what one more would use. */
export function warningsOf(run: Run, iterationsDone: number, limits: BreakerLimits): readonly Warning[] {
  if (isTerminal(run.state.status)) return [];
  return [...streakWarnings(run.streaks, limits), ...budgetWarnings(run, iterationsDone)];
}

/** Half the way to a limit, so that a limit of one warns of nothing and one of three after the second time. */
const isFar = (count: number, limit: number) => count > 0 && count * 2 >= limit;

function streakWarnings(streaks: Streaks, limits: BreakerLimits): readonly Warning[] {
  const rejections = Math.max(0, ...Object.values(streaks.rejectedClaims));
  const candidates: readonly Omit<Warning, "text">[] = [
    { kind: "no_progress", count: streaks.noProgress, limit: limits.noProgress },
    { kind: "repetition", count: streaks.sameAction, limit: limits.sameAction },
    { kind: "repetition", count: streaks.backAndForth, limit: limits.backAndForth },
    { kind: "same_error", count: streaks.sameError, limit: limits.sameError },
    { kind: "claim_rejected", count: rejections, limit: limits.rejectedClaims },
    { kind: "tool_missing", count: streaks.toolMisses, limit: limits.toolMisses },
  ];
  return candidates
    .filter(({ count, limit }) => isFar(count, limit))
    .map((warning) => ({ ...warning, text: `${wordsOf(warning)} (stops at ${warning.limit})` }));
}

function wordsOf({ kind, count }: Omit<Warning, "text">): string {
  const times = count === 1 ? "once" : `${count} times in a row`;
  const iterations = count === 1 ? "The last iteration" : `The last ${count} iterations`;
  switch (kind) {
    case "no_progress":
      return count === 1 ? "No changes in the last iteration" : `No changes in ${count} iterations`;
    case "repetition":
      return `The run came back to the same actions ${times}`;
    case "same_error":
      return `${iterations} ended in the same error`;
    case "claim_rejected":
      return `The run said it is done, but a check failed, ${times}`;
    case "tool_missing":
      return `${iterations} asked for a missing tool or called one wrongly`;
    case "budget":
      return "";
    default:
      return unreachable(kind);
  }
}

function budgetWarnings({ budget, spent, state }: Run, iterationsDone: number): readonly Warning[] {
  const next = forecast(spent, iterationsDone);
  const rows: readonly (readonly [string, number, number | null, number | undefined])[] = [
    ["iterations", iterationsBehind(state), budget.maxIterations, undefined],
    ["running time", spent.runningMs, budget.maxRunningMs, next?.runningMs],
    ["money", spent.costMicroUsd, budget.maxCostMicroUsd, next?.costMicroUsd],
    ["tokens", spent.tokens, budget.maxTokens, next?.tokens],
    ["tool calls", spent.toolCalls, budget.maxToolCalls, next?.toolCalls],
  ];
  return rows.flatMap(([name, count, limit, usual]) => budgetWarning(name, count, limit, usual));
}

/** One that waits has ended its iteration; one that stopped in the middle has not. */
function iterationsBehind(state: RunState): number {
  const isOver = state.status === "waiting_on_user" || (state.status === "stopped" && !isMidway(state.reason));
  return isOver ? state.iteration : state.iteration - 1;
}

/** `usual`: what one more iteration takes. */
function budgetWarning(name: string, count: number, limit: Budget["maxTokens"], usual: number | undefined): Warning[] {
  if (limit === null || count === 0) return [];
  const crosses = usual !== undefined && usual > 0 && count + usual > limit;
  if (!crosses && count < limit * nearlyAll) return [];
  const share = `${Math.min(100, Math.floor((count / limit) * 100))} % of its ${name} is used`;
  return [{ kind: "budget", text: crosses ? `${share}; the next iteration may be its last` : share, count, limit }];
}

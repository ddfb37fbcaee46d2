// How long a provider's fault holds a run: what the provider says at first, then longer each time the same iteration meets it
// again, up to 15 minutes or the provider's own time. The user is told once the wait is longer than a quarter of an hour. Answers that
// break off are paid each time: past a limit of the run they are not waited for again.

import { type Budget, type Reached, reachedLimit, type Spent } from "../budget/budget.ts";
import type { Holds } from "../run.ts";

const minute = 60_000;
/** By holds that came before, in a row. */
const growth = [0, 2 * minute, 4 * minute, 8 * minute] as const;
const longest = 15 * minute;
const toldAfterMs = 15 * minute;

/** `untilMs` is the provider's own time, or that of one retry after an outage. */
export function holdUntil(holds: Holds | null, untilMs: number, atMs: number): number {
  const count = holds?.count ?? 0;
  return count === 0 ? untilMs : Math.max(untilMs, atMs + (growth[count] ?? longest));
}

export type HeldAgain = { readonly holds: Holds /** Now, for the first time. */; readonly isToldNow: boolean };

export function holdAgain(before: Holds | null, spent: Spent, untilMs: number, atMs: number): HeldAgain {
  const sinceMs = before?.sinceMs ?? atMs;
  const wasTold = before?.isTold ?? false;
  const isTold = wasTold || untilMs - sinceMs > toldAfterMs;
  const { costMicroUsd, tokens } = before ?? spent;
  const holds = { count: (before?.count ?? 0) + 1, sinceMs, isTold, costMicroUsd, tokens };
  return { holds, isToldNow: isTold && !wasTold };
}

type Held = { readonly budget: Budget; readonly spent: Spent; readonly holds: Holds | null };

/** The limit that is used up, where trying again cost something since the first hold. `iteration` is the one that is held. */
export function reachedByFaults({ budget, spent, holds }: Held, iteration: number): Reached | null {
  const isDearer = holds !== null && (spent.costMicroUsd > holds.costMicroUsd || spent.tokens > holds.tokens);
  return isDearer ? reachedLimit(budget, spent, iteration - 1) : null;
}

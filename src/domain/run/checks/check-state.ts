// How a check of a run stands for people: passed, failed or pending. Pages, terminal and report read this one rule.

import type { RunStatus } from "../run.ts";
import { wasNotAsked } from "./not-asked.ts";

export type CheckState = "pending" | "passed" | "failed";

type Seen = { readonly isGreen: boolean; readonly seen: string };

/** How the run stands. `isPaused`: it is stopped and its user paused it. `wasTurnedDown`: the run said it was done, and a check did not pass. */
export type Standing = { readonly status: RunStatus; readonly isPaused: boolean; readonly wasTurnedDown: boolean };

/** Whether a check that does not pass has failed. A canceled or paused run, or one that waits for its user, never came to that. */
export function areChecksDue({ status, isPaused, wasTurnedDown }: Standing): boolean {
  if (status === "canceled") return false;
  return wasTurnedDown || status === "completed" || status === "failed" || (status === "stopped" && !isPaused);
}

/** A judge that was not asked has not said no. */
export function checkState(proof: Seen | null, areDue: boolean): CheckState {
  if (proof === null || wasNotAsked(proof)) return "pending";
  if (proof.isGreen) return "passed";
  return areDue ? "failed" : "pending";
}

// Whether an agent still gets anywhere. Silence alone says little: during a long tool call some agents print nothing, so a process at
// work, a message on the bus or a living child run is a sign of life too. A run that waits for an answer is not ended for its silence.

import { unreachable } from "../../lib/assert.ts";
import type { JobLimits, TimeoutCause } from "./job.ts";

export type Observed = {
  /** Since the agent was started. */
  readonly runningMs: number;
  readonly hasOutput: boolean;
  /** Since the last byte, or the start. */
  readonly outputSilentMs: number;
  /** Since the last sign of life of any kind. */
  readonly lifelessMs: number;
  /** The run's last word on the bus is a question without an answer. */
  readonly isWaiting: boolean;
};

export type WatchState = "active" | "idle" | "stuck" | "waiting";

export type Watched = {
  readonly state: WatchState;
  /** Why the run must end now; null: it goes on. */
  readonly end: { readonly cause: TimeoutCause; readonly why: string } | null;
};

type Limits = Omit<JobLimits, "graceMs">;

export function judgeWatch(seen: Observed, limits: Limits): Watched {
  const state = judgeState(seen, limits);
  const cause = findCause(seen, limits, state);
  return { state, end: cause === null ? null : { cause, why: describe(cause, limits) } };
}

function judgeState(seen: Observed, { idleMs, stuckMs }: Limits): WatchState {
  if (seen.isWaiting) return "waiting";
  if (reached(seen.lifelessMs, idleMs)) return "idle";
  return reached(seen.outputSilentMs, stuckMs) ? "stuck" : "active";
}

function findCause(seen: Observed, limits: Limits, state: WatchState): TimeoutCause | null {
  if (reached(seen.runningMs, limits.wallMs)) return "wall_clock";
  if (state === "waiting") return null;
  if (!seen.hasOutput && reached(seen.runningMs, limits.firstOutputMs)) return "no_first_output";
  return state === "idle" ? "idle" : null;
}

const reached = (ms: number, limit: number | null): boolean => limit !== null && ms >= limit;

function describe(cause: TimeoutCause, limits: Limits): string {
  switch (cause) {
    case "idle":
      return `Timed out: no output and nothing at work for ${words(limits.idleMs)}.`;
    case "wall_clock":
      return `Timed out: it ran for ${words(limits.wallMs)}, which is the limit.`;
    case "no_first_output":
      return `Timed out: no output in the first ${words(limits.firstOutputMs)}.`;
    default:
      return unreachable(cause);
  }
}

function words(ms: number | null): string {
  const seconds = (ms ?? 0) / 1_000;
  return seconds < 120 ? `${Math.round(seconds * 10) / 10} s` : `${Math.round(seconds / 6) / 10} min`;
}

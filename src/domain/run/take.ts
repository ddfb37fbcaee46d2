// A worker takes a run: the fence goes up, the attempt is counted, and the worker that had it before can write no more.
// A run whose workers keep dying in one iteration fails, so that it cannot take down one worker after the other for ever.

import { describeConfig } from "./describe-config.ts";
import { append, type Effect, leaveSlot, type Move } from "./effects.ts";
import { toIterationError } from "./gate/fingerprint.ts";
import type { Run, RunningRun } from "./run.ts";

/** Crashes of workers are rare and not the run's doing; this many at the same place are. */
export const deathsMax = 20;

export type Taken =
  | { readonly kind: "taken"; readonly run: RunningRun; readonly effects: readonly Effect[] }
  /** Its workers died too often: it has ended, and there is nothing to work on. */
  | { readonly kind: "given_up"; readonly move: Move }
  /** The job is about something that is over: an iteration already done, a run paused or canceled. */
  | { readonly kind: "stale"; readonly why: string };

/**
 * `attempt` counts from 1. `hasBegun`: an attempt before this one has journaled something. What the user said since then is
 * for the iteration that comes next: the answers that this one is made of have not heard it.
 */
export function take(run: Run, iteration: number, attempt: number, hasBegun = false): Taken {
  const { state } = run;
  const isDue = state.status === "running" || (state.status === "queued" && state.hasSlot);
  if (!isDue || state.iteration !== iteration)
    return {
      kind: "stale",
      why: `iteration ${iteration} is not due: the run is ${state.status} at ${state.iteration}`,
    };
  if (run.deaths > deathsMax) return { kind: "given_up", move: giveUp(run, iteration) };
  const taken: RunningRun = {
    ...run,
    fence: run.fence + 1,
    unreadMessages: hasBegun ? run.unreadMessages : 0,
    state: { status: "running", iteration, hold: null },
  };
  const started: readonly Effect[] =
    state.status === "queued" && iteration === 1 && attempt === 1
      ? [append({ type: "run_started", objective: run.objective, config: describeConfig(run) })]
      : [];
  return {
    kind: "taken",
    run: taken,
    effects: [
      { kind: "begin_attempt", iteration, attempt },
      ...started,
      append({ type: "iteration_started", iteration, attempt }),
    ],
  };
}

const ended = { status: "failed", summary: "", decision: "fail", artifacts: [] } as const;

function giveUp(run: Run, iteration: number): Move {
  const why = `Homework was cut off ${run.deaths} times while it worked on iteration ${iteration}, and gave up. What it made before is kept. If another try fails as well, ask the person who runs this Homework.`;
  const { plan, deliverables, checks } = run;
  const kept = { plan, deliverables, checks };
  const failed: Run = { ...run, fence: run.fence + 1, state: { status: "failed", iteration, detail: why } };
  const drop: Effect = { kind: "drop_jobs" };
  return {
    run: failed,
    effects: [
      drop,
      { kind: "end_iteration", ...ended, iteration, why, error: toIterationError(why), ...kept },
      append({ type: "run_failed", iteration, why }),
      ...leaveSlot("failed"),
    ],
  };
}

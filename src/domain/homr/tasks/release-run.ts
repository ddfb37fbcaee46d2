// Taking a task away from its worker: the run rests and goes on later, or it is canceled and the attempt does not count.

import type { OutcomeEffect, OutcomeState } from "../outcome-state.ts";
import { isOpenTask, type OutcomeTask } from "./task.ts";

type Released = { readonly task: OutcomeTask; readonly effects: readonly OutcomeEffect[] };

/** Back in line with its run. */
export function restRun({ outcome }: OutcomeState, task: OutcomeTask, why: string): Released {
  if (task.status !== "running" || task.runId === null) return { task, effects: [] };
  const isResting = outcome.status === "paused";
  return {
    task: { ...task, status: "pending" },
    effects: isResting ? [] : [{ kind: "pause_run", runId: task.runId, why }],
  };
}

/** Back in line without a run. The attempt ended through no fault of its own, so another one takes its place. */
export function cancelRun(task: OutcomeTask, why: string): Released {
  if (task.runId === null || !isOpenTask(task)) return { task, effects: [] };
  const status = task.status === "running" ? "pending" : task.status;
  return {
    task: { ...task, status, runId: null, maxAttempts: task.maxAttempts + 1 },
    effects: [{ kind: "cancel_run", runId: task.runId, why }],
  };
}

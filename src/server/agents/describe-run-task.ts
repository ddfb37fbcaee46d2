// How the task of a Homework run stands, from the run itself: its folder knows the agent's process and DONE, but not the gate, a question
// to the user or a limit. Pure.

import type { RunStatus } from "../../domain/run/run.ts";
import { unreachable } from "../../lib/assert.ts";
import type { AgentTask } from "../../protocol/api.ts";

export type HomeworkRunFacts = {
  readonly id: string;
  /** How it begins. */
  readonly objective: string;
  readonly status: RunStatus;
  readonly iteration: number;
  readonly maxIterations: number;
  /** Why it is held up; null: it is not. */
  readonly holdWhy: string | null;
  /** Until when, in ISO 8601; null: it is not held up. */
  readonly holdUntil: string | null;
  /** Why it stopped or failed; null: it did neither. */
  readonly detail: string | null;
};

type FolderFacts = Pick<AgentTask, "active_runs">;
export type RunTaskState = Pick<AgentTask, "status" | "why" | "until" | "is_alive" | "restart">;

export function describeRunTask(run: HomeworkRunFacts, task: FolderFacts): RunTaskState {
  const state = (status: AgentTask["status"], why: string, until: string | null = null): RunTaskState => ({
    ...{ status, why, until },
    is_alive: ["queued", "running", "waiting_on_user"].includes(run.status),
    restart: forecast(run),
  });
  const isHeld = run.holdWhy !== null && task.active_runs === 0;
  switch (run.status) {
    case "queued":
      return state("starting", "The run is queued.");
    case "running":
      return state(isHeld ? "held" : "running", describeWork(run, task), isHeld ? run.holdUntil : null);
    case "waiting_on_user":
      return state("waiting", "The run is waiting for your answer.");
    case "completed":
      return state("done", "The run is done.");
    case "stopped":
      return state("stopped", `The run stopped: ${run.detail ?? "no reason is known"}`);
    case "failed":
      return state("failed", `The run failed: ${run.detail ?? "no reason is known"}`);
    case "canceled":
      return state("canceled", "The run was canceled.");
    default:
      return unreachable(run.status);
  }
}

function describeWork({ iteration, maxIterations, holdWhy }: HomeworkRunFacts, { active_runs: active }: FolderFacts) {
  const place = `iteration ${iteration} of ${maxIterations}`;
  if (active > 0) return `An agent works on ${place}.`;
  return holdWhy === null ? `No agent is working now: Homework checks ${place}.` : `On hold: ${holdWhy}`;
}

/** Homework starts agents of a run; `run-agent` does not. */
function forecast({ status, iteration, maxIterations }: HomeworkRunFacts): AgentTask["restart"] {
  if (status === "waiting_on_user") return { will_restart: "yes", why: "Once you have answered the run's question." };
  if (status !== "queued" && status !== "running")
    return { will_restart: "no", why: status === "completed" ? "The run is done." : "The run is not at work." };
  if (iteration >= maxIterations) return { will_restart: "no", why: "This is the last iteration of the run." };
  return { will_restart: "yes", why: `Until the run is done, at most ${maxIterations} iterations.` };
}

// What the user is told when a run has ended, needs them or is delayed: a title, a sentence, and where to look.

import type { Notification } from "../notification.ts";
import type { NotifiedStatus } from "./effects.ts";
import type { Run } from "./run.ts";

const titles: Readonly<Record<NotifiedStatus, string>> = {
  completed: "Homework complete",
  stopped: "Homework stopped",
  failed: "Homework failed",
  waiting_on_user: "Homework needs you",
  holding: "Homework is delayed",
};

const messageMax = 300;

/** A run, as notifications name it. */
export const aboutRun = ({ id }: Pick<Run, "id">): string => `run:${id}`;

export function notificationFor(run: Run, event: NotifiedStatus): Notification {
  const message = `${nameObjective(run.objective)}: ${describeState(run)}`;
  const { runningMs, tokens, costMicroUsd } = run.spent;
  return {
    userId: run.userId,
    about: aboutRun(run),
    event,
    title: titles[event],
    message: message.length <= messageMax ? message : `${message.slice(0, messageMax - 1)}…`,
    actionUrl: `/homework/runs/${run.id}`,
    data: {
      run_id: run.id,
      status: run.state.status,
      duration_ms: runningMs,
      iterations: run.state.iteration,
      tokens,
      cost_micro_usd: costMicroUsd,
      cost_usd: costMicroUsd / 1_000_000,
    },
  };
}

function describeState({ state }: Run): string {
  switch (state.status) {
    case "completed":
      return `${state.proofs.length} checks are green`;
    case "stopped":
    case "failed":
      return state.detail;
    case "waiting_on_user":
      return state.questions.map(({ text }) => text).join(" / ");
    case "running":
      return state.hold === null ? "it is running" : `the provider makes it wait: ${state.hold.why}`;
    default:
      return `it is ${state.status}`;
  }
}

const lineMax = 80;

/** The objective in a line, for titles. */
export function nameObjective(objective: string): string {
  const line = objective.trim().split("\n", 1)[0]?.trim() ?? "";
  return line.length <= lineMax ? line : `${line.slice(0, lineMax - 1).trimEnd()}…`;
}

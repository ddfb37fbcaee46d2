// What the user is told when a run has ended or needs them: a title, a sentence, and where to look.

import type { NotifiedStatus } from "../domain/run/effects.ts";
import type { Run } from "../domain/run/run.ts";
import { unreachable } from "../lib/assert.ts";
import type { Notification } from "./ports.ts";

const titles: Readonly<Record<NotifiedStatus, string>> = {
  completed: "Homework complete",
  stopped: "Homework stopped",
  failed: "Homework failed",
  canceled: "Homework canceled",
  waiting_on_user: "Homework needs you",
  holding: "Homework is delayed",
};

const messageMax = 300;

export function notificationFor(run: Run, event: NotifiedStatus): Notification {
  const message = `${firstLine(run.objective)}: ${reason(run)}`;
  return {
    event,
    title: titles[event],
    message: message.length <= messageMax ? message : `${message.slice(0, messageMax - 1)}…`,
    actionUrl: `/homework/runs/${run.id}`,
  };
}

function reason({ state }: Run): string {
  switch (state.status) {
    case "completed":
      return `${state.proofs.length} checks are green`;
    case "stopped":
    case "failed":
      return state.detail;
    case "canceled":
      return "you canceled it";
    case "waiting_on_user":
      return state.questions.map(({ text }) => text).join(" / ");
    case "running":
      return state.hold === null ? "it is running" : `the provider makes it wait: ${state.hold.why}`;
    case "queued":
      return "it is queued";
    default:
      return unreachable(state);
  }
}

const lineMax = 80;

function firstLine(objective: string): string {
  const line = objective.trim().split("\n", 1)[0] ?? "";
  return line.length <= lineMax ? line : `${line.slice(0, lineMax - 1)}…`;
}

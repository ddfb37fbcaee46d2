// Why a task does not begin yet, the way the platform picks tasks (src/domain/homr/tasks/pick-tasks.ts), told in words. Pure.

import type { Outcome, OutcomeTask } from "../../../../../src/protocol/api.ts";
import { isSettled, listNumbers } from "./task-words.ts";

export type OutcomeFacts = Pick<Outcome, "status" | "workers" | "max_cost_usd" | "metrics"> & {
  /** A question is open that lets no task begin. */
  readonly isWholePaused: boolean;
};

export type WaitReason = {
  readonly kind: "dependency" | "gate" | "later_gate" | "question" | "outcome" | "budget" | "worker" | "next";
  readonly words: string;
};

/** Empty: the task waits for nothing. */
export function findWaitReasons(
  task: OutcomeTask,
  tasks: readonly OutcomeTask[],
  outcome: OutcomeFacts,
): readonly WaitReason[] {
  if (task.status === "paused") return [{ kind: "question", words: "Waits for your answer" }];
  if (task.status !== "pending") return [];
  const own = [...dependencyReasons(task, tasks), ...gateReasons(task, isGateDue(task, tasks, outcome))];
  return own.length > 0 ? own : [readyReason(tasks, outcome)];
}

/** Those it waits for still, in the order of their numbers. */
const unmetDependencies = (task: OutcomeTask, tasks: readonly OutcomeTask[]): readonly OutcomeTask[] =>
  tasks.filter((other) => task.depends_on.includes(other.id) && !isSettled(other));

function dependencyReasons(task: OutcomeTask, tasks: readonly OutcomeTask[]): readonly WaitReason[] {
  const unmet = unmetDependencies(task, tasks);
  if (unmet.length === 0) return [];
  const failed = unmet.filter(({ status }) => status === "failed");
  const words = failed.length === 0 ? `Waits for ${listNumbers(unmet)}` : `Blocked: ${listNumbers(failed)} failed`;
  return [{ kind: "dependency", words }];
}

/** The task waits for the reader and for nothing else: only then HOMЯ asks, and only then it is counted as needing the reader. */
export const isGateDue = (
  task: OutcomeTask,
  tasks: readonly OutcomeTask[],
  { status }: Pick<OutcomeFacts, "status">,
): boolean =>
  status === "active" &&
  task.status === "pending" &&
  task.gates.some(({ given }) => given === null) &&
  unmetDependencies(task, tasks).length === 0;

const gateReasons = ({ gates }: OutcomeTask, isDue: boolean): readonly WaitReason[] =>
  gates
    .filter(({ given }) => given === null)
    .map(({ kind, label }) => ({
      kind: isDue ? "gate" : "later_gate",
      words: `${isDue ? gateWords[kind] : laterGateWords[kind]}: ${label}`,
    }));

const gateWords = { human_approval: "Needs your approval", document_required: "Needs a document" } as const;
const laterGateWords = {
  human_approval: "Will need your approval",
  document_required: "Will need a document",
} as const;

function readyReason(tasks: readonly OutcomeTask[], outcome: OutcomeFacts): WaitReason {
  if (outcome.status !== "active") return { kind: "outcome", words: outcomeWords[outcome.status] };
  if (outcome.isWholePaused) return { kind: "question", words: "Waits for your answer" };
  const limit = outcome.max_cost_usd;
  if (limit !== null && outcome.metrics.cost_total_micro_usd >= limit * 1_000_000)
    return { kind: "budget", words: "The cost limit is reached" };
  const running = tasks.filter(({ status }) => status === "running").length;
  return running >= outcome.workers
    ? { kind: "worker", words: `Waits for a free worker (${outcome.workers} at a time)` }
    : { kind: "next", words: "Starts next" };
}

const outcomeWords = {
  dormant: "Starts when you start the outcome",
  paused: "The outcome is paused",
  achieved: "The outcome is achieved",
  archived: "The outcome is archived",
} as const;

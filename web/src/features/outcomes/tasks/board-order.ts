// The board's columns and their order, and what a move within the queue means for a task's priority. Pure.

import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import type { TaskStatus } from "./task-words.ts";

export type Column = { readonly status: TaskStatus; readonly tasks: readonly OutcomeTask[] };

const order: readonly TaskStatus[] = ["pending", "running", "paused", "failed", "completed", "obsolete"];
/** Shown even when empty; the others only when there is something in them. */
const always: readonly TaskStatus[] = ["pending", "running", "completed"];

export function toColumns(tasks: readonly OutcomeTask[]): readonly Column[] {
  return order
    .map((status) => ({ status, tasks: tasks.filter((task) => task.status === status).toSorted(comparers[status]) }))
    .filter((column) => column.tasks.length > 0 || always.includes(column.status));
}

const byPriority = (a: OutcomeTask, b: OutcomeTask) => a.priority - b.priority || a.number - b.number;
/** Last ended first. */
const byEnd = (a: OutcomeTask, b: OutcomeTask) =>
  (b.ended_at ?? b.updated_at).localeCompare(a.ended_at ?? a.updated_at) || b.number - a.number;

const comparers: Readonly<Record<TaskStatus, (a: OutcomeTask, b: OutcomeTask) => number>> = {
  pending: byPriority,
  running: byPriority,
  paused: byPriority,
  failed: byEnd,
  completed: byEnd,
  obsolete: byEnd,
};

const [priorityMin, priorityMax] = [1, 1_000];

export type Step = "earlier" | "later";

/** The priority that puts a task past its neighbour of the same column; null: it has no neighbour, or the two have no room between them. */
export function priorityAfterStep(column: readonly OutcomeTask[], task: OutcomeTask, step: Step): number | null {
  const at = column.findIndex(({ id }) => id === task.id);
  const neighbour = column[step === "earlier" ? at - 1 : at + 1];
  if (at === -1 || neighbour === undefined) return null;
  return step === "earlier" ? priorityBefore(neighbour) : withinBounds(neighbour.priority + 1);
}

/** The priority that lets a task begin before `other`, whatever else decides between equals; null: no number is left below it. */
export const priorityBefore = (other: OutcomeTask): number | null => withinBounds(other.priority - 1);

const withinBounds = (priority: number) => (priority < priorityMin || priority > priorityMax ? null : priority);

/** What a person can do with a task of this status by moving its card there; null: nothing. */
export function actionOfMove(task: OutcomeTask, to: TaskStatus): "skip" | "retry" | null {
  if (to === "obsolete" && task.status !== "obsolete" && task.status !== "completed") return "skip";
  return to === "pending" && canStartOver(task) ? "retry" : null;
}

/** A failed one is tried again, one that a worker has begins anew. */
export const canStartOver = ({ status, run_id: runId }: Pick<OutcomeTask, "status" | "run_id">): boolean =>
  status === "failed" || (runId !== null && status !== "completed" && status !== "obsolete");

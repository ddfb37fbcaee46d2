// What holds others up: tasks that wait for the user or have failed, with how many cannot begin before they are settled. Pure.

import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { isSettled } from "../tasks/task-words.ts";

type Waiting = Pick<OutcomeTask, "id" | "status" | "depends_on">;
export type HeldUp<Task extends Waiting> = { readonly task: Task; readonly waiting: number };

/** Those that hold up most come first. */
export function findHeldUp<Task extends Waiting>(tasks: readonly Task[]): readonly HeldUp<Task>[] {
  const open = tasks.filter((task) => !isSettled(task));
  return open
    .filter(({ status }) => status === "failed" || status === "paused")
    .map((task) => ({ task, waiting: countWaiting(task.id, open) }))
    .toSorted((one, other) => other.waiting - one.waiting);
}

/** Directly or because of another that waits. */
function countWaiting(id: string, open: readonly Waiting[]): number {
  const found = new Set([id]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const task of open) if (task.depends_on.some((other) => found.has(other))) found.add(task.id);
  }
  return found.size - 1;
}

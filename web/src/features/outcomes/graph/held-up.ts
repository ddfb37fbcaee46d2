// What holds others up: tasks that wait for the user or have failed, with those that cannot begin before they are settled. Pure.

import type { OutcomeTask } from "../../../../../src/protocol/api.ts";
import { isSettled } from "../tasks/task-words.ts";

type Waiting = Pick<OutcomeTask, "id" | "status" | "depends_on">;
/** Ids of those that wait, directly or because of another that waits. */
export type HeldUp<Task extends Waiting> = { readonly task: Task; readonly waiting: ReadonlySet<string> };

/** Those that hold up most come first. */
export function findHeldUp<Task extends Waiting>(tasks: readonly Task[]): readonly HeldUp<Task>[] {
  const open = tasks.filter((task) => !isSettled(task));
  return open
    .filter(({ status }) => status === "failed" || status === "paused")
    .map((task) => ({ task, waiting: findWaiting(task.id, open) }))
    .toSorted((one, other) => other.waiting.size - one.waiting.size);
}

function findWaiting(id: string, open: readonly Waiting[]): ReadonlySet<string> {
  const found = new Set([id]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const task of open) if (task.depends_on.some((other) => found.has(other))) found.add(task.id);
  }
  found.delete(id);
  return found;
}

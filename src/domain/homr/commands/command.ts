// How a person's command answers: done, with what follows from it, or refused with a reason they can act on.

import { advanceOutcome } from "../advance-outcome.ts";
import type { HomrWorld, Moved, OutcomeEffect, OutcomeMove, OutcomeState, Refused } from "../outcome-state.ts";
import { followedBy, logged } from "../state-changes.ts";
import { isSettledTask, type OutcomeTask } from "../tasks/task.ts";
import type { TaskId } from "../tasks/task-id.ts";
import { findTask } from "../tasks/task-list.ts";

export type Commanded = Moved | Refused;

export const refuse = (why: string): Refused => ({ isDone: false, why });

/** What the command changes may let tasks begin. */
export const carryOn = (move: OutcomeMove, world: HomrWorld): Moved => ({
  isDone: true,
  move: followedBy(move, (state) => advanceOutcome(state, world)),
});

/** A line of the log for what a person did. */
export const logCommand = (summary: string, taskId: TaskId | null = null): OutcomeEffect =>
  logged({ type: "steering", taskId, cause: { kind: "user" }, summary, details: {} });

export const unknownTask = (): Refused => refuse("The outcome has no such task");

/** Null: the task does not exist, or has ended. */
export function findUnsettled(state: OutcomeState, id: TaskId): { readonly task: OutcomeTask } | Refused {
  const task = findTask(state, id);
  if (task === null) return unknownTask();
  if (isSettledTask(task)) return refuse(`Task #${task.number} is ${task.status}: add a new task instead`);
  return { task };
}

/** A person's edit; one of an older version is refused. */
export const edited = (task: OutcomeTask, change: Partial<OutcomeTask>): OutcomeTask => ({
  ...task,
  ...change,
  version: task.version + 1,
});

// Tasks as they begin, numbered in the order in which they are added, and never more open ones than `openTasksMax`.

import type { Check } from "../../run/checks/check.ts";
import type { HomrWorld, OutcomeState } from "../outcome-state.ts";
import { autoRetriesMax, type Gate, type OutcomeTask, openTasksMax, usualMaxAttempts, usualPriority } from "./task.ts";
import type { TaskId } from "./task-id.ts";
import { countOpenTasks, withTasks } from "./task-list.ts";

type Chosen = "why" | "corrects" | "splitOf" | "splitDepth" | "isTainted" | "madeBy";

export type NewTask = {
  readonly title: string;
  readonly description: string;
  readonly priority?: number;
  readonly dependsOn?: readonly TaskId[];
  readonly gates?: readonly Gate[];
  readonly checks?: readonly Check[];
  readonly maxAttempts?: number;
} & Partial<Pick<OutcomeTask, Chosen>>;

export type AddedTasks = { readonly state: OutcomeState; readonly tasks: readonly OutcomeTask[] };

/** Null: so many tasks have no place. */
export function addTasks(state: OutcomeState, wanted: readonly NewTask[], world: HomrWorld): AddedTasks | null {
  if (!hasRoomFor(state, wanted.length)) return null;
  const { outcome } = state;
  const tasks = wanted.map((task, index) => newTask(task, outcome.nextNumber + index, world));
  // What was reviewed is no longer all there is to it.
  const grown = { ...outcome, nextNumber: outcome.nextNumber + tasks.length, cleanReviews: 0 };
  return { state: withTasks({ ...state, outcome: grown }, tasks), tasks };
}

export const hasRoomFor = (state: OutcomeState, more: number): boolean => countOpenTasks(state) + more <= openTasksMax;

export const newTask = (given: NewTask, number: number, world: HomrWorld): OutcomeTask => ({
  priority: usualPriority,
  gates: [],
  checks: [],
  maxAttempts: usualMaxAttempts,
  madeBy: "user",
  why: null,
  corrects: null,
  splitOf: null,
  splitDepth: 0,
  isTainted: false,
  ...given,
  id: world.newId() as TaskId,
  number,
  dependsOn: [...new Set(given.dependsOn ?? [])],
  status: "pending",
  attempts: 0,
  autoRetriesLeft: autoRetriesMax,
  runId: null,
  failures: [],
  checkpoint: null,
  version: 1,
});

// The tasks of an outcome as a list: some of them replaced, one of them found, all of them named for people.

import type { OutcomeState } from "../outcome-state.ts";
import { isSettledTask, type OutcomeTask } from "./task.ts";
import type { TaskId } from "./task-id.ts";

export const findTask = ({ tasks }: OutcomeState, id: TaskId): OutcomeTask | null =>
  tasks.find((task) => task.id === id) ?? null;

/** Tasks of the same ids are replaced, others are added at the end. */
export function withTasks(state: OutcomeState, changed: readonly OutcomeTask[]): OutcomeState {
  if (changed.length === 0) return state;
  const byId = new Map(changed.map((task) => [task.id, task]));
  const known = new Set(state.tasks.map(({ id }) => id));
  const kept = state.tasks.map((task) => byId.get(task.id) ?? task);
  return { ...state, tasks: [...kept, ...changed.filter(({ id }) => !known.has(id))] };
}

/** Those that count towards `openTasksMax`. */
export const countOpenTasks = ({ tasks }: OutcomeState): number => tasks.filter((task) => !isSettledTask(task)).length;

const titleMax = 80;

/** `#3 “Clear permits”` */
export const nameTask = ({ number, title }: OutcomeTask): string => `#${number} “${shorten(title, titleMax)}”`;

const numbersMax = 8;

/** `#3, #5 and 4 more` */
export function listNumbers(tasks: readonly OutcomeTask[]): string {
  const shown = tasks.slice(0, numbersMax).map(({ number }) => `#${number}`);
  const more = tasks.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

export const shorten = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;

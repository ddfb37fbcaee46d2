// Which tasks begin now: those whose dependencies are completed or obsolete and whose gates are given, as many as there are free
// workers. The most urgent first, then the one that most others wait for, then the one that was there first.

import type { Outcome } from "../outcome.ts";
import type { OutcomeState } from "../outcome-state.ts";
import { isOpenEscalation } from "../questions/escalation.ts";
import { countDependents, indexTasks, type TasksById, unmetDependencies } from "./dependencies.ts";
import type { OutcomeTask } from "./task.ts";

export const hasMoneyLeft = ({ maxCostMicroUsd, spent }: Outcome): boolean =>
  maxCostMicroUsd === null || spent.costMicroUsd < maxCostMicroUsd;

export const hasOpenGate = ({ gates }: OutcomeTask): boolean => gates.some(({ given }) => given === null);

/** No task may begin before a person has answered. */
export const isWholePaused = ({ escalations }: OutcomeState): boolean =>
  escalations.some((each) => each.isWholeOutcome && each.pauses && isOpenEscalation(each));

/** A run that rests goes on with the attempt that it is. */
const hasAttemptLeft = ({ runId, attempts, maxAttempts }: OutcomeTask): boolean =>
  runId !== null || attempts < maxAttempts;

const isReady = (task: OutcomeTask, byId: TasksById): boolean =>
  task.status === "pending" && hasAttemptLeft(task) && !hasOpenGate(task) && unmetDependencies(task, byId).length === 0;

export function pickTasks(state: OutcomeState): readonly OutcomeTask[] {
  const { outcome, tasks } = state;
  if (outcome.status !== "active" || isWholePaused(state) || !hasMoneyLeft(outcome)) return [];
  const running = tasks.filter(({ status }) => status === "running").length;
  if (running >= outcome.workers) return [];
  const byId = indexTasks(tasks);
  const dependents = countDependents(tasks);
  const waiting = ({ id }: OutcomeTask) => dependents.get(id) ?? 0;
  return tasks
    .filter((task) => isReady(task, byId))
    .sort((a, b) => a.priority - b.priority || waiting(b) - waiting(a) || a.number - b.number)
    .slice(0, outcome.workers - running);
}

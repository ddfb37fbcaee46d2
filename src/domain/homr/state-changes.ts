// Small steps that every rule of an outcome takes: find a task, change it, say what was done, do one move after another.

import { assert } from "../../lib/assert.ts";
import type { NewActivity, OutcomeEffect, OutcomeMove, OutcomeState } from "./outcome-state.ts";
import type { Escalation } from "./questions/escalation.ts";
import { isSettledTask, type OutcomeTask } from "./tasks/task.ts";
import type { TaskId } from "./tasks/task-id.ts";

export function taskOf(state: OutcomeState, id: TaskId): OutcomeTask {
  const task = state.tasks.find((each) => each.id === id);
  assert(task, `the outcome has no task ${id}`);
  return task;
}

export const changeEscalation = (
  state: OutcomeState,
  id: string,
  change: (escalation: Escalation) => Escalation,
): OutcomeState => ({
  ...state,
  escalations: state.escalations.map((each) => (each.id === id ? change(each) : each)),
});

export const logged = (activity: NewActivity): OutcomeEffect => ({ kind: "log", activity });

/** Of clean reviews: the one that is under way will not count. */
const oneUncounted = -1;

/** A person wants something else now: the reviews so far did not know, nor does one that is under way once all tasks are over. */
export function forgetReviews(state: OutcomeState): OutcomeState {
  const isReviewed = state.outcome.status === "active" && state.tasks.every(isSettledTask);
  return { ...state, outcome: { ...state.outcome, cleanReviews: isReviewed ? oneUncounted : 0 } };
}

/** The second move begins where the first one ended. */
export function followedBy(first: OutcomeMove, next: (state: OutcomeState) => OutcomeMove): OutcomeMove {
  const second = next(first.state);
  return { state: second.state, effects: [...first.effects, ...second.effects] };
}

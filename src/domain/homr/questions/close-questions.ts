// Questions end with their outcome. Before that, those of the platform itself whose reason is gone are dismissed: a gate that was given
// meanwhile, a task that is no longer stuck, blockers that were retried. What models asked stays until someone answers.

import type { HomrWorld, OutcomeMove, OutcomeState } from "../outcome-state.ts";
import { logged } from "../state-changes.ts";
import { hasOpenGate } from "../tasks/pick-tasks.ts";
import { isSettledTask } from "../tasks/task.ts";
import type { TaskId } from "../tasks/task-id.ts";
import { findTask, shorten } from "../tasks/task-list.ts";
import { type Escalation, isOpenEscalation } from "./escalation.ts";

export const closeMootQuestions = (state: OutcomeState, world: HomrWorld): OutcomeMove =>
  dismissAll(state, (each) => whyEnded(state) ?? whyMoot(state, each), world);

function whyEnded({ outcome: { status } }: OutcomeState): string | null {
  if (status === "achieved") return "the outcome is achieved";
  return status === "archived" ? "the outcome was archived" : null;
}

/** Ends every open escalation that has a reason to be dismissed. */
export function dismissAll(
  state: OutcomeState,
  whyEnded: (escalation: Escalation) => string | null,
  { nowMs }: HomrWorld,
): OutcomeMove {
  const reasons = state.escalations.map((each) => (isOpenEscalation(each) ? whyEnded(each) : null));
  if (reasons.every((why) => why === null)) return { state, effects: [] };
  const escalations = state.escalations.map((each, index): Escalation => {
    const why = reasons[index] ?? null;
    return why === null ? each : { ...each, state: { status: "dismissed", atMs: nowMs, why } };
  });
  const effects = state.escalations.flatMap(({ id, question, triggerTaskId }, index) => {
    const why = reasons[index] ?? null;
    if (why === null) return [];
    const summary = `Closed the question “${shorten(question, 200)}”: ${why}`;
    const cause = { kind: "supervision" } as const;
    return [logged({ type: "resolution", taskId: triggerTaskId, cause, summary, details: { escalation_id: id } })];
  });
  return { state: { ...state, escalations }, effects };
}

function whyMoot(state: OutcomeState, { trigger, triggerTaskId, affectedTasks }: Escalation): string | null {
  if (trigger === "blocked") {
    const isFailed = (id: TaskId) => findTask(state, id)?.status === "failed";
    return affectedTasks.some(isFailed) ? null : "no failed task is left in it";
  }
  if (triggerTaskId === null || (trigger !== "gate" && trigger !== "stuck")) return null;
  const task = findTask(state, triggerTaskId);
  if (task === null || isSettledTask(task)) return "the task has ended";
  if (trigger === "gate") return hasOpenGate(task) ? null : "what it waited for was given";
  return task.status === "running" || task.status === "paused" ? null : "that attempt has ended";
}

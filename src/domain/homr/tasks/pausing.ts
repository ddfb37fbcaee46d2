// An open task is paused exactly while an open escalation that pauses names it. Every rule that opens or ends escalations, or changes
// a task's status, ends with `settlePauses`: it says what follows for tasks and their runs, and does nothing the second time.

import type { OutcomeEffect, OutcomeMove, OutcomeState } from "../outcome-state.ts";
import { isOpenEscalation } from "../questions/escalation.ts";
import { isOpenTask, type OutcomeTask } from "./task.ts";
import type { TaskId } from "./task-id.ts";

/** Tasks that may not go on before a person has answered. */
export function pausedTasks({ escalations }: OutcomeState): ReadonlySet<TaskId> {
  const asking = escalations.filter((each) => isOpenEscalation(each) && each.pauses);
  return new Set(asking.flatMap(({ affectedTasks }) => affectedTasks));
}

export function settlePauses(state: OutcomeState): OutcomeMove {
  const named = pausedTasks(state);
  const moved = state.tasks.map((task) => settle(task, named.has(task.id)));
  return {
    state: { ...state, tasks: moved.map(({ task }) => task) },
    effects: moved.flatMap(({ effects }) => effects),
  };
}

type Settled = { readonly task: OutcomeTask; readonly effects: readonly OutcomeEffect[] };

/** A task whose run was under way goes back in line with that run: it goes on when a worker is free (`pick-tasks.ts`). */
function settle(task: OutcomeTask, isNamed: boolean): Settled {
  const { runId, status } = task;
  if (!isOpenTask(task) || isNamed === (status === "paused")) return { task, effects: [] };
  if (!isNamed) return { task: { ...task, status: "pending" }, effects: [] };
  const why = "A question about this task is open";
  const isUnderWay = status === "running" && runId !== null;
  return { task: { ...task, status: "paused" }, effects: isUnderWay ? [{ kind: "pause_run", runId, why }] : [] };
}

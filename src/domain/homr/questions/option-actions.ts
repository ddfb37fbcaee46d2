// What the platform does once an option is chosen. It follows from the option's action alone, never from its id or its words, and
// touches only tasks of this outcome. No action raises a permission or a limit of money, or changes a scope or a check.

import { unreachable } from "../../../lib/assert.ts";
import { type Commanded, refuse } from "../commands/command.ts";
import { pauseOutcome } from "../commands/outcome-commands.ts";
import { dropTask, reopenTask } from "../commands/task-commands.ts";
import type { HomrWorld, OutcomeEffect, OutcomeMove, OutcomeState } from "../outcome-state.ts";
import { findParts } from "../tasks/split-parts.ts";
import { splitTask } from "../tasks/split-task.ts";
import { isSettledTask, type OutcomeTask, usualMaxAttempts } from "../tasks/task.ts";
import { listNumbers, withTasks } from "../tasks/task-list.ts";
import { isFailing } from "./escalate.ts";
import { type Escalation, type EscalationOption, failurePatternTypes } from "./escalation.ts";

export type ChosenOption = {
  readonly escalation: Escalation;
  readonly option: EscalationOption;
  readonly additionalContext: string;
};

export function carryOutOption(state: OutcomeState, chosen: ChosenOption, world: HomrWorld): Commanded {
  const { escalation, option } = chosen;
  const tasks = findConcerned(state, escalation);
  switch (option.action) {
    case "proceed":
      return done({ state, effects: [] });
    case "pause_outcome":
      return state.outcome.status === "active" ? pauseOutcome(state, world) : done({ state, effects: [] });
    case "skip_tasks":
      return done(changeAll(state, tasks, (task) => dropTask(task, `Skipped: ${escalation.question}`)));
    case "retry_tasks":
      return done(changeAll(state, tasks.filter(isToRetry(escalation)), (task) => reopenTask(task, startedOver)));
    case "raise_attempts":
      return done(changeAll(state, tasks, raiseAttempts));
    case "split_tasks":
      return splitAll(state, tasks, world);
    case "satisfy_gate":
      return giveGates(state, tasks, chosen.additionalContext);
    default:
      return unreachable(option.action);
  }
}

const done = (move: OutcomeMove): Commanded => ({ isDone: true, move });

/** A pattern concerns the tasks that fail, not all those that it pauses. */
function findConcerned({ tasks }: OutcomeState, escalation: Escalation): readonly OutcomeTask[] {
  const { triggerTaskId, affectedTasks } = escalation;
  const open = tasks.filter((task) => !isSettledTask(task));
  if (isPattern(escalation)) return open.filter(isFailing);
  if (triggerTaskId === null) return open.filter(({ id }) => affectedTasks.includes(id));
  return open.filter(({ id }) => id === triggerTaskId);
}

export const isPattern = ({ trigger }: Escalation): boolean =>
  failurePatternTypes.some((pattern) => pattern === trigger);

const startedOver = "The task is started over";

/** After a pattern, a run that only rested goes on as it was. */
const isToRetry =
  (escalation: Escalation) =>
  ({ status }: OutcomeTask): boolean =>
    status === "failed" || !isPattern(escalation);

type Changed = { readonly task: OutcomeTask; readonly effects: readonly OutcomeEffect[] };

function changeAll(
  state: OutcomeState,
  tasks: readonly OutcomeTask[],
  change: (task: OutcomeTask) => Changed,
): OutcomeMove {
  const changed = tasks.map(change);
  return {
    state: withTasks(
      state,
      changed.map(({ task }) => task),
    ),
    effects: changed.flatMap(({ effects }) => effects),
  };
}

function raiseAttempts(task: OutcomeTask): Changed {
  const raised = { ...task, maxAttempts: task.maxAttempts + usualMaxAttempts };
  return task.status === "failed" ? reopenTask(raised, startedOver) : { task: raised, effects: [] };
}

/** Those that can be split are; where none can, the answer is refused, so that another one can be given. */
function splitAll(state: OutcomeState, tasks: readonly OutcomeTask[], world: HomrWorld): Commanded {
  let move: OutcomeMove = { state, effects: [] };
  let why = "There is no task to split: choose another option";
  let hasSplit = false;
  for (const task of tasks) {
    const description = `This is a part of #${task.number}, which was: ${task.title}\n\n${task.description}`.trim();
    const parts = findParts(task).map((title) => ({ title, description }));
    const isTainted = task.isTainted || (task.checkpoint?.isTainted ?? false);
    const split = { taskId: task.id, parts, isInOrder: true, madeBy: "homr", isTainted } as const;
    const answered = splitTask(move.state, split, world);
    if (!answered.isDone) why = `${answered.why}: choose another option`;
    else {
      hasSplit = true;
      move = { state: answered.move.state, effects: [...move.effects, ...answered.move.effects] };
    }
  }
  return hasSplit ? done(move) : refuse(why);
}

function giveGates(state: OutcomeState, tasks: readonly OutcomeTask[], additionalContext: string): Commanded {
  const given = additionalContext.trim();
  const open = tasks.flatMap(({ gates }) => gates).filter((gate) => gate.given === null);
  const needed = open.find(({ kind }) => kind === "document_required");
  if (needed !== undefined && given === "")
    return refuse(`“${needed.label}” is required: put it, or where it is, into the additional context`);
  if (open.length === 0) return refuse(`Nothing is left to approve for ${listNumbers(tasks)}`);
  return done(
    changeAll(state, tasks, (task) => {
      const gates = task.gates.map((gate) => (gate.given === null ? { ...gate, given: given || "Approved" } : gate));
      return { task: { ...task, gates, version: task.version + 1 }, effects: [] };
    }),
  );
}

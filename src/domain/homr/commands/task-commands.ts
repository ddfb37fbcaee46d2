// What a person may do to a task of an outcome: add it, edit it, try it again, skip it, make it wait for another, give what its gate
// asks for. Of a command and a worker that meet, the one that comes second sees what the first one did.

import type { Injection } from "../context/context.ts";
import type { HomrWorld, Moved, OutcomeState, Refused } from "../outcome-state.ts";
import { type DependencyEdge, hasCycle, indexTasks, unmetDependencies } from "../tasks/dependencies.ts";
import { addTasks, type NewTask } from "../tasks/new-tasks.ts";
import { cancelRun, restRun } from "../tasks/release-run.ts";
import { autoRetriesMax, type OutcomeTask, openTasksMax } from "../tasks/task.ts";
import type { TaskId } from "../tasks/task-id.ts";
import { findTask, nameTask, withTasks } from "../tasks/task-list.ts";
import { type Commanded, carryOn, edited, findUnsettled, logCommand, refuse, unknownTask } from "./command.ts";

export const noRoom = (): Refused =>
  refuse(`An outcome has at most ${openTasksMax} open tasks: complete or skip some first`);

export type AddedTask = (Moved & { readonly task: OutcomeTask }) | Refused;

export function addTask(state: OutcomeState, wanted: NewTask, world: HomrWorld): AddedTask {
  const unknown = (wanted.dependsOn ?? []).some((id) => findTask(state, id) === null);
  if (unknown) return refuse("It depends on a task that the outcome does not have");
  const added = addTasks(state, [wanted], world);
  const task = added?.tasks[0];
  if (!added || !task) return noRoom();
  const move = { state: added.state, effects: [logCommand(`Added ${nameTask(task)}`, task.id)] };
  return { ...carryOn(move, world), task };
}

export type TaskEdit = {
  readonly taskId: TaskId;
  /** The one that was read: an edit of something older is refused. */
  readonly version: number;
  readonly change: Partial<Pick<OutcomeTask, "title" | "description" | "priority" | "maxAttempts" | "checks">>;
};

/**
 * A worker that has the task already is told of its new words in the next iteration. The checks of a run are there from its beginning: one
 * that was begun with others makes way for another.
 */
export function editTask(state: OutcomeState, { taskId, version, change }: TaskEdit, world: HomrWorld): Commanded {
  const found = findUnsettled(state, taskId);
  if (!("task" in found)) return found;
  const { task } = found;
  if (task.version !== version)
    return refuse(
      `Task #${task.number} was changed meanwhile (version ${task.version}, yours is ${version}): reload it`,
    );
  const least = attemptsNeeded(task);
  if ((change.maxAttempts ?? least) < least)
    return refuse(`Task #${task.number} needs at least ${least} attempts: ${task.attempts} were begun`);
  const after = edited(task, change);
  const told = isReworded(task, after) && task.runId !== null ? tellWorker(state, after, world) : state;
  const held = hasOtherChecks(task, after) ? cancelRun(after, whyAnew) : { task: after, effects: [] };
  const anew = held.effects.length > 0 ? ". It is begun anew: what it is checked by has changed" : "";
  const said = logCommand(`Edited ${nameTask(after)}${anew}`, taskId);
  return carryOn({ state: withTasks(told, [held.task]), effects: [...held.effects, said] }, world);
}

const whyAnew = "What its task is checked by has changed";

/** Ids are given anew with every edit. */
function hasOtherChecks(before: OutcomeTask, after: OutcomeTask): boolean {
  const [old, now] = [before, after].map(({ checks }) => JSON.stringify(checks.map(({ target }) => target)));
  return old !== now;
}

/** One that waits between two attempts has to have another one. */
const attemptsNeeded = ({ attempts, runId, status }: OutcomeTask): number =>
  Math.max(1, status === "failed" || runId !== null ? attempts : attempts + 1);

const isReworded = (before: OutcomeTask, after: OutcomeTask): boolean =>
  before.title !== after.title || before.description !== after.description;

/** The objective of a run never changes, so the new words reach it as context. */
export function tellWorker(state: OutcomeState, task: OutcomeTask, { nowMs, newId }: HomrWorld): OutcomeState {
  const injection: Injection = {
    id: newId(),
    type: "decision",
    priority: "must_know",
    content: `The task was changed while you work on it. From now on it is: ${task.title}\n${task.description}`,
    audience: [task.id],
    reason: `Task #${task.number} was edited`,
    sourceTaskId: null,
    atMs: nowMs,
    isTainted: task.isTainted,
  };
  return { ...state, context: { ...state.context, injections: [...state.context.injections, injection] } };
}

/** One that failed gets another attempt; one that a worker has begins anew with another run. */
export function retryTask(state: OutcomeState, taskId: TaskId, world: HomrWorld): Commanded {
  const found = findUnsettled(state, taskId);
  if (!("task" in found)) return found;
  if (found.task.status !== "failed" && found.task.runId === null)
    return refuse(`Task #${found.task.number} has not failed: it is ${found.task.status}`);
  const { task, effects } = reopenTask(found.task, "The task is started over");
  const said = logCommand(`Started ${nameTask(task)} over`, taskId);
  return carryOn(
    { state: withTasks(state, [{ ...task, version: task.version + 1 }]), effects: [...effects, said] },
    world,
  );
}

/** With an attempt left, and all that the platform may try by itself. */
export function reopenTask(task: OutcomeTask, why: string): ReturnType<typeof cancelRun> {
  if (task.status !== "failed") return cancelRun(task, why);
  const maxAttempts = Math.max(task.maxAttempts, task.attempts + 1);
  const again: OutcomeTask = { ...task, status: "pending", runId: null, maxAttempts, autoRetriesLeft: autoRetriesMax };
  return { task: again, effects: [] };
}

export function obsoleteTask(
  state: OutcomeState,
  { taskId, why }: { readonly taskId: TaskId; readonly why: string | null },
  world: HomrWorld,
): Commanded {
  const found = findUnsettled(state, taskId);
  if (!("task" in found)) return found;
  const { task, effects } = dropTask(found.task, why);
  const said = logCommand(`Skipped ${nameTask(task)}`, taskId);
  return carryOn({ state: withTasks(state, [task]), effects: [...effects, said] }, world);
}

/** Its run is canceled; what waits for it goes on without it. */
export function dropTask(task: OutcomeTask, why: string | null): ReturnType<typeof cancelRun> {
  const { effects } = cancelRun(task, "Its task was skipped");
  return { task: edited(task, { status: "obsolete", why }), effects };
}

/** A task that a worker has rests until the other one has ended. */
export function addDependency(state: OutcomeState, edge: DependencyEdge, world: HomrWorld): Commanded {
  const found = findUnsettled(state, edge.taskId);
  if (!("task" in found)) return found;
  const other = findTask(state, edge.dependsOn);
  if (other === null) return unknownTask();
  const { task } = found;
  if (task.dependsOn.includes(other.id)) return carryOn({ state, effects: [] }, world);
  if (hasCycle(state.tasks, edge))
    return refuse(
      `#${other.number} waits for #${task.number} already: #${task.number} cannot wait for #${other.number}`,
    );
  const after = edited(task, { dependsOn: [...task.dependsOn, other.id] });
  const mustWait = unmetDependencies(after, indexTasks(state.tasks)).length > 0;
  const rested = mustWait ? restRun(state, after, `Task #${other.number} comes first`) : { task: after, effects: [] };
  const said = logCommand(`#${task.number} waits for #${other.number}`, task.id);
  return carryOn({ state: withTasks(state, [rested.task]), effects: [...rested.effects, said] }, world);
}

export function removeDependency(state: OutcomeState, edge: DependencyEdge, world: HomrWorld): Commanded {
  const found = findUnsettled(state, edge.taskId);
  if (!("task" in found)) return found;
  const { task } = found;
  if (!task.dependsOn.includes(edge.dependsOn)) return refuse(`Task #${task.number} does not wait for that task`);
  const after = edited(task, { dependsOn: task.dependsOn.filter((id) => id !== edge.dependsOn) });
  const number = findTask(state, edge.dependsOn)?.number;
  const said = logCommand(`#${task.number} no longer waits for #${number}`, task.id);
  return carryOn({ state: withTasks(state, [after]), effects: [said] }, world);
}

type GivenGate = { readonly taskId: TaskId; readonly gateId: string; readonly given: string };

/** What is given stands in the prompts of the task. */
export function satisfyGate(state: OutcomeState, { taskId, gateId, given }: GivenGate, world: HomrWorld): Commanded {
  const found = findUnsettled(state, taskId);
  if (!("task" in found)) return found;
  const { task } = found;
  const gate = task.gates.find(({ id }) => id === gateId);
  if (gate === undefined) return refuse(`Task #${task.number} has no such gate`);
  if (gate.given !== null) return refuse(`“${gate.label}” was given already`);
  const gates = task.gates.map((each) => (each.id === gateId ? { ...each, given } : each));
  const said = logCommand(`Gave “${gate.label}” for #${task.number}`, taskId);
  return carryOn({ state: withTasks(state, [edited(task, { gates })]), effects: [said] }, world);
}

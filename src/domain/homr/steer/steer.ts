// Changes the work as an observation suggests, in at most `maxSteeringActionsPerTask` steps, each of them logged with its reason and its
// cause. A step that cannot be done is passed over and does not count. Nothing outside of this outcome can be reached from here.

import { unreachable } from "../../../lib/assert.ts";
import { clip, clipLine } from "../../planner/clip.ts";
import { edited } from "../commands/command.ts";
import { dropTask, tellWorker } from "../commands/task-commands.ts";
import type { Injection } from "../context/context.ts";
import type { Observation } from "../observe/observation.ts";
import type { HomrWorld, OutcomeEffect, OutcomeMove, OutcomeState } from "../outcome-state.ts";
import { logged, taskOf } from "../state-changes.ts";
import { hasCycle, indexTasks, unmetDependencies } from "../tasks/dependencies.ts";
import { addTasks } from "../tasks/new-tasks.ts";
import { restRun } from "../tasks/release-run.ts";
import type { OutcomeTask } from "../tasks/task.ts";
import type { TaskId } from "../tasks/task-id.ts";
import { listNumbers, nameTask, withTasks } from "../tasks/task-list.ts";
import { planCorrection, planSteering } from "./plan-steering.ts";
import type { SteeringAction } from "./steering-action.ts";

export const steer = (state: OutcomeState, observation: Observation, world: HomrWorld): OutcomeMove =>
  carryOutAll(state, planSteering(state, observation), observation, world);

/** No more than what has to be put right before others build on it. */
export const correctDrift = (state: OutcomeState, observation: Observation, world: HomrWorld): OutcomeMove =>
  carryOutAll(state, planCorrection(state, observation), observation, world);

function carryOutAll(
  state: OutcomeState,
  actions: readonly SteeringAction[],
  observation: Observation,
  world: HomrWorld,
): OutcomeMove {
  let now = state;
  const effects: OutcomeEffect[] = [];
  let left = state.outcome.config.maxSteeringActionsPerTask;
  for (const action of actions) {
    if (left === 0) break;
    const done = carryOut(now, action, observation, world);
    if (done === null) continue;
    left -= 1;
    now = count(done.state);
    effects.push(...done.effects, tell(observation, action, done));
  }
  return { state: now, effects };
}

function count(state: OutcomeState): OutcomeState {
  const { stats } = state.context;
  return { ...state, context: { ...state.context, stats: { ...stats, steeringActions: stats.steeringActions + 1 } } };
}

type Done = {
  readonly state: OutcomeState;
  readonly effects: readonly OutcomeEffect[];
  readonly said: string;
  readonly tasks: readonly OutcomeTask[];
  /** What it made: a task, or an item of the context. */
  readonly madeId: string | null;
};

/** A suggested change of the approach is kept whole: its owner may take it over as it is. */
const tell = ({ taskId }: Observation, action: SteeringAction, done: Done): OutcomeEffect =>
  logged({
    type: "steering",
    taskId,
    cause: action.cause,
    summary: clipLine(done.said, 400),
    details: {
      action: action.type,
      reason: action.reason,
      task_ids: done.tasks.map(({ id }) => id),
      made_id: done.madeId,
      ...(action.type === "suggest_design_update" ? { suggestion: action.suggestion } : {}),
    },
  });

/** Null: it cannot be done, or has been done already. */
function carryOut(
  state: OutcomeState,
  action: SteeringAction,
  observation: Observation,
  world: HomrWorld,
): Done | null {
  switch (action.type) {
    case "inject_context":
      return inject(state, action, observation, world);
    case "update_description":
      return describe(state, action, world);
    case "update_priority": {
      const task = taskOf(state, action.taskId);
      if (task.priority === action.priority) return null;
      const said = `${nameTask(task)} has priority ${action.priority} now, not ${task.priority}`;
      return changed(state, edited(task, { priority: action.priority }), [], said);
    }
    case "mark_obsolete": {
      const task = taskOf(state, action.taskId);
      // A worker has it, or a person is asked about it: they decide.
      if (task.status !== "pending" || task.runId !== null) return null;
      return changed(state, dropTask(task, action.reason).task, [], `Skipped ${nameTask(task)}`);
    }
    case "create_task":
      return create(state, action, world);
    case "add_dependency": {
      const moved = waitFor(state, action.taskId, action.dependsOn);
      const [task, other] = [taskOf(state, action.taskId), taskOf(state, action.dependsOn)];
      return (
        moved && { ...moved, said: `#${task.number} waits for #${other.number}`, tasks: [task, other], madeId: null }
      );
    }
    case "suggest_design_update":
      return { state, effects: [], said: `Suggested: ${action.suggestion}`, tasks: [], madeId: null };
    default:
      return unreachable(action);
  }
}

const changed = (state: OutcomeState, task: OutcomeTask, effects: readonly OutcomeEffect[], said: string): Done => ({
  state: withTasks(state, [task]),
  effects,
  said,
  tasks: [task],
  madeId: null,
});

type Of<Type extends SteeringAction["type"]> = Extract<SteeringAction, { type: Type }>;

/** The same words for the same tasks are not injected twice. */
function inject(
  state: OutcomeState,
  { audience, injection, reason }: Of<"inject_context">,
  { taskId, isTainted }: Observation,
  { newId, nowMs }: HomrWorld,
): Done | null {
  const { injections } = state.context;
  const known = injections.filter(({ content }) => content === injection.content);
  const isKnown = (id: TaskId) => known.some((each) => each.audience === "every" || each.audience.includes(id));
  const fresh = audience === "every" ? audience : audience.filter((id) => !isKnown(id));
  if (fresh === "every" ? known.some((each) => each.audience === "every") : fresh.length === 0) return null;
  const item: Injection = {
    ...injection,
    id: newId(),
    sourceTaskId: taskId,
    atMs: nowMs,
    isTainted,
    audience: fresh,
    reason,
  };
  const tasks = fresh === "every" ? [] : fresh.map((id) => taskOf(state, id));
  const whom = fresh === "every" ? "every task" : listNumbers(tasks);
  return {
    state: { ...state, context: { ...state.context, injections: [...injections, item] } },
    effects: [],
    said: `Told ${whom}: ${injection.content}`,
    tasks,
    madeId: item.id,
  };
}

const descriptionMax = 16_000;

/** A worker that has the task is told besides: the objective of its run stays as it was begun. */
function describe(state: OutcomeState, { taskId, additions }: Of<"update_description">, world: HomrWorld): Done | null {
  const task = taskOf(state, taskId);
  if (task.description.includes(additions)) return null;
  if (task.description.length + additions.length > descriptionMax) return null;
  const description = `${task.description}\n\nAdded since it was planned: ${additions}`.trim();
  const after = edited(task, { description });
  const told = task.runId === null ? state : tellWorker(state, after, world);
  return changed(told, after, [], `Added to ${nameTask(task)}: ${additions}`);
}

function create(state: OutcomeState, { task, waiting }: Of<"create_task">, world: HomrWorld): Done | null {
  const added = addTasks(state, [task], world);
  const made = added?.tasks[0];
  if (!added || !made) return null;
  let move: OutcomeMove = { state: added.state, effects: [] };
  for (const id of waiting) {
    const after = waitFor(move.state, id, made.id);
    if (after !== null) move = { state: after.state, effects: [...move.effects, ...after.effects] };
  }
  const who = waiting.map((id) => taskOf(state, id));
  const said = `Created ${nameTask(made)}${who.length === 0 ? "" : `; ${listNumbers(who)} ${who.length === 1 ? "waits" : "wait"} for it`}`;
  return { ...move, said: clip(said, 400), tasks: [made, ...who], madeId: made.id };
}

/** A task that a worker has rests until the other one has ended. */
function waitFor(state: OutcomeState, taskId: TaskId, dependsOn: TaskId): OutcomeMove | null {
  const task = taskOf(state, taskId);
  if (task.dependsOn.includes(dependsOn) || hasCycle(state.tasks, { taskId, dependsOn })) return null;
  const after = edited(task, { dependsOn: [...task.dependsOn, dependsOn] });
  const mustWait = unmetDependencies(after, indexTasks(state.tasks)).length > 0;
  const why = `Task #${taskOf(state, dependsOn).number} comes first`;
  const rested = mustWait ? restRun(state, after, why) : { task: after, effects: [] };
  return { state: withTasks(state, [rested.task]), effects: rested.effects };
}

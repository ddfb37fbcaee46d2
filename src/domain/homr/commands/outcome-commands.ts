// What a person may do to an outcome as a whole: start it, pause it, go on, lay it aside, edit it, set HOMЯ, say something to its
// workers. Commands on a task are in `task-commands.ts`.

import { unreachable } from "../../../lib/assert.ts";
import type { Injection } from "../context/context.ts";
import type { AutoResolve, HomrConfig } from "../homr-config.ts";
import { type Outcome, workersMax } from "../outcome.ts";
import type { HomrWorld, Intervention, Moved, OutcomeEffect, OutcomeMove, OutcomeState } from "../outcome-state.ts";
import { followedBy, forgetReviews } from "../state-changes.ts";
import { hasMoneyLeft } from "../tasks/pick-tasks.ts";
import { cancelRun, restRun } from "../tasks/release-run.ts";
import { isOpenTask, isSettledTask, type OutcomeTask } from "../tasks/task.ts";
import type { TaskId } from "../tasks/task-id.ts";
import { nameTask, shorten, withTasks } from "../tasks/task-list.ts";
import { type Commanded, carryOn, edited, findUnsettled, logCommand, refuse } from "./command.ts";
import { addTask } from "./task-commands.ts";

const withOutcome = (state: OutcomeState, change: Partial<Outcome>): OutcomeState => ({
  ...state,
  outcome: { ...state.outcome, ...change },
});

const runningOf = ({ tasks }: OutcomeState): readonly OutcomeTask[] =>
  tasks.filter(({ status, runId }) => status === "running" && runId !== null);

/** Also one that was achieved or archived: reviews begin anew. */
export function startOutcome(state: OutcomeState, world: HomrWorld): Commanded {
  const { outcome, tasks } = state;
  if (outcome.status === "active") return refuse("The outcome is active already");
  if (outcome.status === "paused") return refuse("The outcome is paused: resume it");
  if (tasks.every(isSettledTask) && outcome.intent.summary === "" && outcome.intent.successCriteria.length === 0)
    return refuse("The outcome has neither a task nor an intent: add one first");
  if (!hasMoneyLeft(outcome)) return refuse(limitReached);
  const begun = askAgainForGates(withOutcome(state, { status: "active", cleanReviews: 0 }));
  return carryOn({ state: begun, effects: [logCommand("Started the outcome")] }, world);
}

const limitReached = "The cost limit of the outcome is reached: raise it first";

/** Its workers rest; nothing is lost. */
export function pauseOutcome(state: OutcomeState, world: HomrWorld, because?: string): Commanded {
  if (state.outcome.status !== "active")
    return refuse(`Only an active outcome can be paused; this one is ${state.outcome.status}`);
  const effects = runningOf(state).map(({ runId }) =>
    changeRun("pause_run", runId, because ?? "The outcome is paused"),
  );
  const said = logCommand(because === undefined ? "Paused the outcome" : `Paused the outcome: ${because}`);
  return carryOn({ state: withOutcome(state, { status: "paused" }), effects: [...effects.flat(), said] }, world);
}

export function resumeOutcome(state: OutcomeState, world: HomrWorld): Commanded {
  if (state.outcome.status !== "paused")
    return refuse(`Only a paused outcome can be resumed; this one is ${state.outcome.status}`);
  if (!hasMoneyLeft(state.outcome)) return refuse(limitReached);
  const effects = runningOf(state).map(({ runId }) => changeRun("resume_run", runId, "The outcome is resumed"));
  const said = logCommand("Resumed the outcome");
  const active = askAgainForGates(withOutcome(state, { status: "active" }));
  return carryOn({ state: active, effects: [...effects.flat(), said] }, world);
}

/** A question that ended without giving what it asked for is put again: otherwise its task would wait and no one would know. */
const askAgainForGates = (state: OutcomeState): OutcomeState => ({
  ...state,
  tasks: state.tasks.map((task) =>
    task.gates.some(({ given, isAsked }) => given === null && isAsked === true)
      ? { ...task, gates: task.gates.map((gate) => (gate.given === null ? { ...gate, isAsked: false } : gate)) }
      : task,
  ),
});

const changeRun = (
  kind: "pause_run" | "resume_run",
  runId: OutcomeTask["runId"],
  why: string,
): readonly OutcomeEffect[] => (runId === null ? [] : [{ kind, runId, why }]);

/** Runs that are under way are canceled, and questions are closed. Deleting an outcome does this first. */
export function archiveOutcome(state: OutcomeState, world: HomrWorld): Commanded {
  if (state.outcome.status === "archived") return refuse("The outcome is archived already");
  const why = "The outcome was archived";
  const released = state.tasks.filter(isOpenTask).map((task) => cancelRun(task, why));
  const tasks = released.map(({ task }) => task);
  const idle = withTasks(withOutcome(state, { status: "archived" }), tasks);
  const effects = released.flatMap((each) => each.effects);
  return carryOn({ state: idle, effects: [...effects, logCommand("Archived the outcome")] }, world);
}

type Editable =
  | "name"
  | "brief"
  | "intent"
  | "projectId"
  | "engine"
  | "workFolder"
  | "models"
  | "permission"
  | "timeZone"
  | "workers"
  | "runBudget"
  | "maxCostMicroUsd";

export type OutcomeEdit = {
  /** The one that was read: an edit of something older is refused. */
  readonly version: number;
  readonly change: Partial<Pick<Outcome, Editable>>;
  /** A new version of the approach; null: it stays. */
  readonly approach: string | null;
};

/** Runs under way keep what they were begun with. */
export function editOutcome(state: OutcomeState, edit: OutcomeEdit, world: HomrWorld): Commanded {
  const { outcome } = state;
  if (outcome.version !== edit.version)
    return refuse(
      `The outcome was changed meanwhile (version ${outcome.version}, yours is ${edit.version}): reload it`,
    );
  if (outcome.status === "archived") return refuse("The outcome is archived: start it again first");
  const { workers = outcome.workers } = edit.change;
  if (workers < 1 || workers > workersMax) return refuse(`An outcome has 1 to ${workersMax} workers`);
  const isNewApproach = edit.approach !== null && edit.approach !== outcome.approach?.text;
  const isWantedAnew = edit.change.intent !== undefined;
  const after = withOutcome(isWantedAnew || isNewApproach ? forgetReviews(state) : state, {
    ...edit.change,
    ...(isNewApproach ? { approach: { version: (outcome.approach?.version ?? 0) + 1, text: edit.approach } } : {}),
    version: outcome.version + 1,
  });
  const kept: readonly OutcomeEffect[] = isNewApproach
    ? [{ kind: "keep_approach", text: edit.approach, why: "Edited by a person", madeBy: "user" }]
    : [];
  const move = { state: after, effects: [...kept, logCommand("Edited the outcome")] };
  return carryOn(followedBy(move, restSurplus), world);
}

/** Fewer workers than run now: the least urgent tasks rest. */
function restSurplus(state: OutcomeState): OutcomeMove {
  const byUrgency = [...runningOf(state)].sort((a, b) => a.priority - b.priority || a.number - b.number);
  const surplus = byUrgency.slice(state.outcome.workers);
  const rested = surplus.map((task) => restRun(state, task, "The outcome has fewer workers now"));
  const tasks = rested.map(({ task }) => task);
  return { state: withTasks(state, tasks), effects: rested.flatMap(({ effects }) => effects) };
}

export type ConfigChange = {
  readonly config?: Partial<HomrConfig>;
  readonly autoResolve?: Partial<AutoResolve>;
};

export function setConfig(state: OutcomeState, { config, autoResolve }: ConfigChange, world: HomrWorld): Moved {
  const { outcome } = state;
  const after = withOutcome(state, {
    config: { ...outcome.config, ...config },
    autoResolve: { ...outcome.autoResolve, ...autoResolve },
  });
  return carryOn({ state: after, effects: [logCommand(describeConfig(config))] }, world);
}

function describeConfig(config: ConfigChange["config"]): string {
  if (config?.enabled === undefined) return "Changed the settings of HOMЯ";
  return config.enabled ? "Switched HOMЯ on" : "Switched HOMЯ off";
}

export type Intervened = { readonly message: string; readonly taskId: TaskId | null } & (
  | { readonly type: "add_task" | "redirect" | "pause" }
  | { readonly type: "priority_change"; readonly priority: number }
);

/** What a person says to the workers. Words reach the prompts from the next iteration on. */
export function intervene(state: OutcomeState, said: Intervened, world: HomrWorld): Commanded {
  const id = world.newId();
  const done = carryOutIntervention(state, said, id, world);
  if (!done.isDone) return done;
  const { type, taskId, message } = said;
  const status = type === "redirect" ? "acknowledged" : "completed";
  const intervention: Intervention = { id, type, taskId, message, status };
  const { state: after, effects } = done.move;
  return { isDone: true, move: { state: after, effects: [...effects, { kind: "keep_intervention", intervention }] } };
}

const titleMax = 300;

function carryOutIntervention(state: OutcomeState, said: Intervened, id: string, world: HomrWorld): Commanded {
  const found = said.taskId === null ? null : findUnsettled(state, said.taskId);
  if (found !== null && !("task" in found)) return found;
  switch (said.type) {
    case "add_task": {
      const [title = ""] = said.message.trim().split("\n");
      return addTask(state, { title: shorten(title, titleMax), description: said.message }, world);
    }
    case "redirect": {
      const { outcome } = state;
      if (outcome.status === "archived") return refuse("The outcome is archived: start it again first");
      if (outcome.status === "achieved" && !hasMoneyLeft(outcome)) return refuse(limitReached);
      const whom = found === null ? "every task" : `#${found.task.number}`;
      const effects = [logCommand(`Told ${whom}: ${shorten(said.message, 200)}`, said.taskId)];
      return carryOn({ state: reopen(forgetReviews(redirect(state, said, id, world))), effects }, world);
    }
    case "pause":
      return pauseOutcome(state, world);
    case "priority_change": {
      if (found === null) return refuse("Say which task has to come sooner or later");
      const task = edited(found.task, { priority: said.priority });
      const effects = [logCommand(`${nameTask(task)} has priority ${task.priority} now`, task.id)];
      return carryOn({ state: withTasks(state, [task]), effects }, world);
    }
    default:
      return unreachable(said);
  }
}

/** What was achieved may not be what is wanted now: the next review tells. */
const reopen = (state: OutcomeState): OutcomeState =>
  state.outcome.status === "achieved" ? withOutcome(state, { status: "active" }) : state;

/** More than a person says while an outcome runs; the oldest make room. */
const redirectsMax = 50;
const redirectReason = "You said so";

/** It stands in the context under the id of what was said, so that it can be taken back. */
function redirect(state: OutcomeState, said: Intervened, id: string, { nowMs }: HomrWorld): OutcomeState {
  const injection: Injection = {
    id,
    type: "decision",
    priority: "must_know",
    content: said.message,
    audience: said.taskId === null ? "every" : [said.taskId],
    reason: redirectReason,
    sourceTaskId: null,
    atMs: nowMs,
    isTainted: false,
  };
  const { injections } = state.context;
  const earlier = injections.filter(isOfPerson);
  const dropped = new Set(earlier.slice(0, Math.max(0, earlier.length - redirectsMax + 1)));
  const kept = injections.filter((each) => !dropped.has(each));
  return { ...state, context: { ...state.context, injections: [...kept, injection] } };
}

/** Said by a person to the workers, not injected by HOMЯ. */
export const isOfPerson = ({ reason }: Pick<Injection, "reason">): boolean => reason === redirectReason;

/** What a person said to the workers no longer stands in the prompts that come. What HOMЯ injected is not theirs to take back. */
export function takeBack(state: OutcomeState, interventionId: string, world: HomrWorld): Commanded {
  const { injections } = state.context;
  const said = injections.find((each) => each.id === interventionId && isOfPerson(each));
  const kept = injections.filter((each) => each !== said);
  const after = {
    ...(said === undefined ? state : forgetReviews(state)),
    context: { ...state.context, injections: kept },
  };
  const effects = said === undefined ? [] : [logCommand(`Took back: ${shorten(said.content, 200)}`)];
  return carryOn({ state: after, effects }, world);
}

/** A blocker that someone has removed: workers are no longer told of it. */
export function resolveBlocker(state: OutcomeState, discoveryId: string, world: HomrWorld): Commanded {
  const blocker = state.context.discoveries.find(({ id }) => id === discoveryId);
  if (blocker === undefined) return refuse("The outcome has no such discovery");
  if (blocker.type !== "blocker") return refuse(`Only a blocker can be resolved; this is a ${blocker.type}`);
  if (blocker.resolvedAtMs !== null) return refuse("The blocker is resolved already");
  const resolved = { ...blocker, resolvedAtMs: world.nowMs };
  const discoveries = state.context.discoveries.map((each) => (each.id === discoveryId ? resolved : each));
  const after = { ...state, context: { ...state.context, discoveries } };
  return carryOn(
    { state: after, effects: [logCommand(`Resolved the blocker: ${shorten(blocker.content, 200)}`)] },
    world,
  );
}

// What happens next in an outcome, after anything has changed in it: tasks begin, failed ones that hold up the rest are tried again, a
// person is asked, or the whole is reviewed. Every rule ends with it; a second time at once it begins nothing more.

import type { HomrWorld, OutcomeEffect, OutcomeMove, OutcomeState } from "./outcome-state.ts";
import { closeMootQuestions, dismissAll } from "./questions/close-questions.ts";
import { isOpenEscalation } from "./questions/escalation.ts";
import { openEscalation } from "./questions/open-escalation.ts";
import { askAboutBlockers, askForGates } from "./questions/platform-questions.ts";
import { followedBy, logged } from "./state-changes.ts";
import { indexTasks, unmetDependencies } from "./tasks/dependencies.ts";
import { settlePauses } from "./tasks/pausing.ts";
import { hasMoneyLeft, hasOpenGate, isWholePaused, pickTasks } from "./tasks/pick-tasks.ts";
import { isOpenTask, isSettledTask, type OutcomeTask } from "./tasks/task.ts";
import type { TaskId } from "./tasks/task-id.ts";
import { listNumbers, withTasks } from "./tasks/task-list.ts";
import { newTaskRun } from "./tasks/task-run.ts";

/** While tasks run, someone looks at them this often (`supervise.ts`). */
export const supervisionEveryMs = 5 * 60_000;

type Rule = (state: OutcomeState, world: HomrWorld) => OutcomeMove;

const whileActive: readonly Rule[] = [closeMootQuestions, askAboutGates, settlePauses, beginTasks, goOn, lookAgain];
const otherwise: readonly Rule[] = [closeMootQuestions, settlePauses, lookAgain];

export function advanceOutcome(state: OutcomeState, world: HomrWorld): OutcomeMove {
  const rules = state.outcome.status === "active" ? whileActive : otherwise;
  return rules.reduce<OutcomeMove>((move, rule) => followedBy(move, (after) => rule(after, world)), {
    state,
    effects: [],
  });
}

/** A task that only waits for a person: that person is asked, once. */
function askAboutGates(state: OutcomeState, world: HomrWorld): OutcomeMove {
  const byId = indexTasks(state.tasks);
  const waiting = state.tasks.filter(
    (task) =>
      task.status === "pending" &&
      hasOpenGate(task) &&
      task.gates.some(({ given, isAsked }) => given === null && isAsked !== true) &&
      unmetDependencies(task, byId).length === 0,
  );
  const asked = waiting.map((task) => ({ ...task, gates: task.gates.map((gate) => ({ ...gate, isAsked: true })) }));
  return asked.reduce<OutcomeMove>(
    (move, task) =>
      followedBy(move, (after) => openEscalation(after, askForGates(task), { kind: "supervision" }, world)),
    { state: withTasks(state, asked), effects: [] },
  );
}

function beginTasks(state: OutcomeState, world: HomrWorld): OutcomeMove {
  const begun = pickTasks(state).map((task) => begin(state, task, world));
  const tasks = begun.map(({ task }) => task);
  return { state: withTasks(state, tasks), effects: begun.map(({ effect }) => effect) };
}

/** A run that rested goes on; otherwise the next attempt is a new run. */
function begin(state: OutcomeState, task: OutcomeTask, world: HomrWorld) {
  if (task.runId !== null) {
    const effect: OutcomeEffect = { kind: "resume_run", runId: task.runId, why: "Nothing holds up its task any more" };
    return { task: { ...task, status: "running" } as const, effect };
  }
  const run = newTaskRun(state, task, world);
  const effect: OutcomeEffect = { kind: "start_run", taskId: task.id, run };
  return { task: { ...task, status: "running", attempts: task.attempts + 1, runId: run.id } as const, effect };
}

/** What to do when no task can begin. Most of it waits until none runs. */
function goOn(state: OutcomeState, world: HomrWorld): OutcomeMove {
  const isAtWork = state.tasks.some(({ status }) => status === "running");
  if (isAtWork && hasMoneyLeft(state.outcome)) return closeBlocked(state, world);
  if (!isAtWork && isWholePaused(state)) return { state, effects: [] };
  if (!hasMoneyLeft(state.outcome)) return stopForMoney(state);
  if (isBeingDrafted(state)) return { state, effects: [] };
  if (state.tasks.every(isSettledTask)) return { state, effects: isAnswerAwaited(state) ? [] : [{ kind: "review" }] };
  const blockers = findBlockers(state);
  if (blockers.length === 0) return { state, effects: [] };
  const retried = blockers.filter(({ autoRetriesLeft }) => autoRetriesLeft > 0);
  if (retried.length > 0) return followedBy(retry(state, retried), (after) => beginTasks(after, world));
  return openEscalation(state, askAboutBlockers(blockers), { kind: "supervision" }, world);
}

/** Also of a question that concerns no open task any more: what is said to it may be what the result is judged by. */
export const isAnswerAwaited = ({ escalations }: OutcomeState): boolean =>
  escalations.some((each) => each.pauses && isOpenEscalation(each));

/** It was started with a brief alone: there is nothing yet that could be reviewed. */
export const isBeingDrafted = ({ outcome: { nextNumber, intent } }: OutcomeState): boolean =>
  nextNumber === 1 && intent.summary === "" && intent.items.length === 0 && intent.successCriteria.length === 0;

const closeBlocked = (state: OutcomeState, world: HomrWorld): OutcomeMove =>
  dismissAll(state, ({ trigger }) => (trigger === "blocked" ? "work goes on" : null), world);

/** Failed tasks that others wait for; once nothing else is left, all that failed. Those a person is asked about anyway are not meant. */
function findBlockers(state: OutcomeState): readonly OutcomeTask[] {
  const asking = state.escalations.filter((each) => isOpenEscalation(each) && each.trigger !== "blocked");
  const asked = new Set<TaskId>(asking.flatMap(({ affectedTasks }) => affectedTasks));
  const failed = state.tasks.filter(({ id, status }) => status === "failed" && !asked.has(id));
  const waiting = state.tasks.filter(isOpenTask);
  if (waiting.length === 0) return failed;
  const byId = indexTasks(state.tasks);
  const awaited = new Set(waiting.flatMap((task) => unmetDependencies(task, byId)));
  return failed.filter(({ id }) => awaited.has(id));
}

function retry(state: OutcomeState, failed: readonly OutcomeTask[]): OutcomeMove {
  const again = failed.map(
    (task): OutcomeTask => ({
      ...task,
      status: "pending",
      runId: null,
      maxAttempts: Math.max(task.maxAttempts, task.attempts + 1),
      autoRetriesLeft: task.autoRetriesLeft - 1,
    }),
  );
  const summary = `Nothing else can go on, so ${listNumbers(failed)} ${failed.length === 1 ? "is" : "are"} tried once more`;
  const details = { task_ids: failed.map(({ id }) => id) };
  const activity = { type: "supervision", taskId: null, cause: { kind: "supervision" }, summary, details } as const;
  return { state: withTasks(state, again), effects: [logged(activity)] };
}

/**
 * Money is nothing that an answer could give: the owner raises the limit and resumes. Each run may spend what was left when it began;
 * once several have spent that together, they rest.
 */
function stopForMoney(state: OutcomeState): OutcomeMove {
  const { outcome, tasks } = state;
  const limit = `$${((outcome.maxCostMicroUsd ?? 0) / 1_000_000).toFixed(2)}`;
  const summary = `Paused the outcome: its cost limit of ${limit} is reached. Raise the limit and resume it.`;
  const activity = { type: "supervision", taskId: null, cause: { kind: "supervision" }, summary, details: {} } as const;
  const why = "The cost limit of the outcome is reached";
  const rests = tasks.flatMap(({ status, runId }): readonly OutcomeEffect[] =>
    status === "running" && runId !== null ? [{ kind: "pause_run", runId, why }] : [],
  );
  return {
    state: { ...state, outcome: { ...outcome, status: "paused" } },
    effects: [...rests, logged(activity), { kind: "notify_owner", about: "stopped", id: outcome.id }],
  };
}

/** At the next deadline, and as long as tasks run. */
function lookAgain(state: OutcomeState, { nowMs }: HomrWorld): OutcomeMove {
  if (state.outcome.status === "archived") return { state, effects: [] };
  const deadlines = state.escalations.flatMap((each) =>
    isOpenEscalation(each) && each.deadlineMs !== null && each.deadlineMs > nowMs ? [each.deadlineMs] : [],
  );
  const isWatched = state.outcome.status === "active" && state.tasks.some(({ status }) => status === "running");
  const times = isWatched ? [...deadlines, nowMs + supervisionEveryMs] : deadlines;
  return { state, effects: times.length === 0 ? [] : [{ kind: "look_again", atMs: Math.min(...times) }] };
}

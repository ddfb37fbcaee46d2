// A random walk over everything that may happen to an outcome: commands of people, ends of runs and what an observer makes of them,
// questions and their answers, reviews and looks of the supervisor, in any order. After every step the invariants hold.

import { fc, test as property } from "@fast-check/vitest";
import { expect } from "vitest";
import { makeObservation, makeOutcome, makeState, makeTask, taskId } from "../../../test/helpers/make-outcome.ts";
import type { RunId } from "../run/run.ts";
import { advanceOutcome } from "./advance-outcome.ts";
import {
  archiveOutcome,
  editOutcome,
  intervene,
  pauseOutcome,
  resumeOutcome,
  startOutcome,
} from "./commands/outcome-commands.ts";
import {
  addDependency,
  addTask,
  editTask,
  obsoleteTask,
  removeDependency,
  retryTask,
  satisfyGate,
} from "./commands/task-commands.ts";
import { applyObservation } from "./observe/apply-observation.ts";
import type { Observation, SteeringWish } from "./observe/observation.ts";
import type { HomrWorld, Moved, OutcomeMove, OutcomeState, Refused } from "./outcome-state.ts";
import { isOpenEscalation, optionActions } from "./questions/escalation.ts";
import { openEscalation } from "./questions/open-escalation.ts";
import { answerEscalation, dismissEscalation } from "./questions/resolve.ts";
import { applyReview } from "./review-outcome.ts";
import { followedBy } from "./state-changes.ts";
import { indexTasks, unmetDependencies } from "./tasks/dependencies.ts";
import { pausedTasks } from "./tasks/pausing.ts";
import { hasOpenGate } from "./tasks/pick-tasks.ts";
import { settleAttempt } from "./tasks/settle-attempt.ts";
import { splitTask } from "./tasks/split-task.ts";
import { supervise } from "./tasks/supervise.ts";
import { isOpenTask, isSettledTask, type OutcomeTask, openTasksMax } from "./tasks/task.ts";
import type { TaskId } from "./tasks/task-id.ts";
import { countOpenTasks } from "./tasks/task-list.ts";

/** Small numbers choose among what there is: a task, a run, an escalation, a size. */
type Step = { readonly kind: number; readonly a: number; readonly b: number; readonly c: number };

/** Every run that was ever begun. Those that are over may be told of once more, late. */
type Seen = { readonly runId: RunId; readonly taskId: TaskId; isOver: boolean };

const nowhere = "task_nowhere" as TaskId;

function pick<T>(of: readonly T[], at: number): T | undefined {
  return of[at % Math.max(1, of.length)];
}
const taskAt = ({ tasks }: OutcomeState, at: number): TaskId =>
  at === 19 ? nowhere : (pick(tasks, at)?.id ?? nowhere);
const stay = (state: OutcomeState): OutcomeMove => ({ state, effects: [] });

function settleAnswer(state: OutcomeState, answer: Moved | Refused): OutcomeMove {
  return answer.isDone ? answer.move : stay(state);
}

function ask(state: OutcomeState, { a, b, c }: Step, world: HomrWorld): OutcomeMove {
  const affectedTasks = [...new Set([taskAt(state, a), taskAt(state, b)])].filter((id) => id !== nowhere);
  const options = [b, b + 1].map((at) => {
    return { id: `${at}`, label: "", description: "", implications: "", action: pick(optionActions, at) ?? "proceed" };
  });
  const asked = openEscalation(
    state,
    {
      trigger: "unclear_requirement",
      triggerTaskId: affectedTasks[0] ?? null,
      observationId: null,
      evidence: [],
      question: "Which?",
      context: "",
      options,
      affectedTasks,
      isWholeOutcome: c % 7 === 0,
      pauses: c % 5 !== 0,
      defaultOption: null,
      deadlineMs: null,
      isTainted: false,
    },
    { kind: "supervision" },
    world,
  );
  return followedBy(asked, (after) => advanceOutcome(after, world));
}

function answer(state: OutcomeState, { a, b, c }: Step, world: HomrWorld): OutcomeMove {
  const open = pick(state.escalations.filter(isOpenEscalation), a);
  if (open === undefined) return stay(state);
  const escalationId = open.id;
  if (c % 3 === 0) return settleAnswer(state, dismissEscalation(state, { escalationId, why: "" }, world));
  const option = pick(open.options, b)?.id ?? "";
  return settleAnswer(state, answerEscalation(state, { escalationId, option, additionalContext: "so" }, world));
}

/** What an observer saw that wants a great deal: drift to put right, dependencies, tasks that come and go. */
function observe({ tasks }: OutcomeState, id: TaskId, { a, b, c }: Step, world: HomrWorld): Observation {
  const [task, other] = [a, c].map((at) => pick(tasks, at)?.number ?? 1);
  const wishes: readonly SteeringWish[] = [
    { type: "add_dependency", task: task ?? 1, dependsOn: other ?? 1, reason: "so" },
    { type: "create_task", title: "More", description: "more", before: other ?? 1, reason: "so" },
    ...(c % 4 === 0 ? [{ type: "mark_obsolete", task: task ?? 1, reason: "so" } as const] : []),
  ];
  const drift = { type: "scope_creep", description: "Too much", severity: "high", evidence: "" } as const;
  return makeObservation({
    id: world.newId(),
    taskId: id,
    attempt: tasks.find((each) => each.id === id)?.attempts ?? 1,
    hasSucceeded: b % 2 === 0,
    drift: b % 3 === 1 ? [drift] : [],
    wishes,
    atMs: world.nowMs,
  });
}

function endRun(state: OutcomeState, step: Step, world: HomrWorld, seen: readonly Seen[]): OutcomeMove {
  const { a, b, c } = step;
  const ended = pick(b % 4 === 0 ? seen : seen.filter(({ isOver }) => !isOver), a);
  if (ended === undefined) return stay(state);
  ended.isOver = true;
  const { runId, taskId: id } = ended;
  const result = (["completed", "completed", "failed", "failed", "canceled"] as const)[b % 5] ?? "failed";
  const said = c % 5 === 0 ? [{ question: b % 2 === 0 ? null : "Which?", text: "This" }] : [];
  const facts = { why: "why", tail: "tail", checkpoint: null, said, hasReadUntrusted: b % 3 === 0 };
  const settled = settleAttempt(state, { runId, taskId: id, result, ...facts }, world);
  if (b % 3 === 0) return settled;
  if (settled.isLate || c % 2 === 0) return followedBy(settled, (after) => advanceOutcome(after, world));
  return followedBy(settled, (after) => applyObservation(after, observe(after, id, step, world), "", null, world));
}

const steps: readonly ((state: OutcomeState, step: Step, world: HomrWorld, seen: readonly Seen[]) => OutcomeMove)[] = [
  (state, { a, b, c }, world) => {
    const gates = c % 5 === 0 ? [{ id: "g", kind: "human_approval" as const, label: "Yes?", given: null }] : [];
    const dependsOn = b % 2 === 0 ? [taskAt(state, a)] : [];
    return settleAnswer(
      state,
      addTask(state, { title: "t", description: "", gates, dependsOn, maxAttempts: 1 + (c % 3) }, world),
    );
  },
  (state, { a, b }, world) =>
    settleAnswer(state, addDependency(state, { taskId: taskAt(state, a), dependsOn: taskAt(state, b) }, world)),
  (state, { a, b }, world) =>
    settleAnswer(state, removeDependency(state, { taskId: taskAt(state, a), dependsOn: taskAt(state, b) }, world)),
  (state, { a, b, c }, world) =>
    settleAnswer(
      state,
      editTask(
        state,
        { taskId: taskAt(state, a), version: 1 + (b % 2), change: { priority: c, maxAttempts: 1 + (b % 4) } },
        world,
      ),
    ),
  (state, { a }, world) => settleAnswer(state, retryTask(state, taskAt(state, a), world)),
  (state, { a }, world) => settleAnswer(state, obsoleteTask(state, { taskId: taskAt(state, a), why: null }, world)),
  (state, { a }, world) =>
    settleAnswer(state, satisfyGate(state, { taskId: taskAt(state, a), gateId: "g", given: "yes" }, world)),
  (state, { a, b, c }, world) =>
    settleAnswer(
      state,
      splitTask(
        state,
        {
          taskId: taskAt(state, a),
          parts: Array.from({ length: 1 + (b % 16) }, () => ({ title: "part", description: "" })),
          isInOrder: c % 2 === 0,
          madeBy: "user",
          isTainted: false,
        },
        world,
      ),
    ),
  (state, _step, world) => settleAnswer(state, startOutcome(state, world)),
  (state, _step, world) => settleAnswer(state, startOutcome(state, world)),
  (state, { a }, world) => (a % 2 === 0 ? settleAnswer(state, pauseOutcome(state, world)) : stay(state)),
  (state, _step, world) => settleAnswer(state, resumeOutcome(state, world)),
  (state, _step, world) => settleAnswer(state, resumeOutcome(state, world)),
  (state, { a }, world) => (a % 8 === 0 ? settleAnswer(state, archiveOutcome(state, world)) : stay(state)),
  (state, { a, b }, world) =>
    settleAnswer(
      state,
      editOutcome(
        state,
        {
          version: state.outcome.version,
          change: { workers: 1 + (a % 3), maxCostMicroUsd: b % 10 === 0 ? 0 : null },
          approach: null,
        },
        world,
      ),
    ),
  (state, { a, b }, world) =>
    settleAnswer(
      state,
      intervene(state, { type: "priority_change", message: "", taskId: taskAt(state, a), priority: b }, world),
    ),
  (state, { b }, world) =>
    applyReview(
      state,
      { cycle: 1 + (b % 10), findings: [], redChecks: b % 2 === 0 ? ["red"] : [], summary: "", gaps: [] },
      world,
    ),
  (state, _step, world) =>
    supervise(
      state,
      state.tasks.flatMap(({ id, runId }) =>
        runId === null
          ? []
          : [{ taskId: id, runId, startedAtMs: 0, progressAtMs: null, seenAtMs: 0, isWaiting: false, askedAtMs: null }],
      ),
      world,
    ),
  ask,
  ask,
  answer,
  answer,
  answer,
  endRun,
  endRun,
  endRun,
  endRun,
  endRun,
  endRun,
];

const waitsForItself = (tasks: readonly OutcomeTask[]): boolean => {
  const byId = indexTasks(tasks);
  let left = tasks.filter((task) => !isSettledTask(task));
  for (;;) {
    const names = new Set(left.map(({ id }) => id));
    const after = left.filter((task) => unmetDependencies(task, byId).some((id) => names.has(id)));
    if (after.length === left.length) return left.length > 0;
    left = after;
  }
};

/** What of these tasks is not as it must be, with its number. */
function findWrong({ tasks, outcome, escalations }: OutcomeState): readonly string[] {
  const paused = pausedTasks({ tasks, outcome, escalations } as OutcomeState);
  const isOver = tasks.filter(({ status }) => status === "running").length > outcome.workers;
  const numbers = tasks.map(({ number }) => number);
  return [
    ...tasks
      .filter((task) => isOpenTask(task) && (task.status === "paused") !== paused.has(task.id))
      .map(({ number }) => `paused ⇔ named: #${number}`),
    ...tasks.filter(({ attempts, maxAttempts }) => attempts > maxAttempts).map(({ number }) => `attempts: #${number}`),
    ...tasks
      .filter(({ status, runId }) => status === "running" && runId === null)
      .map(({ number }) => `runs without a run: #${number}`),
    ...(isOver ? ["more running tasks than workers"] : []),
    ...(new Set(numbers).size === numbers.length && Math.max(0, ...numbers) < outcome.nextNumber ? [] : ["numbers"]),
    ...(waitsForItself(tasks) ? ["cycle"] : []),
    ...(countOpenTasks({ tasks, outcome, escalations } as OutcomeState) <= openTasksMax ? [] : ["too many open tasks"]),
  ];
}

/** What began in this move although something held it up, and runs that two tasks have. */
function findWronglyBegun({ state, effects }: OutcomeMove): readonly string[] {
  const byId = indexTasks(state.tasks);
  const begun = effects.flatMap((effect) => (effect.kind === "start_run" ? [byId.get(effect.taskId)] : []));
  const runs = effects.flatMap((effect) => (effect.kind === "start_run" ? [effect.run.id] : []));
  return [
    ...begun.flatMap((task) => {
      if (task === undefined) return ["begun: unknown task"];
      const isHeld = unmetDependencies(task, byId).length > 0 || hasOpenGate(task);
      return isHeld || state.outcome.status !== "active" ? [`begun too early: #${task.number}`] : [];
    }),
    ...(new Set(runs).size === runs.length ? [] : ["the same run twice"]),
    ...(effects.some(({ kind }) => kind === "review") && !isAllDone(state) ? ["reviewed too early"] : []),
  ];
}

const isAllDone = ({ outcome, tasks }: OutcomeState): boolean =>
  outcome.status === "active" && tasks.every(isSettledTask);

/** Notes what began and what was canceled, and finds tasks that wait for a run that is over. */
function follow({ state, effects }: OutcomeMove, seen: Seen[]): readonly string[] {
  for (const effect of effects) {
    if (effect.kind === "start_run") seen.push({ runId: effect.run.id, taskId: effect.taskId, isOver: false });
    if (effect.kind === "cancel_run") for (const each of seen) if (each.runId === effect.runId) each.isOver = true;
  }
  const over = new Set(seen.filter(({ isOver }) => isOver).map(({ runId }) => runId));
  const waiting = state.tasks.filter((task) => isOpenTask(task) && task.runId !== null && over.has(task.runId));
  return waiting.map(({ number }) => `waits for a run that is over: #${number}`);
}

/** Long enough that tasks fail for good, are split again and fill the list. */
const walks = fc.array(fc.record({ kind: fc.nat(steps.length - 1), a: fc.nat(39), b: fc.nat(39), c: fc.nat(39) }), {
  minLength: 200,
  maxLength: 200,
});

/** 2 and 3 wait for 1, and 4 for both. */
const firstTasks = [makeTask(1), makeTask(2, { dependsOn: [taskId(1)] }), makeTask(3, { dependsOn: [taskId(1)] })];
const last = makeTask(4, { dependsOn: [taskId(2), taskId(3)] });
const nearlyFull = Array.from({ length: openTasksMax - 8 }, (_, index) => makeTask(5 + index, { priority: 500 }));

function walk(over: readonly Step[], isNearlyFull: boolean): void {
  let made = 0;
  const seen: Seen[] = [];
  const tasks = [...firstTasks, last, ...(isNearlyFull ? nearlyFull : [])];
  let state = makeState({ outcome: makeOutcome({ nextNumber: tasks.length + 1 }), tasks });
  for (const [at, step] of over.entries()) {
    const world = { nowMs: at * 60_000, newId: () => `id00000${++made}` };
    const move = steps[step.kind]?.(state, step, world, seen) ?? stay(state);
    const wrong = [...findWrong(move.state), ...findWronglyBegun(move), ...follow(move, seen)];
    if (wrong.length > 0) expect(wrong, `after step ${at}`).toEqual([]);
    // Like a store, which reads only the open ones.
    state = { ...move.state, escalations: move.state.escalations.filter(isOpenEscalation) };
  }
}

property.prop([walks, fc.nat(3).map((of4) => of4 === 0)], { numRuns: 40 })(
  "whatever happens to an outcome, its invariants hold",
  walk,
);

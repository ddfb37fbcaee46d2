import { expect, test } from "vitest";
import {
  activitiesOf,
  makeEscalation,
  makeState,
  makeTask,
  makeWorld,
  taskId,
} from "../../../../test/helpers/make-outcome.ts";
import type { RunId } from "../../run/run.ts";
import { taskOf } from "../state-changes.ts";
import { type EndedRun, settleAttempt } from "./settle-attempt.ts";
import type { OutcomeTask } from "./task.ts";

const running: Partial<OutcomeTask> = { status: "running", runId: "run_1" as RunId, attempts: 1 };
const ended: EndedRun = {
  runId: "run_1" as RunId,
  taskId: taskId(2),
  result: "failed",
  why: "It stopped at its limit",
  tail: "half of it is written",
  checkpoint: null,
  said: [],
  hasReadUntrusted: false,
};

function check(
  over: Partial<EndedRun> = {},
  task: Partial<OutcomeTask> = {},
  escalations = [] as ReturnType<typeof makeEscalation>[],
) {
  const state = makeState({ tasks: [makeTask(2, { ...running, ...task })], escalations });
  const move = settleAttempt(state, { ...ended, ...over }, makeWorld());
  return { ...move, before: state, task: taskOf(move.state, taskId(2)) };
}

test("a run that completed completes its task", () => {
  const { task, isLate } = check({ result: "completed" });
  expect(task).toMatchObject({ status: "completed", runId: "run_1", failures: [] });
  expect(isLate).toBe(false);
});
test("a run that failed leaves its task to the next attempt, which is told why", () => {
  const { task } = check();
  expect(task).toMatchObject({ status: "pending", runId: null, attempts: 1 });
  const { why, tail } = ended;
  expect(task.failures).toEqual([{ attempt: 1, runId: "run_1", why, tail, isTainted: false }]);
});
test("with the last attempt the task has failed", () => {
  expect(check({}, { attempts: 3 }).task).toMatchObject({ status: "failed", runId: "run_1" });
});
test("a run that was canceled is not tried again by itself", () => {
  expect(check({ result: "canceled" }).task).toMatchObject({ status: "failed", autoRetriesLeft: 0 });
});
test("how far it got is kept", () => {
  const checkpoint = { summary: "Two of three pages", remaining: ["The third page"], isTainted: false };
  expect(check({ checkpoint }).task.checkpoint).toEqual(checkpoint);
});
test("a later attempt without a word about that does not take it away", () => {
  const checkpoint = { summary: "Two of three pages", remaining: [], isTainted: false };
  expect(check({}, { checkpoint }).task.checkpoint).toEqual(checkpoint);
});
test("a task that a question names stays paused between its attempts", () => {
  expect(check({}, { status: "paused" }, [makeEscalation()]).task).toMatchObject({ status: "paused", runId: null });
});
test("a question named a run that completes all the same: the task is completed", () => {
  expect(check({ result: "completed" }, { status: "paused" }, [makeEscalation()]).task.status).toBe("completed");
});
test("what failed attempts leave behind is bounded", () => {
  const long = { why: "w".repeat(5_000), tail: `${"t".repeat(50_000)}the end` };
  const old = { why: "", tail: "", isTainted: false };
  const failures = Array.from({ length: 5 }, (_, attempt) => ({ ...old, attempt, runId: `old_${attempt}` }));
  const { task } = check(long, { failures, attempts: 6, maxAttempts: 9 });
  expect(task.failures).toHaveLength(5);
  expect(task.failures.at(-1)?.why).toHaveLength(1_000);
  expect(task.failures.at(-1)?.tail).toHaveLength(2_000);
  expect(task.failures.at(-1)?.tail).toMatch(/the end$/);
});

test("what the user said to a run is told to all tasks, and to the next attempt", () => {
  const said = [
    { question: null, text: "Plain, please" },
    { question: "Which colour?", text: "Red" },
  ];
  const { state } = check({ said });
  const { injections } = state.context;
  expect(injections.map(({ content, isTainted }) => [content, isTainted])).toEqual([
    ["(during #2) Plain, please", false],
    ["(asked during #2: Which colour?)\nThe answer: Red", false],
  ]);
  expect(injections).toMatchObject([
    { audience: "every", sourceTaskId: null, priority: "must_know" },
    { audience: "every", sourceTaskId: null, priority: "must_know" },
  ]);
  const strange = check({ said, hasReadUntrusted: true }).state.context.injections;
  expect(strange.map(({ isTainted }) => isTainted)).toEqual([false, true]);
});

const late: readonly (readonly [string, Partial<EndedRun>, Partial<OutcomeTask>])[] = [
  ["of a run before the one that the task has", { runId: "run_0" as RunId }, {}],
  ["of a task between two attempts", {}, { status: "pending", runId: null }],
  ["of a task that was skipped", {}, { status: "obsolete" }],
  ["that was settled before", {}, { status: "completed" }],
  ["of a task that is not there", { taskId: taskId(77) }, {}],
];
test.each(late)("an end %s changes nothing and is logged", (_name, over, task) => {
  const move = check({ result: "completed", ...over }, task);
  expect(move.state).toBe(move.before);
  expect(move.isLate).toBe(true);
  expect(activitiesOf(move)).toEqual([
    expect.objectContaining({ details: expect.objectContaining({ is_late: true }) }),
  ]);
});

test("what the user said to a run that was taken from its task is kept, and only once", () => {
  const said = [{ question: "Which colour?", text: "Red" }];
  const kept = (over: Partial<OutcomeTask>) =>
    check({ result: "canceled", said }, over).state.context.injections.map(({ content }) => content);
  const words = ["(asked during #2: Which colour?)\nThe answer: Red"];
  expect(kept({ status: "running", runId: "run_2" as RunId })).toEqual(words);
  expect(kept({ status: "pending", runId: null })).toEqual(words);
  expect(kept({ status: "obsolete" })).toEqual(words);
  expect(kept({ status: "failed" })).toEqual([]);
});

test("the log says which attempt it was and what came of it", () => {
  const [activity] = activitiesOf(check());
  expect(activity?.summary).toBe("#2 “Task 2”: attempt 1 of 3 failed. It stopped at its limit");
});

test("whether it had read words of strangers is kept with what it said", () => {
  expect(check().task.failures).toMatchObject([{ tail: "half of it is written", isTainted: false }]);
  expect(check({ hasReadUntrusted: true }).task.failures).toMatchObject([{ isTainted: true }]);
});

import { expect, test } from "vitest";
import {
  makeEscalation,
  makeOutcome,
  makeState,
  makeTask,
  makeWorld,
  taskId,
} from "../../../test/helpers/make-outcome.ts";
import type { RunId } from "../run/run.ts";
import { advanceOutcome, supervisionEveryMs } from "./advance-outcome.ts";
import { resumeOutcome } from "./commands/outcome-commands.ts";
import { defaultAutoResolve } from "./homr-config.ts";
import type { Outcome } from "./outcome.ts";
import type { OutcomeEffect, OutcomeMove, OutcomeState } from "./outcome-state.ts";
import { taskOf } from "./state-changes.ts";
import type { Gate, OutcomeTask, TaskStatus } from "./tasks/task.ts";

const nowMs = 2_000;
const gate: Gate = { id: "yes", kind: "human_approval", label: "The boss agrees", given: null };
const done = makeTask(1, { status: "completed" });
const failed = makeTask(2, { status: "failed", attempts: 3, runId: "run_2" as RunId });
const blocked = makeTask(3, { dependsOn: [taskId(2)] });

function check(
  tasks: readonly OutcomeTask[],
  over: Partial<Outcome> = {},
  more: Partial<OutcomeState> = {},
): OutcomeMove {
  return advanceOutcome(makeState({ outcome: makeOutcome(over), tasks, ...more }), makeWorld(nowMs));
}
const kinds = ({ effects }: OutcomeMove) => effects.map(({ kind }) => kind);
const statuses = ({ state }: OutcomeMove): readonly TaskStatus[] => state.tasks.map(({ status }) => status);
const find = <K extends OutcomeEffect["kind"]>({ effects }: OutcomeMove, kind: K) =>
  effects.filter((effect): effect is Extract<OutcomeEffect, { kind: K }> => effect.kind === kind);

test("a task that may begin gets a run and uses an attempt", () => {
  const move = check([makeTask(1)]);
  const [begun] = find(move, "start_run");
  expect(taskOf(move.state, taskId(1))).toMatchObject({ status: "running", attempts: 1, runId: begun?.run.id });
  expect(begun?.taskId).toBe(taskId(1));
});
test("a second time nothing more begins", () => {
  const once = check([makeTask(1), makeTask(2)]);
  expect(kinds(advanceOutcome(once.state, makeWorld(nowMs)))).toEqual(["look_again"]);
});
test("a run that rested goes on, and no attempt is used", () => {
  const move = check([makeTask(1, { attempts: 1, runId: "run_1" as RunId })]);
  expect(find(move, "resume_run").map(({ runId }) => runId)).toEqual(["run_1"]);
  expect(find(move, "start_run")).toEqual([]);
  expect(taskOf(move.state, taskId(1))).toMatchObject({ status: "running", attempts: 1 });
});
test("two tasks that come free at once for one worker: the first goes on, the other waits with its run", () => {
  const resting = [1, 2].map((number) =>
    makeTask(number, { status: "paused", attempts: 1, runId: `run_${number}` as RunId }),
  );
  const move = check(resting, { workers: 1 });
  expect(statuses(move)).toEqual(["running", "pending"]);
});
test("a question that came up pauses what it names before anything begins", () => {
  const move = check([makeTask(2), makeTask(4)], {}, { escalations: [makeEscalation()] });
  expect(statuses(move)).toEqual(["paused", "running"]);
});

test("while tasks run, someone looks again soon", () => {
  expect(find(check([makeTask(1)]), "look_again")).toEqual([{ kind: "look_again", atMs: nowMs + supervisionEveryMs }]);
});
test("and at the deadline of a question, if that is sooner", () => {
  const escalations = [makeEscalation({ deadlineMs: nowMs + 5 })];
  expect(find(check([makeTask(1)], {}, { escalations }), "look_again")[0]?.atMs).toBe(nowMs + 5);
});
test("but not at one that has passed", () => {
  const escalations = [makeEscalation({ deadlineMs: nowMs - 5 })];
  expect(find(check([makeTask(2)], {}, { escalations }), "look_again")).toEqual([]);
});
test("in a paused outcome nothing begins, and deadlines still count", () => {
  const escalations = [makeEscalation({ deadlineMs: nowMs + 5 })];
  expect(kinds(check([makeTask(2), makeTask(4)], { status: "paused" }, { escalations }))).toEqual(["look_again"]);
});

test("when all tasks have ended, the outcome is reviewed", () => {
  expect(kinds(check([done, makeTask(2, { status: "obsolete" })]))).toEqual(["review"]);
});
test("not while a question about the whole is open", () => {
  const escalations = [makeEscalation({ isWholeOutcome: true, affectedTasks: [] })];
  expect(kinds(check([done], {}, { escalations }))).toEqual([]);
});
test("nor while one is open that concerns no open task; once it is answered, it is", () => {
  const open = makeEscalation({ affectedTasks: [] });
  expect(kinds(check([done], {}, { escalations: [open] }))).toEqual([]);
  const answered = { ...open, state: { status: "dismissed", atMs: 1, why: "no matter" } } as const;
  expect(kinds(check([done], {}, { escalations: [answered] }))).toEqual(["review"]);
});
test("and not while a task is left that failed", () => {
  expect(kinds(check([done, failed]))).not.toContain("review");
});

test("a failed task that holds up all that is left is tried again", () => {
  const move = check([done, failed, blocked]);
  expect(taskOf(move.state, taskId(2))).toMatchObject({
    status: "running",
    attempts: 4,
    maxAttempts: 4,
    autoRetriesLeft: 1,
  });
});
test("so is one that is all that is left", () => {
  expect(statuses(check([done, failed]))).toEqual(["completed", "running"]);
});
test("not while something else can go on", () => {
  expect(statuses(check([failed, blocked, makeTask(4)]))).toEqual(["failed", "pending", "running"]);
});
test("not while a person is asked about it", () => {
  const escalations = [makeEscalation({ trigger: "consecutive_failures", affectedTasks: [failed.id] })];
  expect(kinds(check([done, failed, blocked], {}, { escalations }))).toEqual([]);
});
test("not if nothing waits for it and other tasks wait for a person", () => {
  const move = check([failed, makeTask(4)], {}, { escalations: [makeEscalation({ affectedTasks: [taskId(4)] })] });
  expect(statuses(move)).toEqual(["failed", "paused"]);
});

const givenUp = { ...failed, autoRetriesLeft: 0 };
test("after two such tries a person is asked, once", () => {
  const move = check([done, givenUp, blocked]);
  expect(move.state.escalations).toMatchObject([{ trigger: "blocked", affectedTasks: [failed.id], pauses: false }]);
  expect(kinds(move)).toEqual(["log", "notify_owner"]);
  expect(kinds(advanceOutcome(move.state, makeWorld(nowMs)))).toEqual([]);
});
test("where models may answer, one is asked", () => {
  expect(kinds(check([givenUp], { autoResolve: { ...defaultAutoResolve, mode: "semi_auto" } }))).toContain(
    "resolve_escalation",
  );
});
test("the question is closed once work goes on", () => {
  const asked = check([done, givenUp, blocked]).state;
  const move = advanceOutcome({ ...asked, tasks: [...asked.tasks, makeTask(4)] }, makeWorld(nowMs));
  expect(move.state.escalations[0]?.state.status).toBe("dismissed");
});
test("and not asked again in the move that dismissed it", () => {
  const asked = check([done, givenUp, blocked]).state;
  const dismissed = { status: "dismissed", atMs: nowMs, why: "" } as const;
  const escalations = asked.escalations.map((each) => ({ ...each, state: dismissed }));
  expect(kinds(advanceOutcome({ ...asked, escalations }, makeWorld(nowMs)))).toEqual([]);
});

test("a task that only its gate holds up is asked about, and paused", () => {
  const move = check([makeTask(1, { gates: [gate] })]);
  expect(statuses(move)).toEqual(["paused"]);
  expect(move.state.escalations).toMatchObject([{ trigger: "gate", triggerTaskId: taskId(1), pauses: true }]);
});
test("no model answers for a gate", () => {
  const move = check([makeTask(1, { gates: [gate] })], {
    autoResolve: { ...defaultAutoResolve, mode: "full_auto", threshold: 0 },
  });
  expect(kinds(move)).not.toContain("resolve_escalation");
});
test("not before its dependencies have ended", () => {
  const move = check([makeTask(1), makeTask(2, { gates: [gate], dependsOn: [taskId(1)] })]);
  expect(move.state.escalations).toEqual([]);
});
test("a question about a gate that was dismissed is not put again", () => {
  const move = check([makeTask(1, { gates: [{ ...gate, isAsked: true }] })]);
  expect([statuses(move), move.state.escalations]).toEqual([["pending"], []]);
});
test("one whose gate was given meanwhile is closed, and the task begins", () => {
  const asked = check([makeTask(1, { gates: [gate] })]).state;
  const tasks = asked.tasks.map((task) => ({ ...task, gates: [{ ...gate, given: "Agreed" }] }));
  const move = advanceOutcome({ ...asked, tasks }, makeWorld(nowMs));
  expect(move.state.escalations[0]?.state).toMatchObject({ status: "dismissed", why: "what it waited for was given" });
  expect(statuses(move)).toEqual(["running"]);
});

test("once the money is spent and nothing runs, the outcome is paused and its owner told", () => {
  const spent = { costMicroUsd: 3_000_000, tokens: 0, unpricedCalls: 0 };
  const move = check([makeTask(1)], { maxCostMicroUsd: 3_000_000, spent });
  expect(move.state.outcome.status).toBe("paused");
  expect(find(move, "notify_owner")).toEqual([{ kind: "notify_owner", about: "stopped", id: "outcome_1" }]);
  expect(JSON.stringify(move.effects)).toContain("$3.00");
});
test("what still runs is paused with it: several runs may have spent together what each was given", () => {
  const spent = { costMicroUsd: 5, tokens: 0, unpricedCalls: 0 };
  const atWork = [1, 2].map((number) => makeTask(number, { status: "running", runId: `run_${number}` as RunId }));
  const move = check([...atWork, makeTask(3)], { maxCostMicroUsd: 5, spent });
  expect([move.state.outcome.status, statuses(move)]).toEqual(["paused", ["running", "running", "pending"]]);
  expect(find(move, "pause_run").map(({ runId }) => runId)).toEqual(["run_1", "run_2"]);
  const raised = { ...move.state, outcome: { ...move.state.outcome, maxCostMicroUsd: 6 } };
  const resumed = resumeOutcome(raised, makeWorld(nowMs));
  expect(resumed.isDone && find(resumed.move, "resume_run").map(({ runId }) => runId)).toEqual(["run_1", "run_2"]);
});

test("100 tasks of which one failed are looked at in one go, with 9,900 that have ended", () => {
  const ended = Array.from({ length: 9_900 }, (_, index) => makeTask(index + 1, { status: "completed" }));
  const open = Array.from({ length: 100 }, (_, index) =>
    makeTask(9_901 + index, { dependsOn: index === 0 ? [] : [taskId(9_900 + index)] }),
  );
  const move = check([...ended, ...open], { workers: 3 });
  expect(find(move, "start_run").map(({ taskId: id }) => id)).toEqual([taskId(9_901)]);
});

test("an outcome that is still being drafted is not reviewed; one with an intent is", () => {
  const intent = { summary: "", items: [], successCriteria: [] };
  expect(kinds(check([], { nextNumber: 1, intent }))).not.toContain("review");
  expect(kinds(check([], { nextNumber: 1, intent: { ...intent, summary: "A shop" } }))).toContain("review");
});

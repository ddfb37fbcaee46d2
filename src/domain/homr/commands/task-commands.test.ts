import { expect, test } from "vitest";
import {
  makeEscalation,
  makeOutcome,
  makeState,
  makeTask,
  makeWorld,
  taskId,
} from "../../../../test/helpers/make-outcome.ts";
import type { Check } from "../../run/checks/check.ts";
import type { RunId } from "../../run/run.ts";
import type { OutcomeState } from "../outcome-state.ts";
import { taskOf } from "../state-changes.ts";
import { settleAttempt } from "../tasks/settle-attempt.ts";
import { type Gate, type OutcomeTask, openTasksMax, type TaskStatus } from "../tasks/task.ts";
import type { Commanded } from "./command.ts";
import {
  addDependency,
  addTask,
  editTask,
  obsoleteTask,
  removeDependency,
  retryTask,
  satisfyGate,
} from "./task-commands.ts";

const world = makeWorld();
const gate: Gate = { id: "yes", kind: "human_approval", label: "The boss agrees", given: null };
const run = { runId: "run_2" as RunId, attempts: 1 };

/** One worker, and a task before the one that is meant keeps it busy. */
const withTask = (over: Partial<OutcomeTask> = {}, ...others: readonly OutcomeTask[]): OutcomeState =>
  makeState({
    outcome: makeOutcome({ workers: 1 }),
    tasks: [makeTask(1, { status: over.status === "running" ? "completed" : "running" }), makeTask(2, over), ...others],
  });

function moved(answer: Commanded) {
  if (!answer.isDone) throw new Error(answer.why);
  return { ...answer.move, task: taskOf(answer.move.state, taskId(2)) };
}
const refused = (answer: Commanded) => (answer.isDone ? null : answer.why);
const kinds = (answer: Commanded) => moved(answer).effects.map(({ kind }) => kind);

test("a new task gets the next number, and begins if it may", () => {
  const state = makeState({ outcome: makeOutcome({ nextNumber: 5 }), tasks: [] });
  const added = addTask(state, { title: "Paint", description: "Blue" }, makeWorld());
  expect(added.isDone && added.move.state.tasks).toMatchObject([{ number: 5, title: "Paint", status: "running" }]);
  expect(added.isDone && added.move.state.outcome.nextNumber).toBe(6);
});
test("clean reviews were reviews of less", () => {
  const state = makeState({ outcome: makeOutcome({ cleanReviews: 1 }) });
  const added = addTask(state, { title: "Paint", description: "" }, world);
  expect(added.isDone && added.move.state.outcome.cleanReviews).toBe(0);
});
test("a task that depends on one that is not there is refused", () => {
  expect(refused(addTask(withTask(), { title: "x", description: "", dependsOn: [taskId(9)] }, world))).toContain(
    "depends on",
  );
});
test("the hundredth open task is added, the next one refused, however many have ended", () => {
  const open = (count: number) => Array.from({ length: count }, (_, index) => makeTask(index + 1));
  const ended = Array.from({ length: 10_000 }, (_, index) => makeTask(1_000 + index, { status: "completed" }));
  const add = (count: number) =>
    addTask(makeState({ tasks: [...open(count), ...ended] }), { title: "x", description: "" }, world);
  expect(add(openTasksMax - 1).isDone).toBe(true);
  expect(refused(add(openTasksMax))).toContain("at most 100 open tasks");
});

const edit = (over: Partial<OutcomeTask>, change: Parameters<typeof editTask>[1]["change"], version = 1) =>
  editTask(withTask(over), { taskId: taskId(2), version, change }, world);
test("an edit raises the version", () => {
  expect(moved(edit({}, { title: "New" })).task).toMatchObject({ title: "New", version: 2 });
});
test("an edit of an older version is refused and says so", () => {
  expect(refused(edit({ version: 4 }, { title: "New" }, 3))).toBe(
    "Task #2 was changed meanwhile (version 4, yours is 3): reload it",
  );
});
test("a worker that has the task is told what it is now", () => {
  const { state, task, effects } = moved(edit({ status: "running", ...run }, { description: "Paint it red" }));
  expect(task).toMatchObject({ status: "running", runId: "run_2" });
  expect(state.context.injections).toMatchObject([{ priority: "must_know", audience: [taskId(2)], isTainted: false }]);
  expect(state.context.injections[0]?.content).toContain("Paint it red");
  expect(effects.map(({ kind }) => kind)).not.toContain("cancel_run");
});
const check = (path: string): Check => ({
  id: `of ${path}`,
  deliverableId: null,
  target: { kind: "file_exists", path },
  givenBy: "user",
});
test.each([
  ["one more", [check("a.md")], [check("a.md"), check("b.md")]],
  ["one less", [check("a.md")], []],
  ["another one", [check("a.md")], [check("b.md")]],
])(
  "a worker whose task is held to %s check makes way for another, and the attempt does not count",
  (_name, checks, changed) => {
    const { task, effects } = moved(edit({ status: "running", ...run, checks }, { checks: changed }));
    expect(effects).toContainEqual({
      kind: "cancel_run",
      runId: "run_2",
      why: "What its task is checked by has changed",
    });
    expect(task).toMatchObject({ checks: changed, status: "running", attempts: 2, maxAttempts: 4 });
    const begun = effects.flatMap((effect) => (effect.kind === "start_run" ? effect.run : []));
    expect(begun.map(({ id }) => id)).toEqual([task.runId]);
    expect(begun[0]?.checks?.slice(0, -1)).toEqual(changed);
    const said = effects.flatMap((effect) => (effect.kind === "log" ? effect.activity.summary : []));
    expect(said).toContainEqual(expect.stringContaining("begun anew"));
  },
);
test("the same checks once more do not disturb it, nor others a task that waits", () => {
  const checks = [check("a.md")];
  const again = edit({ status: "running", ...run, checks }, { checks: [{ ...check("a.md"), id: "given anew" }] });
  expect(moved(again).task).toMatchObject({ status: "running", runId: "run_2" });
  expect(kinds(edit({ checks }, { checks: [] }))).not.toContain("cancel_run");
});
test("a changed priority is no news for it", () => {
  const { state } = moved(edit({ status: "running", ...run }, { priority: 1 }));
  expect(state.context.injections).toEqual([]);
});
test.each([
  ["between two attempts", { status: "pending", attempts: 2 }, 3],
  ["during its second attempt", { status: "running", attempts: 2, runId: "run_2" as RunId }, 2],
  ["after it failed", { status: "failed", attempts: 2 }, 2],
] as const)("%s it keeps as many attempts as it needs", (_name, task, least) => {
  expect(edit(task, { maxAttempts: least }).isDone).toBe(true);
  expect(refused(edit(task, { maxAttempts: least - 1 }))).toContain(`at least ${least}`);
});

const ends: readonly TaskStatus[] = ["completed", "obsolete"];
test.each(ends)("nothing can be done to a task that is %s", (status) => {
  const state = withTask({ status, gates: [gate] });
  const id = taskId(2);
  const answers = [
    editTask(state, { taskId: id, version: 1, change: {} }, world),
    retryTask(state, id, world),
    obsoleteTask(state, { taskId: id, why: null }, world),
    addDependency(state, { taskId: id, dependsOn: taskId(1) }, world),
    satisfyGate(state, { taskId: id, gateId: "yes", given: "" }, world),
  ];
  expect(answers.map(refused)).toEqual(answers.map(() => `Task #2 is ${status}: add a new task instead`));
});
test("nor to one that is not there", () => {
  const state = withTask();
  const answers = [
    editTask(state, { taskId: taskId(9), version: 1, change: {} }, world),
    retryTask(state, taskId(9), world),
    obsoleteTask(state, { taskId: taskId(9), why: null }, world),
    addDependency(state, { taskId: taskId(9), dependsOn: taskId(1) }, world),
    addDependency(state, { taskId: taskId(2), dependsOn: taskId(9) }, world),
    removeDependency(state, { taskId: taskId(9), dependsOn: taskId(1) }, world),
    satisfyGate(state, { taskId: taskId(9), gateId: "yes", given: "" }, world),
  ];
  expect(answers.map(refused)).toEqual(answers.map(() => "The outcome has no such task"));
});

test("a failed task gets another attempt", () => {
  const failed = { status: "failed", attempts: 3, autoRetriesLeft: 0, runId: run.runId } as const;
  expect(moved(retryTask(withTask(failed), taskId(2), world)).task).toMatchObject({
    status: "pending",
    runId: null,
    maxAttempts: 4,
    autoRetriesLeft: 2,
    version: 2,
  });
});
test("one that is still named by a question is paused with it", () => {
  const state = { ...withTask({ status: "failed", attempts: 3 }), escalations: [makeEscalation()] };
  expect(moved(retryTask(state, taskId(2), world)).task.status).toBe("paused");
});
test("a task that a worker has begins anew with another run, at no cost of attempts", () => {
  const { effects, task } = moved(retryTask(withTask({ status: "running", ...run }), taskId(2), world));
  expect(effects.map(({ kind }) => kind)).toEqual(["cancel_run", "log", "start_run", "look_again"]);
  expect(task).toMatchObject({ status: "running", attempts: 2, maxAttempts: 4 });
  expect(task.runId).not.toBe("run_2");
});
test("a task that waits has nothing to try again", () => {
  expect(refused(retryTask(withTask(), taskId(2), world))).toBe("Task #2 has not failed: it is pending");
});

test("the run of a task that is skipped is canceled, and what waits for it goes on", () => {
  const waits = makeTask(3, { dependsOn: [taskId(2)] });
  const answer = obsoleteTask(
    withTask({ status: "running", ...run }, waits),
    { taskId: taskId(2), why: "Too dear" },
    world,
  );
  const { task, state } = moved(answer);
  expect(task).toMatchObject({ status: "obsolete", why: "Too dear", maxAttempts: 3 });
  expect(kinds(answer)).toContain("cancel_run");
  expect(taskOf(state, taskId(3)).status).toBe("running");
});
test("its run may end all the same: that changes nothing", () => {
  const { state } = moved(
    obsoleteTask(withTask({ status: "running", ...run }), { taskId: taskId(2), why: null }, world),
  );
  const ended = {
    runId: run.runId,
    taskId: taskId(2),
    result: "completed",
    why: "",
    tail: "",
    checkpoint: null,
    said: [],
    hasReadUntrusted: false,
  } as const;
  expect(settleAttempt(state, ended, world)).toMatchObject({ isLate: true, state: { tasks: state.tasks } });
});

const edge = { taskId: taskId(2), dependsOn: taskId(3) };
test("a dependency that would close a cycle is refused with the reason", () => {
  const state = withTask({}, makeTask(3, { dependsOn: [taskId(2)] }));
  expect(refused(addDependency(state, edge, world))).toBe("#3 waits for #2 already: #2 cannot wait for #3");
  expect(refused(addDependency(state, { ...edge, dependsOn: taskId(2) }, world))).toContain("cannot wait for #2");
});
test("the same dependency twice is one", () => {
  const once = moved(addDependency(withTask({}, makeTask(3)), edge, world));
  const twice = moved(addDependency(once.state, edge, world));
  expect(twice.task).toEqual(once.task);
});
test("a task that a worker has rests until the other one has ended", () => {
  const answer = addDependency(withTask({ status: "running", ...run }, makeTask(3)), edge, world);
  expect(moved(answer).task).toMatchObject({ status: "pending", runId: "run_2" });
  expect(kinds(answer)).toEqual(["pause_run", "log", "start_run", "look_again"]);
});
test("without the dependency it goes on", () => {
  const state = moved(addDependency(withTask({ status: "running", ...run }, makeTask(3)), edge, world)).state;
  const free = { ...state, outcome: { ...state.outcome, workers: 2 } };
  const { task, effects } = moved(removeDependency(free, edge, world));
  expect(task).toMatchObject({ status: "running", runId: "run_2", dependsOn: [] });
  expect(effects.map(({ kind }) => kind)).toContain("resume_run");
});
test("a dependency that is not there cannot be removed", () => {
  expect(refused(removeDependency(withTask({}, makeTask(3)), edge, world))).toContain("does not wait");
});

const give = (over: Partial<OutcomeTask>, gateId = "yes") =>
  satisfyGate(withTask(over), { taskId: taskId(2), gateId, given: "Agreed" }, world);
test("a gate that is given stays given", () => {
  expect(moved(give({ gates: [gate] })).task.gates).toEqual([{ ...gate, given: "Agreed" }]);
});
test("a gate is given once", () => {
  expect(refused(give({ gates: [{ ...gate, given: "Agreed" }] }))).toBe("“The boss agrees” was given already");
});
test("a gate that is not there cannot be given", () => {
  expect(refused(give({ gates: [gate] }, "no"))).toBe("Task #2 has no such gate");
});

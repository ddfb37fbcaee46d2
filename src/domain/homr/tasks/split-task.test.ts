import { expect, test } from "vitest";
import { makeOutcome, makeState, makeTask, makeWorld, taskId } from "../../../../test/helpers/make-outcome.ts";
import { makeCheck } from "../../../../test/helpers/make-run.ts";
import type { RunId } from "../../run/run.ts";
import type { Commanded } from "../commands/command.ts";
import { intervene } from "../commands/outcome-commands.ts";
import { taskOf } from "../state-changes.ts";
import { type Split, splitTask } from "./split-task.ts";
import { type OutcomeTask, openTasksMax, splitDepthMax } from "./task.ts";

const parts = ["Walls", "Roof"].map((title) => ({ title, description: `Build the ${title}` }));
const split: Split = { taskId: taskId(2), parts, isInOrder: false, madeBy: "user", isTainted: false };

/** 2 is split: it waits for 1, and 3 waits for it. */
function check(over: Partial<Split> = {}, task: Partial<OutcomeTask> = {}, more: readonly OutcomeTask[] = []) {
  const tasks = [
    makeTask(1, { status: "completed" }),
    makeTask(2, { title: "House", dependsOn: [taskId(1)], ...task }),
    makeTask(3, { dependsOn: [taskId(2)] }),
    ...more,
  ];
  const state = makeState({ outcome: makeOutcome({ nextNumber: 10, workers: 3 }), tasks });
  return splitTask(state, { ...split, ...over }, makeWorld());
}

function moved(answer: Commanded) {
  if (!answer.isDone) throw new Error(answer.why);
  return answer.move;
}
function done(...of: Parameters<typeof check>) {
  const { state, effects } = moved(check(...of));
  const made = state.tasks.filter(({ splitOf }) => splitOf === taskId(2));
  return { state, effects, made, verify: made.at(-1), parts: made.slice(0, -1) };
}
const refused = (...of: Parameters<typeof check>) => {
  const answer = check(...of);
  return answer.isDone ? null : answer.why;
};

test("the parts begin in its place, and the task itself is obsolete", () => {
  const { state, parts: made } = done();
  expect(made).toMatchObject([
    { number: 10, title: "Walls", status: "running", dependsOn: [taskId(1)], splitDepth: 1 },
    { number: 11, title: "Roof", status: "running", dependsOn: [taskId(1)], splitDepth: 1 },
  ]);
  expect(taskOf(state, taskId(2))).toMatchObject({ status: "obsolete", why: "Split into #10, #11, #12" });
});
test("a task at the end verifies them, with the checks of the whole", () => {
  const checks = [makeCheck()];
  const { verify, parts: made } = done({}, { checks });
  expect(verify).toMatchObject({ number: 12, title: "Verify: House", status: "pending", checks });
  expect(verify?.dependsOn).toEqual(made.map(({ id }) => id));
  expect(made.flatMap((part) => part.checks)).toEqual([]);
});
test("what waited for the whole waits for the verification", () => {
  const { state, verify } = done();
  expect(taskOf(state, taskId(3)).dependsOn).toEqual([verify?.id]);
});
test("in order, each part waits for the one before it", () => {
  const { parts: made } = done({ isInOrder: true });
  expect(made.map(({ status }) => status)).toEqual(["running", "pending"]);
  expect(made[1]?.dependsOn).toContain(made[0]?.id);
});
test("what was said for the whole holds for its parts", () => {
  const tasks = [makeTask(1), makeTask(2, { title: "House" })];
  const begun = makeState({ outcome: makeOutcome({ nextNumber: 10 }), tasks });
  const tell = (state: typeof begun, message: string, whom: number) =>
    moved(intervene(state, { type: "redirect", message, taskId: taskId(whom) }, makeWorld())).state;
  const told = tell(tell(begun, "Use wood", 2), "Use stone", 1);
  const { tasks: after, context } = moved(splitTask(told, split, makeWorld())).state;
  const made = after.filter(({ splitOf }) => splitOf === taskId(2)).map(({ id }) => id);
  expect(made).toHaveLength(3);
  expect(context.injections).toMatchObject([
    { content: "Use wood", audience: [taskId(2), ...made] },
    { content: "Use stone", audience: [taskId(1)] },
  ]);
});
test("its run is canceled", () => {
  const { effects } = done({}, { status: "running", runId: "run_2" as RunId, attempts: 1 });
  expect(effects[0]).toEqual({ kind: "cancel_run", runId: "run_2", why: "Its task was skipped" });
});
test("parts of a tainted task are tainted", () => {
  expect(done({}, { isTainted: true }).made.every(({ isTainted }) => isTainted)).toBe(true);
});
test.each([1, 16])("into %i parts it cannot be split", (count) => {
  const many = Array.from({ length: count }, () => ({ title: "x", description: "" }));
  expect(refused({ parts: many })).toContain("2 to 15 parts");
});
test("parts of parts of parts are not split further", () => {
  expect(refused({}, { splitDepth: splitDepthMax })).toContain("cannot be split again");
  expect(refused({}, { splitDepth: splitDepthMax - 1 })).toBe(null);
});
test("nor is what waits for its gate", () => {
  const gates = [{ id: "yes", kind: "human_approval", label: "The boss agrees", given: null }] as const;
  expect(refused({}, { gates })).toContain("waits for its gate");
});
test("parts and verification have to have a place", () => {
  const others = (count: number) => Array.from({ length: count }, (_, index) => makeTask(100 + index));
  // Open are 2, 3 and the others; two parts and the verification come, and 2 goes.
  expect(refused({}, {}, others(openTasksMax - 4))).toBe(null);
  expect(refused({}, {}, others(openTasksMax - 3))).toContain("at most 100");
});

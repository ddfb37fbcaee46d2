import { expect, test } from "vitest";
import { expectEvenGrowth } from "../../../../test/helpers/even-growth.ts";
import { makeEscalation, makeOutcome, makeState, makeTask, taskId } from "../../../../test/helpers/make-outcome.ts";
import type { RunId } from "../../run/run.ts";
import type { Outcome } from "../outcome.ts";
import type { OutcomeState } from "../outcome-state.ts";
import { pickTasks } from "./pick-tasks.ts";
import type { Gate, OutcomeTask } from "./task.ts";

/** The numbers of those that begin, with three workers. */
function check(tasks: readonly OutcomeTask[], over: Partial<Outcome> = {}, more: Partial<OutcomeState> = {}) {
  return pickTasks(makeState({ outcome: makeOutcome({ workers: 3, ...over }), tasks, ...more })).map(
    ({ number }) => number,
  );
}

const gate: Gate = { id: "yes", kind: "human_approval", label: "The boss agrees", given: null };
const two = [makeTask(1), makeTask(2)];

test("tasks that wait for nothing begin, in the order of their numbers", () => {
  expect(check([makeTask(2), makeTask(1)])).toEqual([1, 2]);
});
test("a lower priority comes first", () => {
  expect(check([makeTask(1), makeTask(2, { priority: 1 })])).toEqual([2, 1]);
});
test("of the same priority, the one that more tasks wait for", () => {
  const waiting = [3, 4].map((number) => makeTask(number, { dependsOn: [taskId(2)] }));
  expect(check([...two, ...waiting])).toEqual([2, 1]);
});
test("a task waits until all it depends on has ended well or was skipped", () => {
  const waits = makeTask(3, { dependsOn: [taskId(1), taskId(2)] });
  const [one, other] = [makeTask(1, { status: "completed" }), makeTask(2, { status: "obsolete" })];
  expect(check([one, other, waits])).toEqual([3]);
  expect(check([one, makeTask(2, { status: "failed" }), waits])).toEqual([]);
});
test("a task waits for its gate", () => {
  expect(check([makeTask(1, { gates: [gate] })])).toEqual([]);
  expect(check([makeTask(1, { gates: [{ ...gate, given: "Agreed" }] })])).toEqual([1]);
});
test.each(["running", "paused", "completed", "failed", "obsolete"] as const)("what is %s does not begin", (status) => {
  expect(check([makeTask(1, { status })])).toEqual([]);
});
test("no more begin than there are free workers", () => {
  expect(check([makeTask(9, { status: "running" }), ...two], { workers: 2 })).toEqual([1]);
});
test("none begins without a free worker", () => {
  expect(check([makeTask(9, { status: "running" }), ...two], { workers: 1 })).toEqual([]);
});
test.each(["paused", "dormant", "achieved", "archived"] as const)(
  "nothing begins in an outcome that is %s",
  (status) => {
    expect(check(two, { status })).toEqual([]);
  },
);
test("nothing begins once the money is spent", () => {
  const spent = { costMicroUsd: 5, tokens: 0, unpricedCalls: 0 };
  expect(check(two, { maxCostMicroUsd: 5, spent })).toEqual([]);
  expect(check(two, { maxCostMicroUsd: 6, spent })).toEqual([1, 2]);
});
test("nothing begins while a question about the whole is open", () => {
  const whole = makeEscalation({ affectedTasks: [], isWholeOutcome: true });
  expect(check(two, {}, { escalations: [whole] })).toEqual([]);
  expect(check(two, {}, { escalations: [{ ...whole, pauses: false }] })).toEqual([1, 2]);
  const dismissed = { status: "dismissed", atMs: 1, why: "" } as const;
  expect(check(two, {}, { escalations: [{ ...whole, state: dismissed }] })).toEqual([1, 2]);
});
test("a task without an attempt left does not begin", () => {
  expect(check([makeTask(1, { attempts: 3 })])).toEqual([]);
});
test("but one whose run rests goes on with its last attempt", () => {
  expect(check([makeTask(1, { attempts: 3, runId: "run_1" as RunId })])).toEqual([1]);
});

test("10,000 tasks take about as long each as a few do", () => {
  const waiting = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      makeTask(index + 1, { dependsOn: index === 0 ? [] : [taskId(index), taskId(1)] }),
    );
  expectEvenGrowth(10_000, (count) => {
    expect(check(waiting(count))).toEqual([1]);
  });
});

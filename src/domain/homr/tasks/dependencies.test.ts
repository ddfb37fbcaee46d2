import { expect, test } from "vitest";
import { makeTask, taskId } from "../../../../test/helpers/make-outcome.ts";
import { countDependents, hasCycle, indexTasks, unmetDependencies } from "./dependencies.ts";
import type { OutcomeTask, TaskStatus } from "./task.ts";

/** 3 waits for 2, and 2 waits for 1. */
const chain = (middle: TaskStatus = "pending"): readonly OutcomeTask[] => [
  makeTask(1),
  makeTask(2, { dependsOn: [taskId(1)], status: middle }),
  makeTask(3, { dependsOn: [taskId(2)] }),
];

const closes = (tasks: readonly OutcomeTask[], task: number, dependsOn: number) =>
  hasCycle(tasks, { taskId: taskId(task), dependsOn: taskId(dependsOn) });

test("a task that waits for one that waits for it closes a cycle", () => {
  expect(closes(chain(), 1, 3)).toBe(true);
});
test("one more dependency in the same direction does not", () => {
  expect(closes(chain(), 3, 1)).toBe(false);
});
test("a task cannot wait for itself", () => {
  expect(closes(chain(), 2, 2)).toBe(true);
});
test.each(["completed", "obsolete"] as const)("what is %s waits for nothing, so it closes no cycle", (status) => {
  expect(closes(chain(status), 1, 3)).toBe(false);
});
test("what has failed may be tried again, so it does", () => {
  expect(closes(chain("failed"), 1, 3)).toBe(true);
});
test("a task that is not known waits for nothing", () => {
  expect(closes(chain(), 1, 99)).toBe(false);
});

const unmet = (status: TaskStatus) => {
  const tasks = [makeTask(1, { status }), makeTask(2, { dependsOn: [taskId(1)] })] as const;
  return unmetDependencies(tasks[1], indexTasks(tasks));
};

test.each(["completed", "obsolete"] as const)("what is %s is waited for no more", (status) => {
  expect(unmet(status)).toEqual([]);
});
test.each(["pending", "running", "paused", "failed"] as const)("what is %s is waited for", (status) => {
  expect(unmet(status)).toEqual([taskId(1)]);
});
test("so is what is not known", () => {
  expect(unmetDependencies(makeTask(2, { dependsOn: [taskId(9)] }), indexTasks([]))).toEqual([taskId(9)]);
});

test("tasks that have ended are not counted among those that wait", () => {
  const tasks = [makeTask(1), makeTask(2, { dependsOn: [taskId(1)] })];
  const ended = makeTask(3, { dependsOn: [taskId(1)], status: "completed" });
  expect(countDependents([...tasks, ended]).get(taskId(1))).toBe(1);
});

test("a chain of 10,000 tasks is walked to its end", () => {
  const long = Array.from({ length: 10_000 }, (_, index) =>
    makeTask(index + 1, { dependsOn: index === 0 ? [] : [taskId(index)] }),
  );
  expect(closes(long, 1, 10_000)).toBe(true);
  expect(closes(long, 10_000, 1)).toBe(false);
});

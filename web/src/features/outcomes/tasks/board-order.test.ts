import { expect, test } from "vitest";
import { makeWireTask as task } from "../../../../../test/helpers/cli-outcomes.ts";
import { actionOfMove, priorityAfterStep, toColumns } from "./board-order.ts";

test("columns with nothing in them are left out, except for the usual three", () => {
  const columns = toColumns([task(1, { status: "failed" })]);
  expect(columns.map(({ status, tasks }) => [status, tasks.length])).toEqual([
    ["pending", 0],
    ["running", 0],
    ["failed", 1],
    ["completed", 0],
  ]);
});

test("the queue is in the order of priorities, then of numbers", () => {
  const [queue] = toColumns([task(1), task(2, { priority: 50 }), task(3)]);
  expect(queue?.tasks.map(({ number }) => number)).toEqual([2, 1, 3]);
});

test("what ended last comes first", () => {
  const ended = (number: number, minute: number) =>
    task(number, { status: "completed", ended_at: `2030-03-17T17:${minute}:00Z` });
  const done = toColumns([ended(1, 30), ended(2, 20), ended(3, 40)]).at(-1);
  expect(done?.tasks.map(({ number }) => number)).toEqual([3, 1, 2]);
});

const stepped = (tasks: readonly ReturnType<typeof task>[], number: number, step: "earlier" | "later") => {
  const [moved] = tasks.filter((each) => each.number === number);
  if (!moved) throw new Error("no such task");
  const [queue] = toColumns(tasks);
  const priority = priorityAfterStep(queue?.tasks ?? [], moved, step);
  if (priority === null) return null;
  const after = tasks.map((each) => (each.number === number ? { ...each, priority } : each));
  return toColumns(after)[0]?.tasks.map((each) => each.number);
};

test("a step earlier puts a task before its neighbour", () => {
  expect(stepped([task(1), task(2), task(3)], 2, "earlier")).toEqual([2, 1, 3]);
  expect(stepped([task(1, { priority: 200 }), task(2)], 1, "earlier")).toEqual([1, 2]);
});

test("a step later puts a task behind its neighbour", () => {
  expect(stepped([task(1), task(2, { priority: 150 })], 1, "later")).toEqual([2, 1]);
});

test("there is no step past the ends of the queue or of the priorities", () => {
  expect(stepped([task(1), task(2)], 1, "earlier")).toBeNull();
  expect(stepped([task(1), task(2)], 2, "later")).toBeNull();
  expect(stepped([task(1, { priority: 1 }), task(2)], 2, "earlier")).toBeNull();
});

test("a card is moved to the queue to start it over, and out of the way to skip it", () => {
  expect(actionOfMove(task(1, { status: "failed" }), "pending")).toBe("retry");
  expect(actionOfMove(task(1, { status: "running", run_id: "r" }), "pending")).toBe("retry");
  expect(actionOfMove(task(1, { status: "completed", run_id: "r" }), "pending")).toBeNull();
  expect(actionOfMove(task(1), "obsolete")).toBe("skip");
  expect(actionOfMove(task(1, { status: "completed" }), "obsolete")).toBeNull();
  expect(actionOfMove(task(1), "running")).toBeNull();
});

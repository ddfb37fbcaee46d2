import { expect, test } from "vitest";
import { type GraphTask, layOut, nodeSize, pathOf } from "./graph-layout.ts";

const task = (number: number, ...dependsOn: number[]): GraphTask => ({
  id: `t${number}`,
  number,
  depends_on: dependsOn.map((other) => `t${other}`),
});
const edgesOf = (tasks: readonly GraphTask[]) => layOut(tasks).edges.map(({ from, to }) => `${from}→${to}`);

test("every task stands right of all it waits for", () => {
  const tasks = [task(1), task(2, 1), task(3, 1), task(4, 2, 3), task(5, 4, 1)];
  const { places } = layOut(tasks);
  for (const { id, depends_on: dependsOn } of tasks)
    for (const other of dependsOn) expect(places.get(other)?.x).toBeLessThan(places.get(id)?.x ?? 0);
});

test("an edge that others imply is not drawn", () => {
  expect(edgesOf([task(1), task(2, 1), task(3, 1, 2)])).toEqual(["t1→t2", "t2→t3"]);
});

test("tasks without dependencies are left out of the picture", () => {
  const { places, alone } = layOut([task(1), task(2, 1), task(3)]);
  expect([[...places.keys()], alone]).toEqual([["t1", "t2"], ["t3"]]);
});

test("a circle of settled tasks and a task that is not there do no harm", () => {
  const { places } = layOut([task(1, 2), task(2, 1), task(3, 2, 99)]);
  expect(places.size).toBeGreaterThan(0);
});

/** A layered outcome of 50 tasks, each of which waits for up to three earlier ones; the same every time. */
const many = Array.from({ length: 50 }, (_, at) =>
  task(at + 1, ...[at - 3, at - 5, (at * 7) % (at + 1)].filter((other) => other >= 1 && other <= at)),
);

test("no two of fifty tasks overlap, and all are inside of the picture", () => {
  const { places, width, height } = layOut(many);
  const all = [...places.values()];
  for (const [at, a] of all.entries()) {
    expect(a.x + nodeSize.width / 2 <= width && a.y + nodeSize.height / 2 <= height).toBe(true);
    for (const b of all.slice(at + 1))
      expect(Math.abs(a.x - b.x) >= nodeSize.width || Math.abs(a.y - b.y) >= nodeSize.height).toBe(true);
  }
});

test("a long edge runs behind no task", () => {
  const { edges, places } = layOut(many);
  const passed = edges.flatMap(({ points }) => points.slice(1, -1));
  expect(passed.length).toBeGreaterThan(0);
  const taken = new Set([...places.values()].map(({ x, y }) => `${x},${y}`));
  expect(passed.filter(({ x, y }) => taken.has(`${x},${y}`))).toEqual([]);
});

test("an edge is drawn from the right side of one task to the left side of the other", () => {
  const [edge] = layOut([task(1), task(2, 1)]).edges;
  expect(edge && pathOf(edge)).toBe("M202 38C230 38 230 38 258 38");
});

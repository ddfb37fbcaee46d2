import { expect, test } from "vitest";
import { type GraphTask, layOut as layOutIn, nodeHeight, pathOf } from "./graph-layout.ts";

const task = (number: number, ...dependsOn: number[]): GraphTask => ({
  id: `t${number}`,
  number,
  depends_on: dependsOn.map((other) => `t${other}`),
});
const layOut = (tasks: readonly GraphTask[]) => layOutIn(tasks, 1_000);
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
  const { places, width, height, nodeWidth } = layOut(many);
  const all = [...places.values()];
  for (const [at, a] of all.entries()) {
    expect(a.x + nodeWidth / 2 <= width && a.y + nodeHeight / 2 <= height).toBe(true);
    for (const b of all.slice(at + 1))
      expect(Math.abs(a.x - b.x) >= nodeWidth || Math.abs(a.y - b.y) >= nodeHeight).toBe(true);
  }
});

test("a long edge runs behind no task", () => {
  const { edges, places } = layOut(many);
  const passed = edges.flatMap(({ points }) => points.slice(1, -1));
  expect(passed.length).toBeGreaterThan(0);
  const isTaken = ({ x, y }: { x: number; y: number }) =>
    [...places.values()].some((place) => place.x === x && Math.abs(place.y - y) < nodeHeight / 2);
  expect(passed.filter(isTaken)).toEqual([]);
});

test("an edge is drawn from the right side of one task to the left side of the other", () => {
  const { edges, nodeWidth } = layOut([task(1), task(2, 1)]);
  const [edge] = edges;
  expect(nodeWidth).toBe(240);
  expect(edge && pathOf(edge, nodeWidth)).toBe("M252 43C284 43 284 43 316 43");
});

test("what follows from one another is level, whatever waits beside it", () => {
  const rooms = [1, 2, 3].flatMap((room) => [task(room), task(room + 10, room), task(room + 20, room + 10)]);
  const { places } = layOut([task(4), task(5), task(6), task(30, 4, 5, 6), ...rooms, task(31, 21, 22, 23, 30)]);
  const rowOf = (number: number) => places.get(`t${number}`)?.y ?? 0;
  for (const number of [1, 2, 3, 11, 12, 13])
    expect(Math.abs(rowOf(number) - rowOf(number + 10))).toBeLessThan(nodeHeight);
});

test("lines do not cross where they need not", () => {
  const { places } = layOut([task(1), task(2), task(3, 2), task(4, 1)]);
  expect(places.get("t1")?.y).toBe(places.get("t4")?.y);
  expect(places.get("t2")?.y).toBe(places.get("t3")?.y);
});

test("no column is cut at the edge of the screen", () => {
  const line = Array.from({ length: 9 }, (_, at) => task(at + 1, ...(at === 0 ? [] : [at])));
  for (const room of [500, 760, 1_028, 1_400]) {
    const { places, nodeWidth } = layOutIn(line, room);
    const cut = [...places.values()].filter(({ x }) => x - nodeWidth / 2 < room && x + nodeWidth / 2 > room);
    expect(cut).toEqual([]);
  }
});

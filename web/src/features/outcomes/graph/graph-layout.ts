// Where the tasks of an outcome stand in the picture of their dependencies: in columns from left to right, each right of all it waits
// for. dagre finds order and heights; columns and the width of a task are ours, so that the picture fits its steps and the screen. Pure.

import { Graph, layout } from "@dagrejs/dagre";

export type GraphTask = { readonly id: string; readonly number: number; readonly depends_on: readonly string[] };
export type Point = { readonly x: number; readonly y: number };
export type GraphEdge = { readonly from: string; readonly to: string; readonly points: readonly Point[] };

export type GraphLayout = {
  /** The middle of each task. */
  readonly places: ReadonlyMap<string, Point>;
  readonly edges: readonly GraphEdge[];
  /** The column of each task in the picture, from 0. */
  readonly ranks: ReadonlyMap<string, number>;
  /** Tasks that wait for nothing and that nothing waits for. */
  readonly alone: readonly string[];
  readonly nodeWidth: number;
  readonly width: number;
  readonly height: number;
};

export const nodeHeight = 62;
const nodeWidths = { least: 180, most: 240 } as const;
const gapX = 64;
const gapY = 14;
/** Between an edge that passes and what is beside it. */
const laneGap = 12;
const margin = 12;

type Edge = { readonly from: string; readonly to: string };

/** `room` is the width of the screen for it: as many columns as fit are seen whole. */
export function layOut(tasks: readonly GraphTask[], room: number): GraphLayout {
  const edges = findEdges(tasks);
  const linked = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const inPicture = tasks.filter(({ id }) => linked.has(id)).map(({ id }) => id);
  const ranks = rankTasks(inPicture, edges);
  const nodeWidth = widthOf(Math.max(-1, ...ranks.values()) + 1, room);
  const { places, ways, width, height } = place(inPicture, edges, ranks, nodeWidth);
  return {
    places,
    ranks,
    edges: edges.map((edge, at) => ({ ...edge, points: ways[at] ?? [] })),
    alone: tasks.filter(({ id }) => !linked.has(id)).map(({ id }) => id),
    nodeWidth,
    width,
    height,
  };
}

/** So that no column is cut at the edge of the screen. */
function widthOf(columns: number, room: number): number {
  const inside = room - 2 * margin + gapX;
  const seen = Math.min(columns, Math.max(1, Math.floor(inside / (nodeWidths.least + gapX))));
  return Math.min(nodeWidths.most, Math.max(nodeWidths.least, Math.floor(inside / Math.max(seen, 1)) - gapX));
}

/** Without those that others imply, and without those that close a circle: settled tasks may. */
function findEdges(tasks: readonly GraphTask[]): readonly Edge[] {
  const known = new Map(tasks.map((task) => [task.id, task]));
  const reach = new Map<string, ReadonlySet<string>>();
  const edges: Edge[] = [];
  for (const task of tasks) visit(task, known, reach, new Set());
  for (const { id, depends_on: dependsOn } of tasks) {
    const own = [...new Set(dependsOn)].filter((other) => known.has(other) && !reach.get(other)?.has(id));
    const implied = (from: string) => own.some((other) => other !== from && reach.get(other)?.has(from));
    edges.push(...own.filter((from) => !implied(from)).map((from) => ({ from, to: id })));
  }
  return edges;
}

/** All that a task waits for, directly or not. What is being visited already is a circle, and left out. */
function visit(
  { id, depends_on: dependsOn }: GraphTask,
  known: ReadonlyMap<string, GraphTask>,
  reach: Map<string, ReadonlySet<string>>,
  open: Set<string>,
): ReadonlySet<string> {
  const done = reach.get(id);
  if (done) return done;
  open.add(id);
  const found = new Set<string>();
  for (const next of dependsOn) {
    const task = known.get(next);
    if (!task || open.has(next)) continue;
    found.add(next);
    for (const further of visit(task, known, reach, open)) found.add(further);
  }
  open.delete(id);
  reach.set(id, found);
  return found;
}

/** The longest way from a task that waits for nothing. dagre's own ranks would put a task as close as it can to what waits for it. */
function rankTasks(ids: readonly string[], edges: readonly Edge[]): ReadonlyMap<string, number> {
  const ranks = new Map(ids.map((id) => [id, 0]));
  // A way without circles has fewer steps than there are tasks.
  for (let round = 0, hasMoved = true; hasMoved && round < ids.length; round++) {
    hasMoved = false;
    for (const { from, to } of edges) {
      const least = (ranks.get(from) ?? 0) + 1;
      if ((ranks.get(to) ?? 0) >= least) continue;
      ranks.set(to, least);
      hasMoved = true;
    }
  }
  return ranks;
}

function place(ids: readonly string[], edges: readonly Edge[], ranks: ReadonlyMap<string, number>, nodeWidth: number) {
  if (ids.length === 0) return { places: new Map<string, Point>(), ways: [], width: 0, height: 0 };
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: gapY, edgesep: laneGap, ranksep: gapX, marginx: margin, marginy: margin });
  for (const id of ids) graph.setNode(id, { width: nodeWidth, height: nodeHeight });
  for (const { from, to } of edges)
    graph.setEdge(from, to, { minlen: (ranks.get(to) ?? 0) - (ranks.get(from) ?? 0), labelpos: "c" });
  layout(graph);
  // dagre measures its picture by the tasks alone; a line may pass above or below all of them.
  const lines = graph.edges().flatMap((edge) => (graph.edge(edge).points as readonly Point[]).map(({ y }) => y));
  const drop = Math.max(0, margin - Math.min(...lines));
  const round = ({ x, y }: Point): Point => ({ x: Math.round(x), y: Math.round(y + drop) });
  const places = new Map(ids.map((id) => [id, round(graph.node(id))]));
  const columns = new Set([...places.values()].map(({ x }) => x));
  const ways = edges.map(({ from, to }) => {
    const points: readonly Point[] = graph.edge(from, to).points;
    // Its places in the columns that it passes; between them the curve finds its way.
    const passed = points.slice(1, -1).map(round);
    return [from, ...passed.filter(({ x }) => columns.has(x)), to].flatMap((each) =>
      typeof each === "string" ? (places.get(each) ?? []) : each,
    );
  });
  const { width, height } = graph.graph();
  return {
    places,
    ways,
    width: Math.round(width),
    height: Math.round(Math.max(height, Math.max(...lines) + margin) + drop),
  };
}

/** The way of an edge: out of the right side of a task, through its places, into the left side of the other. */
export function pathOf({ points }: GraphEdge, nodeWidth: number): string {
  const [start, end] = [points[0], points.at(-1)];
  if (!start || !end) return "";
  const half = nodeWidth / 2;
  // Straight past the columns on the way, curved between them.
  const passed = points.slice(1, -1).flatMap(({ x, y }) => [
    { x: x - half, y },
    { x: x + half, y },
  ]);
  const way = [{ x: start.x + half, y: start.y }, ...passed, { x: end.x - half, y: end.y }];
  return way.map((point, at) => (at === 0 ? `M${point.x} ${point.y}` : curveTo(way[at - 1] ?? point, point))).join("");
}

function curveTo(from: Point, to: Point): string {
  const middle = (from.x + to.x) / 2;
  return `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}

// Where the tasks of an outcome stand in the picture of their dependencies: in columns from left to right, each right of all it waits
// for and as level with its neighbours as there is room. An edge that passes a column has a lane of its own there, so that it runs
// behind no task. Pure.

import { type Joints, nodeHeight, placeRows, type Slot } from "./graph-rows.ts";

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

const nodeWidths = { least: 180, most: 240 } as const;
const gapX = 64;
const margin = 12;
/** After a dozen, crossings hardly get fewer. */
const sweeps = 16;

type Edge = { readonly from: string; readonly to: string };

/** `room` is the width of the screen for it: as many columns as fit are seen whole. */
export function layOut(tasks: readonly GraphTask[], room: number): GraphLayout {
  const edges = findEdges(tasks);
  const linked = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const inPicture = tasks.filter(({ id }) => linked.has(id));
  const ranks = rankTasks(inPicture, edges);
  const { slots, chains } = makeSlots(inPicture, edges, ranks);
  const [before, behind] = joinSlots(chains);
  const columns = orderColumns(slots, before, behind);
  const rows = placeRows(columns, before, behind);
  const nodeWidth = widthOf(columns.length, room);
  const places = new Map(
    slots.map(({ id, rank }) => [
      id,
      { x: margin + rank * (nodeWidth + gapX) + nodeWidth / 2, y: margin + (rows.get(id) ?? 0) },
    ]),
  );
  const placeOf = (id: string) => places.get(id) ?? { x: 0, y: 0 };
  const lowest = Math.max(0, ...inPicture.map(({ id }) => placeOf(id).y));
  return {
    places: new Map(inPicture.map(({ id }) => [id, placeOf(id)])),
    ranks,
    edges: chains.map(({ edge, ids }) => ({ ...edge, points: ids.map(placeOf) })),
    alone: tasks.filter(({ id }) => !linked.has(id)).map(({ id }) => id),
    nodeWidth,
    width: columns.length === 0 ? 0 : columns.length * (nodeWidth + gapX) - gapX + 2 * margin,
    height: columns.length === 0 ? 0 : Math.max(lowest + nodeHeight / 2, ...rows.values()) + margin,
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

/** The longest way from a task that waits for nothing. */
function rankTasks(tasks: readonly GraphTask[], edges: readonly Edge[]): ReadonlyMap<string, number> {
  const ranks = new Map(tasks.map(({ id }) => [id, 0]));
  // A way without circles has fewer steps than there are tasks.
  for (let round = 0, hasMoved = true; hasMoved && round < tasks.length; round++) {
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

type Chain = { readonly edge: Edge; readonly ids: readonly string[] };

function makeSlots(tasks: readonly GraphTask[], edges: readonly Edge[], ranks: ReadonlyMap<string, number>) {
  const rankOf = (id: string) => ranks.get(id) ?? 0;
  const slots: Slot[] = tasks.map(({ id }) => ({ id, rank: rankOf(id), isTask: true }));
  const chains = edges.map((edge): Chain => {
    const passed: Slot[] = [];
    for (let rank = rankOf(edge.from) + 1; rank < rankOf(edge.to); rank++)
      passed.push({ id: `${edge.from}>${edge.to}@${rank}`, rank, isTask: false });
    slots.push(...passed);
    return { edge, ids: [edge.from, ...passed.map(({ id }) => id), edge.to] };
  });
  return { slots, chains };
}

/** What is joined to a slot in the column before it, and in the one behind. */
function joinSlots(chains: readonly Chain[]): readonly [Joints, Joints] {
  const [before, behind] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const note = (joints: Map<string, string[]>, id: string, other: string) => {
    const known = joints.get(id);
    if (known) known.push(other);
    else joints.set(id, [other]);
  };
  for (const { ids } of chains)
    for (const [at, id] of ids.slice(0, -1).entries()) {
      const next = ids[at + 1] ?? id;
      note(before, next, id);
      note(behind, id, next);
    }
  return [before, behind];
}

/** Every slot near those it is joined to: the mean of the column before, then of the one behind; the order with the fewest crossings. */
function orderColumns(slots: readonly Slot[], before: Joints, behind: Joints): readonly (readonly Slot[])[] {
  const count = Math.max(-1, ...slots.map(({ rank }) => rank)) + 1;
  let columns: (readonly Slot[])[] = Array.from({ length: count }, (_, rank) =>
    slots.filter((slot) => slot.rank === rank),
  );
  let best = { columns, crossings: countCrossings(columns, behind) };
  for (let sweep = 0; sweep < sweeps && best.crossings > 0; sweep++) {
    columns = sweepColumns(columns, sweep % 2 === 0 ? before : behind, sweep % 2 === 0);
    const crossings = countCrossings(columns, behind);
    if (crossings < best.crossings) best = { columns, crossings };
  }
  return best.columns;
}

function countCrossings(columns: readonly (readonly Slot[])[], behind: Joints): number {
  let crossings = 0;
  for (const [rank, column] of columns.entries()) {
    const at = new Map(columns[rank + 1]?.map(({ id }, place) => [id, place]));
    // Of the edges drawn so far, each that ends below crosses. Ends stay sorted.
    const ends: number[] = [];
    for (const { id } of column) {
      const own = (behind.get(id) ?? []).map((next) => at.get(next) ?? 0).toSorted((a, b) => a - b);
      for (const end of own) crossings += ends.length - placeAfter(ends, end);
      for (const end of own) ends.splice(placeAfter(ends, end), 0, end);
    }
  }
  return crossings;
}

/** Where a number goes in a sorted list, behind its equals. */
function placeAfter(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sweepColumns(
  columns: readonly (readonly Slot[])[],
  neighbours: Joints,
  isForward: boolean,
): (readonly Slot[])[] {
  const after = [...columns];
  const at = new Map<string, number>();
  const note = (column: readonly Slot[]) => {
    for (const [place, { id }] of column.entries()) at.set(id, (place + 0.5) / column.length);
  };
  for (const column of columns) note(column);
  const ranks = columns.map((_, rank) => rank);
  for (const rank of isForward ? ranks : ranks.toReversed()) {
    const column = after[rank] ?? [];
    const wanted = new Map(column.map(({ id }) => [id, meanPlace(neighbours.get(id) ?? [], at) ?? at.get(id) ?? 0]));
    after[rank] = column.toSorted((a, b) => (wanted.get(a.id) ?? 0) - (wanted.get(b.id) ?? 0));
    note(after[rank] ?? []);
  }
  return after;
}

function meanPlace(ids: readonly string[], at: ReadonlyMap<string, number>): number | null {
  if (ids.length === 0) return null;
  return ids.reduce((sum, id) => sum + (at.get(id) ?? 0), 0) / ids.length;
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

// Where the tasks of an outcome stand in the picture of their dependencies: in columns from left to right, each right of all it waits
// for. An edge that passes a column has a place of its own there, so that it runs behind no task. Pure, linear but for the sorting.

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
  readonly width: number;
  readonly height: number;
};

export const nodeSize = { width: 190, height: 52 } as const;
const gap = { x: 56, y: 16 } as const;
const margin = 12;
/** After a few, crossings hardly get fewer. */
const sweeps = 6;

type Edge = { readonly from: string; readonly to: string };
/** A task, or the place of an edge that passes. */
type Slot = { readonly id: string; readonly rank: number; readonly isTask: boolean };

export function layOut(tasks: readonly GraphTask[]): GraphLayout {
  const edges = findEdges(tasks);
  const linked = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const inPicture = tasks.filter(({ id }) => linked.has(id));
  const ranks = rankTasks(inPicture, edges);
  const { slots, chains } = makeSlots(inPicture, edges, ranks);
  const columns = orderColumns(slots, chains);
  const places = placeSlots(columns);
  const placeOf = (id: string) => places.get(id) ?? { x: 0, y: 0 };
  const tallest = Math.max(0, ...columns.map(({ length }) => length));
  return {
    places: new Map(inPicture.map(({ id }) => [id, placeOf(id)])),
    ranks,
    edges: chains.map(({ edge, ids }) => ({ ...edge, points: ids.map(placeOf) })),
    alone: tasks.filter(({ id }) => !linked.has(id)).map(({ id }) => id),
    width: columns.length === 0 ? 0 : columns.length * (nodeSize.width + gap.x) - gap.x + 2 * margin,
    height: tallest === 0 ? 0 : tallest * (nodeSize.height + gap.y) - gap.y + 2 * margin,
  };
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

/** Every slot near those it is joined to: the mean of the neighbours in the column before, then in the one behind. */
function orderColumns(slots: readonly Slot[], chains: readonly Chain[]): readonly (readonly Slot[])[] {
  const count = Math.max(-1, ...slots.map(({ rank }) => rank)) + 1;
  let columns: (readonly Slot[])[] = Array.from({ length: count }, (_, rank) =>
    slots.filter((slot) => slot.rank === rank),
  );
  const [before, behind] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const { ids } of chains)
    for (const [at, id] of ids.slice(0, -1).entries()) {
      const next = ids[at + 1] ?? id;
      before.set(next, [...(before.get(next) ?? []), id]);
      behind.set(id, [...(behind.get(id) ?? []), next]);
    }
  for (let sweep = 0; sweep < sweeps; sweep++)
    columns = sweepColumns(columns, sweep % 2 === 0 ? before : behind, sweep % 2 === 0);
  return columns;
}

function sweepColumns(
  columns: readonly (readonly Slot[])[],
  neighbours: ReadonlyMap<string, readonly string[]>,
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

/** Columns beside each other, each from the top: what starts first is seen without scrolling. */
function placeSlots(columns: readonly (readonly Slot[])[]): ReadonlyMap<string, Point> {
  const step = nodeSize.height + gap.y;
  const places = new Map<string, Point>();
  for (const [rank, column] of columns.entries())
    for (const [place, { id }] of column.entries())
      places.set(id, {
        x: margin + rank * (nodeSize.width + gap.x) + nodeSize.width / 2,
        y: margin + nodeSize.height / 2 + place * step,
      });
  return places;
}

/** The way of an edge: out of the right side of a task, through its places, into the left side of the other. */
export function pathOf({ points }: GraphEdge): string {
  const [start, end] = [points[0], points.at(-1)];
  if (!start || !end) return "";
  const half = nodeSize.width / 2;
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

// What every iteration used, as points to draw: each for itself and in sum, few enough for a screen, with the budget and where
// it leads if it goes on like this. Pure.

import type { routes } from "../../../../../src/protocol/api.ts";
import type { RouteResult } from "../../../../../src/protocol/route.ts";

export type SeriesItem = RouteResult<typeof routes.runParts.series>["items"][number];
export type Measure = "cost_micro_usd" | "tokens" | "running_ms";

/** One iteration, or several neighbours where there are more than fit. */
export type Point = {
  readonly first: number;
  readonly last: number;
  /** Of all iterations of the point together. */
  readonly used: number;
  /** Of all iterations up to the last one of the point. */
  readonly sum: number;
};

/** More bars than this are thinner than a pixel on a phone. */
const pointsMax = 120;

export function pointsOf(items: readonly SeriesItem[], measure: Measure, max = pointsMax): readonly Point[] {
  const size = Math.max(1, Math.ceil(items.length / max));
  const points: Point[] = [];
  let sum = 0;
  for (let start = 0; start < items.length; start += size) {
    const group = items.slice(start, start + size);
    const used = group.reduce((total, item) => total + item[measure], 0);
    sum += used;
    points.push({ first: group[0]?.iteration ?? 0, last: group.at(-1)?.iteration ?? 0, used, sum });
  }
  return points;
}

export type Prospect = {
  /** The iteration it ends with: all are used, or the budget is. */
  readonly iteration: number;
  readonly sum: number;
  readonly endsBy: "iterations" | "budget";
};

type Course = {
  readonly sum: number;
  readonly iteration: number;
  readonly maxIterations: number;
  /** Null: no limit. */
  readonly budget: number | null;
  /** What one more iteration would use; null where that is unknown. */
  readonly perIteration: number | null;
};

/** Where it ends if every iteration uses as much as is usual now; null where nothing can be said. */
export function prospectOf({ sum, iteration, maxIterations, budget, perIteration }: Course): Prospect | null {
  const left = maxIterations - iteration;
  if (left <= 0 || perIteration === null || perIteration <= 0) return null;
  const atEnd = { iteration: maxIterations, sum: sum + left * perIteration, endsBy: "iterations" as const };
  if (budget === null || atEnd.sum <= budget) return atEnd;
  if (sum >= budget) return null;
  const within = Math.ceil((budget - sum) / perIteration);
  return { iteration: iteration + within, sum: sum + within * perIteration, endsBy: "budget" };
}

/** Without the one that is under way: it would make the others look cheaper than they are. */
export const endedOnly = (items: readonly SeriesItem[]): readonly SeriesItem[] =>
  items.filter(({ status }) => status !== "running");

export type Usual = {
  readonly sum: Readonly<Record<Measure, number>>;
  readonly each: Readonly<Record<Measure, number>>;
};

/** What the iterations that ended used together, and one of them on average; null before there was one. */
export function usualOf(items: readonly SeriesItem[]): Usual | null {
  const ended = endedOnly(items);
  if (ended.length === 0) return null;
  const of = (measure: Measure) => ended.reduce((total, item) => total + item[measure], 0);
  const sum = { cost_micro_usd: of("cost_micro_usd"), tokens: of("tokens"), running_ms: of("running_ms") };
  const average = (measure: Measure) => Math.round(sum[measure] / ended.length);
  return {
    sum,
    each: {
      cost_micro_usd: average("cost_micro_usd"),
      tokens: average("tokens"),
      running_ms: average("running_ms"),
    },
  };
}

/** Of one iteration of the point. */
export const averageOf = ({ first, last, used }: Point): number => Math.round(used / (last - first + 1));

/** `12`, or `12–16` for several. */
export const labelOf = ({ first, last }: Pick<Point, "first" | "last">): string =>
  first === last ? String(first) : `${first}–${last}`;

/** The one that used the most; null where none used any. */
export function dearest(items: readonly SeriesItem[], measure: Measure): SeriesItem | null {
  const most = items.reduce<SeriesItem | null>(
    (best, item) => (best && best[measure] >= item[measure] ? best : item),
    null,
  );
  return most && most[measure] > 0 ? most : null;
}

// What can be drawn over the iterations: how each is called and written, and what limits it. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";
import { counted, dollars, exactDollars } from "../../../../../src/protocol/figures.ts";
import { shortDuration } from "../timeline/iteration-words.ts";
import { axisTicks, timeTicks } from "./axis-ticks.ts";
import { dearest, type Measure, type Prospect, prospectOf, type SeriesItem, usualOf } from "./figures-over-time.ts";

export type MeasureSpec = {
  readonly title: string;
  readonly color: string;
  readonly write: (value: number) => string;
  /** Shorter, for an axis. */
  readonly tick: (value: number) => string;
  readonly ticks: (max: number) => readonly number[];
  readonly budgetOf: (run: Run) => number | null;
};

const microPerUsd = 1_000_000;
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export const measures: Readonly<Record<Measure, MeasureSpec>> = {
  cost_micro_usd: {
    title: "Cost",
    color: "blue.6",
    write: (value) => (value < 10_000 ? exactDollars(value) : dollars(value)),
    tick: exactDollars,
    ticks: axisTicks,
    budgetOf: ({ budgets }) => (budgets.max_cost_usd === null ? null : Math.round(budgets.max_cost_usd * microPerUsd)),
  },
  tokens: {
    title: "Tokens",
    color: "blue.6",
    write: (value) => counted(value, "token"),
    tick: (value) => compact.format(value),
    ticks: axisTicks,
    budgetOf: ({ budgets }) => budgets.max_total_tokens,
  },
  running_ms: {
    title: "Time",
    color: "blue.6",
    write: shortDuration,
    // Below ten seconds as round as the step is: 0.05s is not 0.1s.
    tick: (value) => (value < 10_000 ? `${Number((value / 1_000).toFixed(3))}s` : shortDuration(value)),
    ticks: timeTicks,
    budgetOf: ({ budgets }) => budgets.max_wall_clock_ms,
  },
};

/** Null where nothing can be said: an iteration under way may already have taken longer than all before it. */
export function prospect(run: Run, items: readonly SeriesItem[], measure: Measure): Prospect | null {
  if (measure === "running_ms" && run.status === "running") return null;
  const { budgetOf } = measures[measure];
  const usual = usualOf(items);
  if (run.status === "completed" || run.status === "failed" || run.status === "canceled") return null;
  return prospectOf({
    sum: usual?.sum[measure] ?? 0,
    iteration: items.at(-1)?.iteration ?? 0,
    maxIterations: run.max_iterations,
    budget: budgetOf(run),
    perIteration: usual?.each[measure] ?? null,
  });
}

/** What one sees, in words. `items`: those that have ended. */
export function sentenceOf(run: Run, items: readonly SeriesItem[], measure: Measure): string {
  const { write, budgetOf } = measures[measure];
  const sum = items.reduce((total, item) => total + item[measure], 0);
  const budget = budgetOf(run);
  const most = dearest(items, measure);
  const ahead = prospect(run, items, measure);
  return [
    `${write(sum)} in ${iterationWords(run, items.length)}${budget === null ? "" : `, of at most ${write(budget)}`}.`,
    ...(most && items.length > 1 ? [`Iteration ${most.iteration} used the most: ${write(most[measure])}.`] : []),
    ...(ahead === null ? [] : [prospectSentence(ahead, write)]),
  ].join(" ");
}

/** The one that is under way is not counted yet. */
function iterationWords({ status }: Run, count: number): string {
  if (status !== "running") return counted(count, "iteration");
  return count === 1 ? "the first iteration" : `the first ${counted(count, "iteration")}`;
}

function prospectSentence({ iteration, sum, endsBy }: Prospect, write: (value: number) => string): string {
  return endsBy === "budget"
    ? `If it goes on like this, the budget is used up with iteration ${iteration}.`
    : `If it used all its iterations like this, it would come to ${write(sum)}.`;
}

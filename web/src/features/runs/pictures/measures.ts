// What can be drawn over the iterations: how each is called and written, and what limits it. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";
import { counted, dollars, exactDollars } from "../../../../../src/protocol/figures.ts";
import { shortDuration } from "../timeline/iteration-words.ts";
import { dearest, type Measure, type Prospect, prospectOf, type SeriesItem } from "./figures-over-time.ts";

export type MeasureSpec = {
  readonly title: string;
  readonly color: string;
  readonly write: (value: number) => string;
  /** Shorter, for an axis. */
  readonly tick: (value: number) => string;
  readonly budgetOf: (run: Run) => number | null;
  readonly forecastOf: (run: Run) => number | null;
};

const microPerUsd = 1_000_000;
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export const measures: Readonly<Record<Measure, MeasureSpec>> = {
  cost_micro_usd: {
    title: "Cost",
    color: "blue.6",
    write: (value) => (value < 10_000 ? exactDollars(value) : dollars(value)),
    tick: exactDollars,
    budgetOf: ({ budgets }) => (budgets.max_cost_usd === null ? null : Math.round(budgets.max_cost_usd * microPerUsd)),
    forecastOf: ({ forecast }) => forecast?.cost_total_micro_usd ?? null,
  },
  tokens: {
    title: "Tokens",
    color: "blue.6",
    write: (value) => counted(value, "token"),
    tick: (value) => compact.format(value),
    budgetOf: ({ budgets }) => budgets.max_total_tokens,
    forecastOf: ({ forecast }) => forecast?.tokens_total ?? null,
  },
  running_ms: {
    title: "Time",
    color: "blue.6",
    write: shortDuration,
    tick: shortDuration,
    budgetOf: ({ budgets }) => budgets.max_wall_clock_ms,
    forecastOf: ({ forecast }) => forecast?.running_ms ?? null,
  },
};

export function prospect(run: Run, items: readonly SeriesItem[], measure: Measure): Prospect | null {
  const { budgetOf, forecastOf } = measures[measure];
  if (run.status === "completed" || run.status === "failed" || run.status === "canceled") return null;
  return prospectOf({
    sum: items.reduce((total, item) => total + item[measure], 0),
    iteration: items.at(-1)?.iteration ?? 0,
    maxIterations: run.max_iterations,
    budget: budgetOf(run),
    perIteration: forecastOf(run),
  });
}

/** What one sees, in words. */
export function sentenceOf(run: Run, items: readonly SeriesItem[], measure: Measure): string {
  const { write, budgetOf } = measures[measure];
  const sum = items.reduce((total, item) => total + item[measure], 0);
  const budget = budgetOf(run);
  const most = dearest(items, measure);
  const ahead = prospect(run, items, measure);
  return [
    `${write(sum)} in ${counted(items.length, "iteration")}${budget === null ? "" : `, of at most ${write(budget)}`}.`,
    ...(most && items.length > 1 ? [`Iteration ${most.iteration} used the most: ${write(most[measure])}.`] : []),
    ...(ahead === null ? [] : [prospectSentence(ahead, write)]),
  ].join(" ");
}

function prospectSentence({ iteration, sum, endsBy }: Prospect, write: (value: number) => string): string {
  return endsBy === "budget"
    ? `If it goes on like this, the budget is used up with iteration ${iteration}.`
    : `If it used all its iterations like this, it would come to ${write(sum)}.`;
}

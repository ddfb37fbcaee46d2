// Budgets as people type them (minutes, dollars, empty for no limit), what to suggest where one is used up, and which of them
// were changed. Pure.

import type { Run } from "../../../../../src/protocol/api.ts";
import { dollars, duration } from "../../../../../src/protocol/figures.ts";

type Budgets = Run["budgets"];

/** "" is no limit, where there may be none. */
export type BudgetForm = {
  readonly iterations: number | "";
  readonly minutes: number | "";
  readonly usd: number | "";
  readonly tokens: number | "";
  readonly toolCalls: number | "";
};

export type BudgetName = keyof BudgetForm;

/** What one field shows beside its number. */
export type BudgetUse = { readonly used: string; readonly isUsedUp: boolean };

const minuteMs = 60_000;

export function toBudgetForm(budgets: Budgets): BudgetForm {
  return {
    iterations: budgets.max_iterations,
    minutes: rounded(budgets.max_wall_clock_ms / minuteMs, 2),
    usd: budgets.max_cost_usd ?? "",
    tokens: budgets.max_total_tokens ?? "",
    toolCalls: budgets.max_tool_calls ?? "",
  };
}

/** Only what differs from `before`. */
export function changedBudgets(before: Budgets, form: BudgetForm): Partial<Budgets> {
  const was = toBudgetForm(before);
  const orNull = (value: number | "") => (value === "" ? null : value);
  return {
    ...(form.iterations !== was.iterations && form.iterations !== "" ? { max_iterations: form.iterations } : {}),
    ...(form.minutes !== was.minutes && form.minutes !== ""
      ? { max_wall_clock_ms: Math.round(form.minutes * minuteMs) }
      : {}),
    ...(form.usd === was.usd ? {} : { max_cost_usd: orNull(form.usd) }),
    ...(form.tokens === was.tokens ? {} : { max_total_tokens: orNull(form.tokens) }),
    ...(form.toolCalls === was.toolCalls ? {} : { max_tool_calls: orNull(form.toolCalls) }),
  };
}

type Used = { readonly used: number; readonly limit: number | null; readonly each: number };

function usedBy(run: Run, iterationsDone: number): Readonly<Record<BudgetName, Used>> {
  const { budgets, metrics, forecast } = run;
  return {
    iterations: { used: iterationsDone, limit: budgets.max_iterations, each: 1 },
    minutes: {
      used: metrics.running_ms / minuteMs,
      limit: budgets.max_wall_clock_ms / minuteMs,
      each: (forecast?.running_ms ?? 0) / minuteMs,
    },
    usd: {
      used: metrics.cost_total_micro_usd / 1e6,
      limit: budgets.max_cost_usd,
      each: (forecast?.cost_total_micro_usd ?? 0) / 1e6,
    },
    tokens: { used: metrics.tokens_total, limit: budgets.max_total_tokens, each: forecast?.tokens_total ?? 0 },
    toolCalls: { used: metrics.tool_calls_total, limit: budgets.max_tool_calls, each: forecast?.tool_calls_total ?? 0 },
  };
}

export function budgetUses(run: Run, iterationsDone: number): Readonly<Record<BudgetName, BudgetUse>> {
  const used = usedBy(run, iterationsDone);
  const use = (name: BudgetName, words: string): BudgetUse => ({ used: words, isUsedUp: isUsedUp(used[name]) });
  return {
    iterations: use("iterations", String(iterationsDone)),
    minutes: use("minutes", duration(run.metrics.running_ms)),
    usd: use("usd", dollars(run.metrics.cost_total_micro_usd)),
    tokens: use("tokens", run.metrics.tokens_total.toLocaleString("en")),
    toolCalls: use("toolCalls", run.metrics.tool_calls_total.toLocaleString("en")),
  };
}

const isUsedUp = ({ used, limit }: Used) => limit !== null && used >= limit;

/** Another iteration of the usual size would not fit. */
const isShort = (use: Used) => isUsedUp(use) || (use.limit !== null && use.used + use.each > use.limit);

export function anyUsedUp(run: Run, iterationsDone: number): boolean {
  return Object.values(usedBy(run, iterationsDone)).some(isUsedUp);
}

/** Iterations like the ones before that a suggestion has room for. */
const roomFor = 10;

/** As it was, but where a budget is used up or the next iteration would use it up: room to go on. */
export function suggestBudgets(run: Run, iterationsDone: number): BudgetForm {
  const used = usedBy(run, iterationsDone);
  const form = toBudgetForm(run.budgets);
  const suggest = (name: BudgetName, step: number): number | "" => {
    const { used: spent, limit, each } = used[name];
    if (limit === null || !isShort(used[name])) return form[name];
    const wanted = Math.max(limit * 1.5, spent + roomFor * each);
    return rounded(Math.ceil(wanted / step) * step, 6);
  };
  return {
    iterations: suggest("iterations", 5),
    minutes: suggest("minutes", 5),
    usd: suggest("usd", usdStep(used.usd.limit ?? 1)),
    tokens: suggest("tokens", 1_000),
    toolCalls: suggest("toolCalls", 10),
  };
}

/** A round sum of the limit's own size. */
const usdStep = (limit: number) => 10 ** Math.floor(Math.log10(Math.max(limit, 0.000_001)));

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

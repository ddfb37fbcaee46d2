// What a person does next with a run that has come to rest, as a command that the run takes as it stands. Pure.

import type { Run, RunSummary } from "../../protocol/api.ts";

export type NextStep = { readonly label: string; readonly command: string };

type Rested = Pick<RunSummary, "status" | "stop_reason" | "iteration" | "metrics"> & Partial<Pick<Run, "budgets">>;

/** Null while it goes on by itself. `name`: how the person names it. */
export function nextStepOf(run: Rested, name: string): NextStep | null {
  switch (run.status) {
    case "queued":
    case "running":
      return null;
    case "waiting_on_user":
      return { label: "Answer", command: `homework answer ${name}` };
    case "stopped":
      return { label: "Resume", command: ["homework resume", name, ...higherLimits(run)].join(" ") };
    // It cannot be resumed: another run begins where its last iteration ended.
    case "failed":
      return { label: "Retry", command: `homework fork ${name}` };
    case "completed":
    case "canceled":
      return { label: "Next", command: `homework follow-up ${name} "…"` };
  }
}

const minuteMs = 60_000;
const centInMicroUsd = 10_000;

/** Twice what it has used of each limit that is reached: less than that it could not be resumed with, and any number is a start. */
function higherLimits({ iteration, metrics, stop_reason: reason, budgets }: Rested): readonly string[] {
  const minutes = Math.ceil(metrics.running_ms / minuteMs);
  const dollars = Math.ceil(metrics.cost_total_micro_usd / centInMicroUsd) / 100;
  const limits = [
    ["max_iterations", iteration, budgets?.max_iterations, "--max-iterations", 2 * iteration],
    ["running_time", metrics.running_ms, budgets?.max_wall_clock_ms, "--max-minutes", 2 * Math.max(1, minutes)],
    ["cost", metrics.cost_total_micro_usd, inMicroUsd(budgets), "--max-cost", (2 * Math.max(0.01, dollars)).toFixed(2)],
    ["tokens", metrics.tokens_total, budgets?.max_total_tokens, "--max-tokens", 2 * metrics.tokens_total],
    ["tool_calls", metrics.tool_calls_total, budgets?.max_tool_calls, "--max-tool-calls", 2 * metrics.tool_calls_total],
  ] as const;
  return limits.flatMap(([of, used, limit, option, more]) =>
    reason?.type === of || (limit != null && of !== "max_iterations" && used >= limit) ? [`${option} ${more}`] : [],
  );
}

const inMicroUsd = (budgets: Run["budgets"] | undefined): number | null =>
  budgets?.max_cost_usd == null ? null : Math.round(budgets.max_cost_usd * 1_000_000);

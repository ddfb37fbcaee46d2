// What earlier homework came to, in a sentence. Pure.

import type { routes } from "../../../../src/protocol/api.ts";
import { counted, dollars, dollarsAtMost, duration } from "../../../../src/protocol/figures.ts";
import type { RouteResult } from "../../../../src/protocol/route.ts";

export type Estimate = RouteResult<typeof routes.runParts.estimate>;

/** With fewer runs nine of ten says no more than the dearest one. */
const enoughForTenths = 10;

export function estimateWords(estimate: Estimate): string {
  const { runs, cost_micro_usd: cost, iterations, running_ms: time } = estimate;
  if (runs === 0 || !cost || !iterations || !time) return "No finished run yet to estimate from.";
  const rest = `${counted(iterations.p50, "iteration")}, ${duration(time.p50)}`;
  if (runs === 1) return `Your last run: ${dollars(cost.p50)}, ${rest}.`;
  const usual = `Your last ${runs} runs: typically ${dollarsAtMost(cost.p50)}, ${rest}.`;
  if (runs < enoughForTenths) return usual;
  const most = `${dollarsAtMost(cost.p90)}, ${counted(iterations.p90, "iteration")}, ${duration(time.p90)}`;
  return `${usual} Nine of ten: at most ${most}.`;
}

export function isBelowUsual({ cost_micro_usd: cost }: Estimate, maxCostUsd: number | string): boolean {
  return maxCostUsd !== "" && cost !== null && Number(maxCostUsd) * 1_000_000 < cost.p50;
}

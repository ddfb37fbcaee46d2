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
  const half = `${dollarsAtMost(cost.p50)}, ${counted(iterations.p50, "iteration")} and ${duration(time.p50)}`;
  const most = `${dollarsAtMost(cost.p90)}, ${counted(iterations.p90, "iteration")} and ${duration(time.p90)}`;
  if (runs === 1)
    return `Your last run took ${dollars(cost.p50)}, ${counted(iterations.p50, "iteration")} and ${duration(time.p50)}.`;
  const halfWords = `Half of your last ${runs} runs took at most ${half}.`;
  return runs < enoughForTenths ? halfWords : `${halfWords} Nine of ten took at most ${most}.`;
}

export function isBelowUsual({ cost_micro_usd: cost }: Estimate, maxCostUsd: number | string): boolean {
  return maxCostUsd !== "" && cost !== null && Number(maxCostUsd) * 1_000_000 < cost.p50;
}

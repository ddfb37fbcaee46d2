// What came of a test call, in a sentence for the page.

import type { routes } from "../protocol/api.ts";
import type { RouteResult } from "../protocol/route.ts";
import type { TestedModel } from "./ports/model-settings.ts";

const faultWords: Readonly<Record<string, string>> = {
  auth: "The provider rejected the key.",
  quota: "The provider account has no credit left.",
  limit: "The provider asks to wait. Try again later.",
  refused: "The provider refused the request. Check the model name.",
  filtered: "The provider filtered the test message.",
  cut_off: "The answer broke off.",
  late: "No answer within 30 seconds.",
};

/** The provider's own words may name addresses inside, so they are for those who manage the installation. */
export function describeTest(
  { model, latencyMs, fault, usage }: TestedModel,
  isAdmin: boolean,
): RouteResult<typeof routes.models.test> {
  const works = `Works, ${(latencyMs / 1000).toFixed(1)} s`;
  return {
    model,
    works: fault === null,
    latency_ms: latencyMs,
    message: fault === null ? works : (faultWords[fault.kind] ?? "The provider did not answer. Try again in a moment."),
    detail: fault !== null && isAdmin ? fault.why : null,
    cost_usd: usage?.pricedBy === "unpriced" ? null : (usage?.costMicroUsd ?? 0) / 1_000_000,
  };
}

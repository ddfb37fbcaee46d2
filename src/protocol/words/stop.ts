// Why a run stopped, for lists and sentences of pages. The gate's own sentence, with its figures, comes with the run. Pure.

import type { StopReason } from "../../domain/run/stop-reason.ts";

/** To be read after "because". */
export const stopWords: Readonly<Record<StopReason, string>> = {
  max_iterations: "it used all its iterations",
  running_time: "it used all its time",
  cost: "it used all its money",
  tokens: "it used all its tokens",
  tool_calls: "it used all its tool calls",
  no_progress: "it made no progress",
  same_action: "it did the same thing again and again",
  same_error: "it met the same error again and again",
  tool_missing: "it asked for tools that are not there",
  claim_rejected: "it said it was done when it was not, again and again",
  provider_auth: "the model's provider refused the key",
  provider_quota: "the model's provider has no credit left for it",
  monthly_quota: "your monthly budget is used up",
  provider_faults: "the model's provider kept failing until a limit was reached",
  paused: "you paused it",
};

// What a person does next about a run that stopped. Apart from the reasons: lists do not say it, and the first page stays small. Pure.

import type { StopReason } from "../../domain/run/stop-reason.ts";

const steer = "Add guidance and resume, or fork from an earlier iteration.";

export const stopAdvice: Readonly<Record<StopReason, string>> = {
  max_iterations: "Resume it with more iterations, or use the results so far.",
  running_time: "Resume it with more time, or use the results so far.",
  cost: "Resume it with more money, or use the results so far.",
  tokens: "Resume it with more tokens, or use the results so far.",
  tool_calls: "Resume it with more tool calls, or use the results so far.",
  no_progress: steer,
  same_action: steer,
  same_error: steer,
  tool_missing: steer,
  claim_rejected: steer,
  provider_auth: "Fix the key of the model's provider, then resume.",
  provider_quota: "Add credit at the model's provider, then resume.",
  monthly_quota: "Resume next month, or ask an admin to raise your monthly budget.",
  provider_faults: "Resume with higher limits once the model's provider works again.",
  paused: "Resume to continue where it was.",
};

// Why a run stops before it is done. Pure.

export const stopReasons = [
  "max_iterations",
  "running_time",
  "cost",
  "tokens",
  "tool_calls",
  "no_progress",
  "same_action",
  "same_error",
  "tool_missing",
  "claim_rejected",
  "provider_auth",
  "provider_quota",
  "monthly_quota",
  "provider_faults",
  "paused",
] as const;
export type StopReason = (typeof stopReasons)[number];

// Why a run stops before it is done, and whether that was in the middle of an iteration. Pure.

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

/** Then resuming does the same iteration again, without what it has already done. */
const midway: Readonly<Record<StopReason, boolean>> = {
  max_iterations: false,
  running_time: false,
  cost: false,
  tokens: false,
  tool_calls: false,
  no_progress: false,
  same_action: false,
  same_error: false,
  tool_missing: false,
  claim_rejected: false,
  provider_auth: true,
  provider_quota: true,
  monthly_quota: true,
  provider_faults: true,
  paused: true,
};

export const isMidway = (reason: StopReason): boolean => midway[reason];

// Whether a run stopped in the middle of an iteration: resuming does the same one again, without what it has already done. Pure, and
// apart from the reasons: the first page of a browser needs those alone.

import type { StopReason } from "./stop-reason.ts";

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

// The events one can be told of, in words.

import type { ChannelEvent } from "../../../../src/protocol/kinds.ts";

export const eventWords: Readonly<Record<ChannelEvent, string>> = {
  waiting_on_user: "Needs you",
  holding: "Delayed",
  completed: "Completed",
  stopped: "Stopped",
  failed: "Failed",
  escalation: "Outcome needs a decision",
  outcome_achieved: "Outcome achieved",
  outcome_stopped: "Outcome stopped",
};

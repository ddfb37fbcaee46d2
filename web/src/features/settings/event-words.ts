// The events that people choose to be told of: a label for each, and a sentence about it.

import type { ChannelEvent } from "../../../../src/protocol/kinds.ts";

type EventWords = { readonly label: string; readonly about: string };

export const eventWords: Readonly<Record<ChannelEvent, EventWords>> = {
  waiting_on_user: { label: "Needs you", about: "The run has a question and waits for your answer." },
  holding: {
    label: "Delayed",
    about: "The AI service is busy for more than 15 minutes, or a model has not answered for 2 minutes.",
  },
  completed: { label: "Completed", about: "The run is done and its checks passed." },
  stopped: { label: "Stopped", about: "The run reached a limit or made no progress." },
  failed: { label: "Failed", about: "The run cannot continue." },
  escalation: { label: "Outcome needs a decision", about: "Some tasks wait for your decision." },
  outcome_achieved: {
    label: "Outcome achieved",
    about: "The work is done, and the last reviews found nothing to fix.",
  },
  outcome_stopped: { label: "Outcome stopped", about: "The outcome reached its cost limit or cannot continue." },
};

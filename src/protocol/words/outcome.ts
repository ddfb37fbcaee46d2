// How an outcome and its tasks stand, in a word: the same on pages and in the terminal. Pure.

import type { OutcomeSummary, OutcomeTask } from "../api.ts";

export const outcomeStatusWords: Readonly<Record<OutcomeSummary["status"], string>> = {
  active: "Active",
  paused: "Paused",
  dormant: "Not started",
  achieved: "Achieved",
  archived: "Archived",
};

export const outcomeTaskWords: Readonly<Record<OutcomeTask["status"], string>> = {
  pending: "Queued",
  running: "Running",
  paused: "Waiting for you",
  failed: "Failed",
  completed: "Completed",
  obsolete: "Skipped",
};

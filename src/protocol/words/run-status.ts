// The status of a run in a word: the same on pages and in the terminal. Pure.

import type { RunStatus } from "../../domain/run/run.ts";

const words: Readonly<Record<RunStatus, string>> = {
  queued: "Queued",
  running: "Running",
  waiting_on_user: "Needs you",
  completed: "Completed",
  stopped: "Stopped",
  failed: "Failed",
  canceled: "Canceled",
};

/** A run that was paused is not one that had to stop. */
export const runStatusWord = (status: RunStatus, isPaused: boolean): string =>
  status === "stopped" && isPaused ? "Paused" : words[status];

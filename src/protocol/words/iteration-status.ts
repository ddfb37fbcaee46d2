// The status of an iteration in a word: the same on pages and in the terminal. Pure.

import type { IterationStatus } from "../../domain/run/iteration-result.ts";

export const iterationStatusWords: Readonly<Record<IterationStatus, string>> = {
  running: "Running",
  success: "Done",
  failed: "Failed",
  waiting_on_user: "Asked you",
  interrupted: "Interrupted",
};

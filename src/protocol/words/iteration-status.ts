// The status of an iteration in a word: the same on pages and in the terminal. Pure.

import type { IterationStatus } from "../../domain/run/effects.ts";

export const iterationStatusWords: Readonly<Record<IterationStatus, string>> = {
  running: "Running",
  success: "Done",
  failed: "Failed",
  waiting_on_user: "Asked you",
  interrupted: "Interrupted",
};

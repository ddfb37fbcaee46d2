// How the states and decisions of an iteration read on the screen.

import type { RunIteration } from "../../../../../src/protocol/api.ts";
import { duration } from "../../../../../src/protocol/figures.ts";
import { tone } from "../../../lib/tones.ts";

export const iterationStatusWords: Readonly<Record<RunIteration["status"], string>> = {
  running: "Running",
  success: "Done",
  failed: "Failed",
  waiting_on_user: "Asked you",
  interrupted: "Interrupted",
};

export const iterationStatusColors: Readonly<Record<RunIteration["status"], string>> = {
  running: tone.atWork,
  success: tone.passed,
  failed: tone.failure,
  waiting_on_user: tone.atWork,
  interrupted: tone.plain,
};

const decisionWords: Readonly<Record<string, string>> = {
  continue: "Why it continued",
  hold: "Why it had to wait",
  ask: "Why it asked you",
  complete: "Why it was complete",
  stop: "Why it stopped",
};

/** Said before the reason. */
export function decisionWordsOf(decision: string | null): string {
  return (decision === null ? undefined : decisionWords[decision]) ?? "Why";
}

/** Fractions of a second where seconds would say nothing. */
export function shortDuration(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)}s` : duration(ms);
}

/** Its running time; null while it is at work. */
export function iterationMs({ started_at: started, ended_at: ended, metrics }: RunIteration): number | null {
  if (ended === null) return null;
  return metrics?.running_ms ?? Math.max(0, Date.parse(ended) - Date.parse(started));
}

// How the states of a run look on the screen, and what may be said of any run. Words of a status are the contract's.

import type { RunSummary } from "../../../src/protocol/api.ts";
import { duration } from "../../../src/protocol/figures.ts";
import { tone } from "../lib/tones.ts";

export type RunStatus = RunSummary["status"];

export const runStatusColors: Readonly<Record<RunStatus, string>> = {
  queued: tone.plain,
  running: tone.atWork,
  waiting_on_user: tone.needsYou,
  completed: tone.passed,
  stopped: tone.plain,
  failed: tone.failure,
  canceled: tone.plain,
};

/** Whether it goes on without anybody doing anything. */
export function goesOnByItself(status: RunStatus): boolean {
  return status === "queued" || status === "running";
}

/** What the button to a question says: what one does there. The platform's own questions begin with these words. */
export function answerWord(question: string): string {
  if (/^Review \d+ changes?\b/.test(question)) return "Review changes";
  return question.startsWith("Review the plan") ? "Review plan" : "Answer";
}

/** Shorter than this is not worth a word. */
const noticedMs = 1_000;

/** `2m 05s active`; null where it has hardly worked. */
export const activeWords = (ms: number): string | null =>
  ms < noticedMs ? null : `${duration(Math.round(ms / 1_000) * 1_000)} active`;

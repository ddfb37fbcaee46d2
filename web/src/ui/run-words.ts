// How the states of a run read on the screen: in a word, and in a sentence about what it does now and whether it will go on.

import type { RunSummary } from "../../../src/protocol/api.ts";
import { duration } from "../../../src/protocol/figures.ts";
import { tone } from "../lib/tones.ts";

export type RunStatus = RunSummary["status"];

export const runStatusWords: Readonly<Record<RunStatus, string>> = {
  queued: "Queued",
  running: "Running",
  waiting_on_user: "Needs you",
  completed: "Completed",
  stopped: "Stopped",
  failed: "Failed",
  canceled: "Canceled",
};

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

const stopWords: Readonly<Record<string, string>> = {
  max_iterations: "it used all its iterations",
  running_time: "it used all its time",
  cost: "it used all its money",
  tokens: "it used all its tokens",
  tool_calls: "it used all its tool calls",
  no_progress: "it made no progress",
  same_action: "it did the same thing again and again",
  same_error: "it met the same error again and again",
  tool_missing: "it asked for tools that are not there",
  claim_rejected: "it said it was done when it was not, again and again",
  provider_auth: "the model's provider refused the key",
  provider_quota: "the model's provider has no credit left for it",
  monthly_quota: "your monthly budget is used up",
  provider_faults: "the model's provider kept failing until a limit was reached",
  paused: "you paused it",
};

/** Why it stopped, to be said after "because". */
export function stopWordsOf(reason: string): string {
  return stopWords[reason] ?? reason.replaceAll("_", " ");
}

/** Shorter than this is not worth a word. */
const noticedMs = 1_000;

/** `2m 05s active`; null where it has hardly worked. */
export const activeWords = (ms: number): string | null =>
  ms < noticedMs ? null : `${duration(Math.round(ms / 1_000) * 1_000)} active`;

// How long an answer of a model is waited for: told when it is silent, given up, and given up as a whole.

import type { SilenceLimits } from "./watch-silence.ts";

export type Timeouts = SilenceLimits & {
  /** What takes longer than this is not a step of an iteration. */
  readonly totalMs: number;
};

/** Silence is told within two minutes: what it takes to write it down and show it is on top. */
const tellMs = 100_000;
const totalMs = 900_000;

/** `seconds` without a word, before the first and in the middle: models that think may say nothing for minutes. */
export const timeoutsAfter = (seconds: number): Timeouts => ({ tellMs, answerMs: seconds * 1_000, totalMs });

/** Node's own fetch gives up after 300 seconds without a byte; a stream that is kept alive goes on, so more is of use, too. */
export const answerSeconds = { usual: 270, most: totalMs / 1_000 } as const;

export const defaultTimeouts = timeoutsAfter(answerSeconds.usual);

// What makes a program unrepeatable, passed in rather than reached for.

import type { Brand } from "./brand.ts";

/** Milliseconds since the epoch. */
export type Instant = Brand<number, "Instant">;

export type Env = {
  readonly now: () => Instant;
  /** A fresh UUID (version 7: ids sort by the time they were made). */
  readonly newId: () => string;
  /** Between 0 and 1; for jitter. */
  readonly random: () => number;
  /** Resolves after `ms`, or rejects when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

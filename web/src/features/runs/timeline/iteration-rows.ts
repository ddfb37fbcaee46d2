// Which iterations the timeline has and where each of them stands. Pure. They are numbered from 1 without a gap, so every
// one has its place before it is loaded.

import type { RunIteration } from "../../../../../src/protocol/api.ts";
import type { RunView } from "../../../../../src/protocol/run-view.ts";

export type Order = "newest" | "oldest";

/** What is known of the newest ones, and how far they reach. */
export type KnownIterations = {
  /** The highest number; 0 before the first. */
  readonly last: number;
  readonly byNumber: ReadonlyMap<number, RunIteration>;
  /** Those before it have to be asked for. */
  readonly oldestOfNewest: number;
};

export function knownIterations(newest: readonly RunIteration[], view: RunView): KnownIterations {
  const byNumber = new Map(newest.map((iteration) => [iteration.iteration, iteration]));
  const inFlight = iterationInFlight(view);
  const before = inFlight && byNumber.get(inFlight.iteration);
  // One that was interrupted is taken up again: what was read of it is no longer so.
  if (inFlight && (!before || before.status === "interrupted")) byNumber.set(inFlight.iteration, inFlight);
  const last = Math.max(newest[0]?.iteration ?? 0, inFlight?.iteration ?? 0);
  return { last, byNumber, oldestOfNewest: newest.at(-1)?.iteration ?? 0 };
}

/** As far as events tell: it is at work since then. */
function iterationInFlight({ state, iteration, attempt }: RunView): RunIteration | null {
  if (state.status !== "running" || state.since === null) return null;
  return {
    iteration,
    attempts: attempt,
    status: "running",
    started_at: state.since,
    ended_at: null,
    summary: "",
    decision: null,
    why: null,
    error: null,
    metrics: null,
    artifacts: [],
  };
}

export const numberAt = (order: Order, last: number, index: number): number =>
  order === "newest" ? last - index : index + 1;

export const indexOfNumber = (order: Order, last: number, number: number): number =>
  order === "newest" ? last - number : number - 1;

/** The first numbers of the blocks that hold those of these numbers that are older than the newest ones. */
export function blocksFor(numbers: readonly number[], oldestOfNewest: number, size: number): readonly number[] {
  const missing = numbers.filter((number) => number < oldestOfNewest);
  return [...new Set(missing.map((number) => number - ((number - 1) % size)))];
}

/** `iteration-12` as an address says it; null for anything else. */
export function numberInHash(hash: string): number | null {
  const found = /^#?iteration-(\d{1,9})$/.exec(hash);
  return found ? Number(found[1]) : null;
}

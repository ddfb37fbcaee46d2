// The furthest a run has ever been. Progress is measured against this and not against the last iteration, so that going back
// and forth gets a run no further.

export type Best = {
  /** By step: the furthest it ever was (`rank` in progress.ts). */
  readonly steps: Readonly<Record<string, number>>;
  /** Checks that were green at least once. */
  readonly green: readonly string[];
  /** The least work that was ever said to remain; null before the first claim. */
  readonly remaining: number | null;
  /** Fingerprints of contents that were there already, the newest last. */
  readonly states: readonly string[];
};

export const noBest: Best = { steps: {}, green: [], remaining: null, states: [] };

// A model that is asked and does not answer: what is told of it while it lasts. Pure.

export type ModelSilence = {
  /** For how long nothing was heard. */
  readonly silentMs: number;
  /** Which try of the same request it is, and how many there will be at most. */
  readonly tries: number;
  readonly triesMost: number;
  /** What the tries without an answer can have cost; null: nothing, or the price is unknown. */
  readonly atStakeMicroUsd: number | null;
};

const minuteMs = 60_000;

/** Of one run its user is not notified more often. */
export const silenceToldEveryMs = 60 * minuteMs;

const centInMicroUsd = 10_000;

/** `The model has not answered for 2 min, try 3 of 5, at most $0.57 at stake`. */
export function describeSilence({ silentMs, tries, triesMost, atStakeMicroUsd }: ModelSilence): string {
  const minutes = Math.max(1, Math.round(silentMs / minuteMs));
  const parts = [
    `The model has not answered for ${minutes} min`,
    ...(triesMost > 1 ? [`try ${tries} of ${triesMost}`] : []),
    ...(atStakeMicroUsd === null ? [] : [`at most ${toDollars(atStakeMicroUsd)} at stake`]),
  ];
  return parts.join(", ");
}

/** Whole cents, rounded up. */
const toDollars = (microUsd: number): string => `$${(Math.ceil(microUsd / centInMicroUsd) / 100).toFixed(2)}`;

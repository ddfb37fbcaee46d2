// Chance from a seed: the same seed plays the same simulation.

export type Random = {
  /** Between 0 and 1. */
  readonly next: () => number;
  readonly chance: (probability: number) => boolean;
  readonly below: (end: number) => number;
  readonly between: (from: number, to: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
  /** Looks like a UUID. */
  readonly id: () => string;
};

export function seeded(seed: number): Random {
  let state = (seed * 0x9e3779b1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  const hex = (digits: number) =>
    below(16 ** digits)
      .toString(16)
      .padStart(digits, "0");
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    between: (from, to) => from + below(to - from + 1),
    pick: (items) => {
      const picked = items[below(items.length)];
      if (picked === undefined) throw new Error("bug: nothing to pick from");
      return picked;
    },
    id: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`,
  };
}

// How long someone who keeps failing to sign in has to wait before the next try counts. Delays grow and end, so no account is locked.

export type DelayRule = {
  /** Failures without any delay. */
  readonly free: number;
  readonly firstMs: number;
  readonly longestMs: number;
};

/** One address at one account: this is what a guesser runs into. */
export const pairRule: DelayRule = { free: 5, firstMs: 1_000, longestMs: 15 * 60_000 };
/** A browser that has signed in to the account before: typing errors, not guesses; failures of other browsers do not delay it. */
export const deviceRule: DelayRule = { free: 10, firstMs: 1_000, longestMs: 60_000 };
/** One account from everywhere: slows down guesses from many addresses, and stays short, because its owner waits as well. */
export const accountRule: DelayRule = { free: 50, firstMs: 1_000, longestMs: 10_000 };

/** Failures are forgotten after this long without one. */
export const forgetFailuresMs = 60 * 60_000;

export function delayAfter({ free, firstMs, longestMs }: DelayRule, failures: number): number {
  if (failures < free) return 0;
  return Math.min(longestMs, firstMs * 2 ** Math.min(30, failures - free));
}

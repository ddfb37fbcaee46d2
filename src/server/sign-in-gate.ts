// Counts failed tries to sign in, in memory, and says how long the next one has to wait: by address and account together, by account,
// and for a browser that the account knows only by that browser. Bounded: the longest unused is forgotten first.

import {
  accountRule,
  type DelayRule,
  delayAfter,
  deviceRule,
  forgetFailuresMs,
  pairRule,
} from "../domain/identity/sign-in-delay.ts";
import type { Env } from "../lib/env.ts";

const namesMax = 50_000;

type Failures = { count: number; atMs: number };
type Key = { readonly name: string; readonly rule: DelayRule };

export type Try = {
  readonly address: string;
  readonly account: string;
  /** The browser, if it has signed in to this account before. */
  readonly device: string | null;
};

export type SignInGate = {
  /** Milliseconds to wait; 0: it may be tried now, and counts as a failure until `succeed`. */
  readonly enter: (attempt: Try) => number;
  readonly succeed: (attempt: Try) => void;
};

function keysOf({ address, account, device }: Try): readonly Key[] {
  if (device !== null) return [{ name: `device ${device} ${account}`, rule: deviceRule }];
  return [
    { name: `pair ${address} ${account}`, rule: pairRule },
    { name: `account ${account}`, rule: accountRule },
  ];
}

export function createSignInGate(env: Pick<Env, "now">): SignInGate {
  const failed = new Map<string, Failures>();

  function read(name: string): Failures {
    const found = failed.get(name);
    return found === undefined || env.now() - found.atMs > forgetFailuresMs ? { count: 0, atMs: 0 } : found;
  }

  function write(name: string, failures: Failures): void {
    failed.delete(name); // Re-inserted at the end: a Map remembers the order of insertion.
    if (failures.count > 0) failed.set(name, failures);
    if (failed.size > namesMax) failed.delete(failed.keys().next().value ?? "");
  }

  return {
    enter(attempt) {
      const now = env.now();
      const keys = keysOf(attempt);
      const waits = keys.map(({ name, rule }) => {
        const { count, atMs } = read(name);
        return atMs + delayAfter(rule, count) - now;
      });
      const longest = Math.max(0, ...waits);
      if (longest === 0) for (const { name } of keys) write(name, { count: read(name).count + 1, atMs: now });
      return longest;
    },
    /** Own failures are forgiven; those that others have made at the account stay, less this one. */
    succeed(attempt) {
      for (const { name, rule } of keysOf(attempt)) {
        const { count, atMs } = read(name);
        write(name, { count: rule === accountRule ? count - 1 : 0, atMs });
      }
    },
  };
}

// Keeps many runs from hammering one account: so many calls at a time per credential, and none before the time a provider
// has named. A caller that would wait for long is told so at once: a run that holds costs nothing, a worker that waits does.

import type { Env } from "../lib/env.ts";

export type LimiterOptions = {
  readonly env: Pick<Env, "now" | "sleep">;
  /** Calls at the same time for one credential. */
  readonly concurrencyOf: (credential: string) => number;
};

export type Entered =
  | { readonly kind: "entered"; readonly leave: () => void }
  | { readonly kind: "limited"; readonly untilMs: number; readonly why: string };

export type Limiter = {
  /** Rejects only when the signal is aborted. */
  readonly enter: (credential: string, signal: AbortSignal) => Promise<Entered>;
  /** A provider said: not before then. */
  readonly notBefore: (credential: string, untilMs: number) => void;
};

/** Up to this, waiting is cheaper than another attempt at the iteration. */
export const waitMaxMs = 5_000;
/** How often to look for a free place. Places are freed by answers, which take seconds. */
const lookEveryMs = 50;
/** In line for a place; with more, the line would be longer than anyone waits. */
const lineMax = 256;
/** An answer takes about this long; then there may be a place. */
const placeWaitMs = 30_000;

type State = { active: number; waiting: number; notBeforeMs: number };

export function createLimiter({ env, concurrencyOf }: LimiterOptions): Limiter {
  const states = new Map<string, State>();
  const stateOf = (credential: string): State => {
    const state = states.get(credential) ?? { active: 0, waiting: 0, notBeforeMs: 0 };
    states.set(credential, state);
    return state;
  };
  return {
    notBefore: (credential, untilMs) => {
      const state = stateOf(credential);
      state.notBeforeMs = Math.max(state.notBeforeMs, untilMs);
    },
    enter: async (credential, signal) => {
      const state = stateOf(credential);
      if (state.waiting >= lineMax) return full(env.now());
      state.waiting += 1;
      try {
        return await waitForPlace(state, concurrencyOf(credential), signal);
      } finally {
        state.waiting -= 1;
      }
    },
  };

  async function waitForPlace(state: State, max: number, signal: AbortSignal): Promise<Entered> {
    const giveUpMs = env.now() + placeWaitMs;
    for (;;) {
      signal.throwIfAborted();
      const now = env.now();
      const wait = state.notBeforeMs - now;
      if (wait > waitMaxMs)
        return { kind: "limited", untilMs: state.notBeforeMs, why: "the provider has asked us to wait" };
      if (wait <= 0 && state.active < max) return entered(state);
      if (now >= giveUpMs) return full(now);
      await env.sleep(wait > 0 ? wait : lookEveryMs, signal);
    }
  }
}

function full(nowMs: number): Entered {
  return { kind: "limited", untilMs: nowMs + placeWaitMs, why: "too many calls to this provider are under way" };
}

function entered(state: State): Entered {
  state.active += 1;
  let isIn = true;
  return {
    kind: "entered",
    leave: () => {
      if (isIn) state.active -= 1;
      isIn = false;
    },
  };
}

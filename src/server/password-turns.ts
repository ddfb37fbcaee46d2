// Comparing or hashing a password takes a tenth of a second of a processor, on threads that the whole process shares. Every route that does so
// takes its turn here: one of strangers and one of those who are known at a time, so that neither keeps others waiting for long.

import type { Context } from "hono";
import { AppError } from "../lib/app-error.ts";
import type { Env } from "../lib/env.ts";
import { counted } from "../protocol/figures.ts";
import type { Auth } from "./auth.ts";
import { limitedAddressOf } from "./client-address.ts";
import { tooMany } from "./guards.ts";
import type { RateLimiter } from "./rate-limit.ts";
import { createSignInGate, type SignInGate, type Try } from "./sign-in-gate.ts";
import { type Turns, takeTurns } from "./take-turns.ts";

export type PasswordTurns = {
  /** By address. */
  readonly ofStrangers: Turns;
  /** By account: people who are signed in, and browsers that the account knows. */
  readonly ofKnown: Turns;
};

const strangerTurns = { atOnce: 1, perUser: 20, inAll: 200, restFactor: 0 };
/** Few of them: each of these people can wait for the answer before asking again. */
const knownTurns = { atOnce: 1, perUser: 4, inAll: 200, restFactor: 1 };

export const openPasswordGate = (env: Pick<Env, "now" | "sleep">) => ({
  signInGate: createSignInGate(env),
  passwords: {
    ofStrangers: takeTurns(strangerTurns, "tries to sign in", env),
    ofKnown: takeTurns(knownTurns, "passwords", env),
  } satisfies PasswordTurns,
});

export type GateDeps = {
  readonly auth: Auth;
  /** Tries to sign in, per address. */
  readonly signInLimiter: RateLimiter;
  /** Wrong passwords, per address and account. */
  readonly signInGate: SignInGate;
};

/**
 * A password is tried: it counts as wrong until `signInGate.succeed`. Known and unknown accounts wait alike. A browser that this account
 * knows waits for its own failures only.
 */
export function enterGate({ auth, signInLimiter, signInGate }: GateDeps, c: Context, email: string): Try {
  const account = email.toLowerCase();
  const address = limitedAddressOf(c);
  const device = auth.devices.recognize(c.req.header("cookie"), account);
  if (device === null && !signInLimiter.take(address)) throw tooMany();
  const attempt = { address, account, device };
  const waitMs = signInGate.enter(attempt);
  if (waitMs === 0) return attempt;
  const seconds = Math.ceil(waitMs / 1_000);
  throw new AppError("rate_limited", `Too many wrong passwords. Try again in ${secondsInWords(seconds)}.`, {
    details: { retry_after_seconds: seconds },
  });
}

const secondsInWords = (seconds: number): string =>
  seconds <= 90 ? counted(seconds, "second") : counted(Math.ceil(seconds / 60), "minute");

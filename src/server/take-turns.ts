// Work that may take long, a few at a time: one for each user, few in all, so that it never takes all connections to the database and no user
// keeps others from their turn. A user whose work took long rests for longer before the next of it, so that a flood of slow work leaves most
// of the processor to others. A request that would wait too long is refused with that reason.

import { AppError } from "../lib/app-error.ts";
import type { Env } from "../lib/env.ts";

export type Turns = <T>(userId: string, work: () => Promise<T>) => Promise<T>;

export type TurnLimits = {
  readonly atOnce: number;
  /** Of one user, those at work included. */
  readonly perUser: number;
  readonly inAll: number;
  /** How many times as long as the work took its user rests before the next. */
  readonly restFactor: number;
};

const restMaxMs = 10_000;
/** Users whose rest is remembered; those whose rest is over are forgotten beyond it. */
const restingMax = 1_000;

type Waiting = { readonly userId: string; readonly begin: () => void };

export function takeTurns(limits: TurnLimits, what: string, env: Pick<Env, "now" | "sleep">): Turns {
  const working = new Set<string>();
  const waiting: Waiting[] = [];
  const restsUntil = new Map<string, number>();
  let isWaking = false;

  const rest = (userId: string, tookMs: number) => {
    const now = env.now();
    restsUntil.set(userId, now + Math.min(restMaxMs, tookMs * limits.restFactor));
    if (restsUntil.size > restingMax) for (const [each, until] of restsUntil) if (until <= now) restsUntil.delete(each);
  };
  const restOf = ({ userId }: Waiting) => Math.max(0, (restsUntil.get(userId) ?? 0) - env.now());

  /** Looks again when the first of those who rest has rested. */
  const wakeLater = async () => {
    const resting = waiting.filter(({ userId }) => !working.has(userId));
    if (isWaking || resting.length === 0) return;
    isWaking = true;
    await env.sleep(Math.min(...resting.map(restOf)) + 1);
    isWaking = false;
    beginNext();
  };

  /** Of those who have nothing at work and have rested, the one whose last turn is the longest ago: a newcomer passes a flood. */
  const beginNext = () => {
    if (working.size >= limits.atOnce) return;
    const ready = waiting.filter((each) => !working.has(each.userId) && restOf(each) === 0);
    const lastTurn = ({ userId }: Waiting) => restsUntil.get(userId) ?? 0;
    const [first] = ready;
    if (first === undefined) return void wakeLater();
    const next = ready.reduce((one, other) => (lastTurn(other) < lastTurn(one) ? other : one), first);
    waiting.splice(waiting.indexOf(next), 1);
    working.add(next.userId);
    next.begin();
  };

  return async (userId, work) => {
    const own = waiting.filter((each) => each.userId === userId).length + (working.has(userId) ? 1 : 0);
    if (own >= limits.perUser || waiting.length >= limits.inAll)
      throw new AppError("busy", `Too many ${what} are under way; try again in a moment`);
    await new Promise<void>((resolve) => {
      waiting.push({ userId, begin: resolve });
      beginNext();
    });
    const began = env.now();
    try {
      return await work();
    } finally {
      working.delete(userId);
      rest(userId, env.now() - began);
      beginNext();
    }
  };
}

// Work that may take long, a few at a time: one for each user, few in all, so that it never takes all connections to the database and no user
// keeps others from their turn. A request that would wait too long is refused with that reason.

import { AppError } from "../lib/app-error.ts";

export type Turns = <T>(userId: string, work: () => Promise<T>) => Promise<T>;

export type TurnLimits = {
  readonly atOnce: number;
  /** Of one user, those at work included. */
  readonly perUser: number;
  readonly inAll: number;
};

type Waiting = { readonly userId: string; readonly begin: () => void };

export function takeTurns(limits: TurnLimits, what: string): Turns {
  const working = new Set<string>();
  const waiting: Waiting[] = [];

  /** The first in line whose user has nothing at work. */
  const beginNext = () => {
    if (working.size >= limits.atOnce) return;
    const index = waiting.findIndex(({ userId }) => !working.has(userId));
    if (index === -1) return;
    const [next] = waiting.splice(index, 1);
    if (!next) return;
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
    try {
      return await work();
    } finally {
      working.delete(userId);
      beginNext();
    }
  };
}

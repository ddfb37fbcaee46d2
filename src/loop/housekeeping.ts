// What has to be cleared away from time to time: used-up idempotency keys, sessions and links that ended, the bin, old lines of
// feeds, and calls of models whose answers will not come any more.
// Every process may run it; an advisory lock lets one do the work.

import { sql } from "kysely";
import type { Database, Tx } from "../db/database.ts";
import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";
import { forgetDeletedChats, forgetOldChatEvents } from "../store/chat-answer-store.ts";
import { forgetOldFeed } from "../store/feed-store.ts";
import { emptyBin, forgetEndedSessions } from "../store/housekeeping-store.ts";
import { forgetOldKeys } from "../store/idempotency-store.ts";
import { giveUpOldCalls, giveUpOldChatCalls } from "../store/lost-call-store.ts";

export type HousekeepingOptions = {
  readonly db: Database;
  readonly env: Env;
  readonly logger: Logger;
  readonly binDays: number;
  readonly everyMs?: number;
};

const everyMinutes = 10;
/** No client tries the same request again after a day. */
const idempotencyHours = 24;
/** Whoever was away for longer asks for the lists themselves. */
const feedDays = 7;
/** The text of an answer is in its message; whoever was away for longer reads that. */
const chatEventDays = 1;
/** Longer than any call takes; a run that goes on has settled its own by then. */
const callMinutes = 15;

export function startHousekeeping(options: HousekeepingOptions): { readonly close: () => Promise<void> } {
  const stop = new AbortController();
  const running = keepTidy(options, stop.signal);
  return {
    close: async () => {
      stop.abort();
      await running;
    },
  };
}

async function keepTidy(
  { db, env, logger, binDays, everyMs }: HousekeepingOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const cleared = await tidyOnce(db, binDays);
      if (cleared) logger.debug(cleared, "tidied up");
    } catch (error) {
      logger.warn({ error }, "could not tidy up; will try again");
    }
    // Stretched a little, so that many processes do not come at once.
    await env.sleep((everyMs ?? everyMinutes * 60_000) * (1 + env.random() / 5), signal).catch(() => {});
  }
}

export type Cleared = {
  readonly keys: number;
  readonly sessions: number;
  readonly binned: number;
  readonly feed: number;
  readonly calls: number;
  readonly chats: number;
  readonly chatEvents: number;
};

/** Null where another process is at it. */
export function tidyOnce(db: Database, binDays: number): Promise<Cleared | null> {
  return db.asSystem(async (tx) => {
    if (!(await isFirst(tx))) return null;
    return {
      keys: await forgetOldKeys(tx, idempotencyHours),
      sessions: await forgetEndedSessions(tx),
      binned: await emptyBin(tx, binDays),
      feed: await forgetOldFeed(tx, feedDays),
      calls: (await giveUpOldCalls(tx, callMinutes)) + (await giveUpOldChatCalls(tx, callMinutes)),
      chats: await forgetDeletedChats(tx, binDays),
      chatEvents: await forgetOldChatEvents(tx, chatEventDays),
    };
  });
}

async function isFirst(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ first: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('homework.housekeeping', 0)) as first`.execute(tx);
  return rows[0]?.first ?? false;
}

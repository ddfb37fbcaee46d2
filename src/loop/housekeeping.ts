// What has to be cleared away from time to time: used-up idempotency keys, sessions and links that ended, the bin, old lines of
// feeds, and calls of models whose answers will not come any more.
// One job for all processes: whichever takes it tidies up and plans the next time in the same transaction.

import type { Database, Tx } from "../db/database.ts";
import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";
import type { KindHandler } from "../queue/dispatcher.ts";
import type { JobQueue, NewJob } from "../queue/job-queue.ts";
import { forgetOldDeliveries } from "../store/channel/delivery-store.ts";
import { forgetDeletedChats } from "../store/chat/chat-answer-store.ts";
import { emptyBin, forgetEndedSessions, forgetOldChatEvents, forgetOldFeed } from "../store/housekeeping-store.ts";
import { forgetOldKeys } from "../store/identity/idempotency-store.ts";
import { giveUpOldCalls, giveUpOldChatCalls, giveUpOldTurnCalls } from "../store/journal/lost-call-store.ts";

export type HousekeepingOptions = {
  readonly db: Database;
  readonly queue: Pick<JobQueue, "enqueue" | "complete">;
  readonly env: Env;
  readonly logger: Logger;
  readonly binDays: number;
};

const everyMs = 10 * 60_000;
/** No client tries the same request again after a day. */
const idempotencyHours = 24;
/** A page that was away for longer asks for the lists themselves. */
const feedDays = 7;
/** The text of an answer is in its message; a page that was away for longer reads that. */
const chatEventDays = 1;
/** Longer than any call takes; a run that goes on has settled its own by then. */
const callMinutes = 15;

/** A question that was asked in a chat can be answered there for as long. */
const deliveryDays = 90;

const housekeepingAt = (notBeforeMs: number | null): NewJob => ({
  kind: "schedule",
  key: "schedule:housekeeping",
  data: { task: "housekeeping" },
  notBeforeMs,
  isNews: notBeforeMs === null,
});

/** When a process starts: at once, unless the next time is planned already. */
export async function planHousekeeping({ db, queue }: Pick<HousekeepingOptions, "db" | "queue">): Promise<void> {
  await db.asSystem((tx) => queue.enqueue(tx, housekeepingAt(null)));
}

/** The handler of schedule jobs; tidying up is the one task there is. */
export function housekeepingHandler({ db, queue, env, logger, binDays }: HousekeepingOptions): KindHandler {
  return {
    concurrency: 1,
    handle: async (job) => {
      const cleared = await db.asSystem(async (tx) => {
        if (!(await queue.complete(tx, job))) return null;
        await queue.enqueue(tx, housekeepingAt(env.now() + everyMs));
        return tidyUp(tx, binDays);
      });
      if (cleared) logger.debug(cleared, "tidied up");
    },
  };
}

/** Outcomes are locked before runs. */
async function giveUpAllOldCalls(tx: Tx): Promise<number> {
  const ofTurns = await giveUpOldTurnCalls(tx, callMinutes);
  return ofTurns + (await giveUpOldCalls(tx, callMinutes)) + (await giveUpOldChatCalls(tx, callMinutes));
}

/** How many of each. */
export async function tidyUp(tx: Tx, binDays: number) {
  return {
    keys: await forgetOldKeys(tx, idempotencyHours),
    sessions: await forgetEndedSessions(tx),
    binned: await emptyBin(tx, binDays),
    feed: await forgetOldFeed(tx, feedDays),
    calls: await giveUpAllOldCalls(tx),
    chats: await forgetDeletedChats(tx, binDays),
    deliveries: await forgetOldDeliveries(tx, deliveryDays),
    chatEvents: await forgetOldChatEvents(tx, chatEventDays),
  };
}

// The outbox: hands out what users have to be told, once each. A delivery and the mark that it was made are one transaction;
// what fails is tried again later, and after enough tries given up. Any number of processes may run it.

import type { Database, Tx } from "../db/database.ts";
import type { UserId } from "../domain/identity/identity.ts";
import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";
import { appendToFeed } from "../store/notification/feed-store.ts";
import {
  type Delivery,
  markDelivered,
  type NotificationRow,
  postponeDelivery,
  takeDelivery,
} from "../store/notification/notification-store.ts";
import { wantsBrowser } from "../store/notification/preference-store.ts";

/** Tells one user of one notification; throws where it could not. What it writes is written if all goes well. */
export type Channel = (tx: Tx, notification: NotificationRow) => Promise<void>;
export type Channels = Readonly<Record<string, Channel>>;

/** The bell: the user's pages hear of it through their feed, and what they may do about it. */
const inApp: Channel = async (tx, { user_id: userId, ...notification }) =>
  appendToFeed(tx, userId as UserId, "notification_created", {
    ...notification,
    is_silent: notification.read_at !== null,
    browser: await wantsBrowser(tx, userId, notification.event),
  });

const ourChannels: Channels = { in_app: inApp };

export type OutboxOptions = {
  readonly db: Database;
  readonly env: Env;
  readonly logger: Logger;
  readonly channels?: Channels;
  readonly everyMs?: number;
};

export type Outbox = {
  /** There may be something to deliver. */
  readonly wake: () => void;
  readonly close: () => Promise<void>;
};

/** The loop looks this often for deliveries that were not announced, such as a retry. */
const lookEveryMs = 1_000;
/** Deliveries in a row before the loop looks up. */
const batchMax = 100;
/** Looks for them: several processes may find the same one, and only the first delivers it. */
const looksMax = 10 * batchMax;
/** Between tries: first, and at most. Ten tries are some twenty minutes. */
const retryMs = 2_000;
const retryMaxMs = 10 * 60_000;
const attemptsMax = 10;
/** Of what went wrong, as much as a column has use for. */
const errorMax = 500;

export function startOutbox(options: OutboxOptions): Outbox {
  const { env, everyMs = lookEveryMs } = options;
  const stop = new AbortController();
  let bell = Promise.withResolvers<void>();
  const wake = () => {
    const rung = bell;
    bell = Promise.withResolvers<void>();
    rung.resolve();
  };

  async function keepDelivering(): Promise<void> {
    while (!stop.signal.aborted) {
      const woken = bell.promise; // Before looking: what comes in between wakes us again.
      const isMore = await deliverSafely(options);
      if (isMore || stop.signal.aborted) continue;
      const idle = new AbortController();
      await Promise.race([woken, env.sleep(everyMs, idle.signal).catch(() => {})]);
      idle.abort();
    }
  }

  const running = keepDelivering();
  return {
    wake,
    close: async () => {
      stop.abort();
      wake();
      await running;
    },
  };
}

/** Whether there may be more. A database that is away is tried again at the next look. */
async function deliverSafely(options: OutboxOptions): Promise<boolean> {
  try {
    return (await deliverDue(options)) === batchMax;
  } catch (error) {
    options.logger.warn({ error }, "could not deliver notifications; trying again");
    return false;
  }
}

/** Delivers what is due, a batch at most; says how many deliveries were tried. */
export async function deliverDue(options: OutboxOptions): Promise<number> {
  let tried = 0;
  for (let looked = 0; looked < looksMax && tried < batchMax; looked++) {
    const came = await deliverNext(options);
    if (came === "none") return tried;
    if (came === "tried") tried += 1;
  }
  return tried;
}

async function deliverNext({ db, logger, channels = ourChannels }: OutboxOptions): Promise<"tried" | "none" | "lost"> {
  const taken: Delivery[] = [];
  try {
    return await db.asSystem(async (tx) => {
      const delivery = await takeDelivery(tx, Object.keys(channels));
      if (delivery === "none" || delivery === "lost") return delivery;
      taken.push(delivery);
      await channels[delivery.channel]?.(tx, delivery.notification);
      await markDelivered(tx, delivery);
      return "tried";
    });
  } catch (error) {
    const [delivery] = taken;
    if (delivery === undefined) throw error;
    await putOff(db, delivery, error);
    logger.warn({ error, notification: delivery.notification.id, channel: delivery.channel }, "not delivered");
    return "tried";
  }
}

function putOff(db: Database, delivery: Delivery, error: unknown): Promise<void> {
  const isLast = delivery.attempts + 1 >= attemptsMax;
  const afterMs = isLast ? null : Math.min(retryMaxMs, retryMs * 2 ** delivery.attempts);
  const why = (error instanceof Error ? error.message : String(error)).slice(0, errorMax);
  return db.asSystem((tx) => postponeDelivery(tx, delivery, why, afterMs));
}

// The feed of a user: what their lists and their bell have to know, numbered without gaps and in the order of commit. Written
// by the platform; `run_changed` comes with every change of a run (run-store.ts), the rest from here.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { type FeedType, feedTypes } from "../../domain/feed.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { objectColumn, whole } from "../row.ts";
import { changesChannel, userTopic } from "./topics.ts";

const feedRow = z.object({ seq: whole, type: z.enum(feedTypes), data: objectColumn }).readonly();
export type FeedEvent = z.infer<typeof feedRow>;

/** Held until the transaction ends: one that changes several rows of a user locks this first, so that no deadlock can arise. */
export async function lockFeed(tx: Tx, userId: UserId): Promise<void> {
  await sql`insert into user_feeds (user_id) values (${userId}) on conflict do nothing`.execute(tx);
  await sql`select from user_feeds where user_id = ${userId} for no key update`.execute(tx);
}

/** The number comes from the user's row, which stays locked until commit; the watching clients are told then. */
export async function appendToFeed(tx: Tx, userId: UserId, type: FeedType, data: FeedEvent["data"]): Promise<void> {
  await sql`
    with fed as (insert into user_feeds as f (user_id, last_seq) values (${userId}, 1)
      on conflict (user_id) do update set last_seq = f.last_seq + 1 returning user_id, last_seq),
    event as (insert into user_feed_events (user_id, seq, type, data)
      select user_id, last_seq, ${type}, ${JSON.stringify(data)}::jsonb from fed)
    select pg_notify(${changesChannel}, ${userTopic(userId)}) from fed`.execute(tx);
}

/** Oldest first: everything after `seq`, at most `limit`. What was forgotten meanwhile is passed over. */
export async function feedAfter(tx: Tx, userId: string, seq: number, limit: number): Promise<readonly FeedEvent[]> {
  const rows = await tx
    .selectFrom("user_feed_events")
    .select(["seq", "type", "data"])
    .where("user_id", "=", userId)
    .where("seq", ">", String(seq))
    .orderBy("seq")
    .limit(limit)
    .execute();
  return z.array(feedRow).parse(rows);
}

/** 0 for someone whom nothing has happened to yet. */
export async function lastFeedSeq(tx: Tx, userId: string): Promise<number> {
  const row = await tx.selectFrom("user_feeds").select("last_seq").where("user_id", "=", userId).executeTakeFirst();
  return Number(row?.last_seq ?? 0);
}

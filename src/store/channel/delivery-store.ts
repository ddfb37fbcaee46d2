// Deliveries through channels: what is sent, how often it was tried and what came of it. Written with their notification
// (plan-deliveries.ts); a job takes one, sends, and settles it together with itself.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { type GivenAnswer, givenAnswer } from "../../domain/channel/asked.ts";
import {
  type Channel,
  type ChannelId,
  type DeliveryId,
  type DeliveryState,
  deliveryStates,
} from "../../domain/channel/channel.ts";
import type { Page } from "../../domain/entity/entity.ts";
import { decodeCursor, isPast, type PageQuery, toPage } from "../cursor.ts";
import { cleanText, toJson } from "../json.ts";
import { idColumn, rowOf } from "../row.ts";
import { toChannel } from "./channel-store.ts";
import { type DeliveryJobs, deliveryJob } from "./delivery-jobs.ts";
import { type DeliveryPayload, deliveryPayload } from "./plan-deliveries.ts";

const deliveryRow = rowOf({
  id: idColumn<DeliveryId>(),
  event: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  nextAt: z.string(),
  lastStatus: z.number().nullable(),
  lastError: z.string().nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  title: z.string(),
});
/** As its user reads it. */
export type DeliveryLine = z.infer<typeof deliveryRow>;

const lineColumns = sql`id, event, state, attempts, next_at, last_status, last_error, created_at, ended_at, payload->>'title' as title`;

/** Newest first. */
export async function listDeliveries(tx: Tx, channelId: ChannelId, page: PageQuery): Promise<Page<DeliveryLine>> {
  const before = decodeCursor("deliveries", "time", page.cursor);
  const { rows } = await sql`
    select ${lineColumns} from channel_deliveries where channel_id = ${channelId} and ${isPast(before, "created_at", "id")}
     order by created_at desc, id desc limit ${page.limit + 1}`.execute(tx);
  const found = rows.map((row) => deliveryRow.parse(row));
  return toPage("deliveries", found, page.limit, ({ createdAt, id }) => [createdAt, id]);
}

export async function findDelivery(tx: Tx, id: DeliveryId): Promise<DeliveryLine | null> {
  const { rows } = await sql`select ${lineColumns} from channel_deliveries where id = ${id}`.execute(tx);
  return rows.length === 0 ? null : deliveryRow.parse(rows[0]);
}

/** A delivery that is to be made now. */
export type DueDelivery = {
  readonly id: DeliveryId;
  readonly channel: Channel;
  readonly event: string;
  readonly payload: DeliveryPayload;
  /** This try included. */
  readonly attempts: number;
};

const dueRow = rowOf({
  id: idColumn<DeliveryId>(),
  event: z.string(),
  payload: deliveryPayload,
  attempts: z.number(),
  channel: z.looseObject({}),
});

/** Counts the try before it is made, so that one that kills its worker comes to an end as well. Null: there is nothing to send. */
export async function beginDelivery(tx: Tx, id: DeliveryId): Promise<DueDelivery | null> {
  const { rows } = await sql`
    update channel_deliveries d set attempts = d.attempts + 1
      from user_channels c where d.id = ${id} and d.state = 'pending' and c.id = d.channel_id
    returning d.id, d.event, d.payload, d.attempts, row_to_json(c) as channel`.execute(tx);
  if (rows.length === 0) return null;
  const { channel, ...due } = dueRow.parse(rows[0]);
  return { ...due, channel: toChannel(channel) };
}

/** What one try came to. */
export type SettledDelivery = {
  readonly state: DeliveryState;
  readonly status: number | null;
  readonly error: string | null;
  /** Of a delivery that stays pending. */
  readonly nextAtMs: number | null;
  readonly messageId: number | null;
};

const errorMax = 500;

export async function settleDelivery(tx: Tx, id: DeliveryId, settled: SettledDelivery): Promise<void> {
  const { state, status, error, nextAtMs, messageId } = settled;
  await sql`update channel_deliveries set state = ${state}, last_status = ${status}::int,
      last_error = ${error === null ? null : cleanText(error).slice(0, errorMax)},
      next_at = coalesce(to_timestamp(${nextAtMs}::float8 / 1000), next_at),
      message_id = coalesce(${messageId}::bigint, message_id),
      ended_at = case when ${state} = 'pending' then null else run_now() end
    where id = ${id} and state = 'pending'`.execute(tx);
}

/** After a restore: deliveries came back without their jobs. */
export async function enqueueDueDeliveries(tx: Tx, jobs: DeliveryJobs): Promise<number> {
  const { rows } = await sql<{ id: DeliveryId }>`
    select id from channel_deliveries where state = 'pending' order by next_at, id`.execute(tx);
  for (const { id } of rows) await jobs.enqueue(tx, deliveryJob(id, null));
  return rows.length;
}

/** What a chat may answer. `isCurrent`: the thing has told nothing else since. */
export type AskedDelivery = {
  readonly id: DeliveryId;
  readonly about: string;
  readonly payload: DeliveryPayload;
  readonly answers: readonly GivenAnswer[];
  readonly isCurrent: boolean;
};

const askedRow = rowOf({
  id: idColumn<DeliveryId>(),
  payload: deliveryPayload,
  answers: z.array(givenAnswer),
  isCurrent: z.boolean(),
});

/** Locked until the transaction ends: by its id, or by the number of the chat's message. Null where it is not of this channel. */
export async function lockAsked(
  tx: Tx,
  channelId: ChannelId,
  by: { readonly id: string } | { readonly messageId: number },
): Promise<AskedDelivery | null> {
  const which = "id" in by ? sql`d.id = ${by.id}::uuid` : sql`d.message_id = ${by.messageId}::bigint`;
  const { rows } = await sql`
    select d.id, d.payload, d.answers, coalesce(n.told = d.told and n.event = d.event, false) as is_current
      from channel_deliveries d left join user_notifications n on n.id = d.notification_id
     where d.channel_id = ${channelId} and ${which} for update of d`.execute(tx);
  if (rows.length === 0) return null;
  const asked = askedRow.parse(rows[0]);
  return { ...asked, about: asked.payload.about };
}

/** Of several questions, those that were answered so far. */
export async function keepAnswers(tx: Tx, id: DeliveryId, answers: readonly GivenAnswer[]): Promise<void> {
  await sql`update channel_deliveries set answers = ${toJson(answers)}::jsonb where id = ${id}`.execute(tx);
}

/** Ended deliveries are kept for so many days, and codes until they expire. */
export async function forgetOldDeliveries(tx: Tx, days: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from channel_deliveries
    where ended_at < run_now() - make_interval(days => ${days})`.execute(tx);
  await sql`delete from telegram_links where expires_at < run_now()`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

// What users were told, and the outbox of what still has to be delivered. Written with the run (run-store.ts); read by its
// user; marked by the platform.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../db/database.ts";
import type { Page } from "../domain/entity/entity.ts";
import type { UserId } from "../domain/identity/identity.ts";
import { decodeCursor, toPage } from "./cursor.ts";

const columns = [
  "id",
  "user_id",
  "run_id",
  "event",
  "title",
  "message",
  "action_url",
  "data",
  "created_at",
  "read_at",
] as const;

const notificationRow = z.object({
  id: z.string(),
  user_id: z.string(),
  run_id: z.string().nullable(),
  event: z.string(),
  title: z.string(),
  message: z.string(),
  action_url: z.string(),
  data: z.record(z.string(), z.unknown()),
  created_at: z.string(),
  read_at: z.string().nullable(),
});

/** As it is kept; its names are those of the wire. */
export type NotificationRow = z.infer<typeof notificationRow>;

const toNotification = (row: unknown): NotificationRow => notificationRow.parse(row);

export type NotificationFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly unread: boolean;
};

/** Newest first. */
export async function listNotifications(tx: Tx, filter: NotificationFilter): Promise<Page<NotificationRow>> {
  const before = decodeCursor("notifications", "time", filter.cursor);
  let query = tx
    .selectFrom("user_notifications")
    .select([...columns])
    .where("user_id", "=", sql<string>`app_user_id()`)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(filter.limit + 1);
  if (filter.unread) query = query.where("read_at", "is", null);
  if (before) query = query.where(sql<boolean>`(created_at, id) < (${before[0]}::timestamptz, ${before[1]}::uuid)`);
  return toPage("notifications", await query.execute(), filter.limit, toNotification, (row) => [
    row.created_at,
    row.id,
  ]);
}

export async function findNotification(tx: Tx, id: string): Promise<NotificationRow | null> {
  const row = await tx
    .selectFrom("user_notifications")
    .select([...columns])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? toNotification(row) : null;
}

export async function countUnread(tx: Tx, userId: UserId): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from user_notifications where user_id = ${userId} and read_at is null`.execute(tx);
  return rows[0]?.unread ?? 0;
}

/** One of them, or all; says how many were unread until now. With the user's feed locked. */
export async function markRead(tx: Tx, userId: UserId, id: string | null): Promise<number> {
  const { numAffectedRows } = await sql`
    update user_notifications set read_at = run_now()
     where user_id = ${userId} and read_at is null and ${id === null ? sql`true` : sql`id = ${id}`}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** One delivery that is due. */
export type Delivery = { readonly channel: string; readonly attempts: number; readonly notification: NotificationRow };

const deliveryRow = z.object({ channel: z.string(), attempts: z.number() });

/** Taken until the transaction ends; what another process has taken is passed over. Null: nothing is due. */
export async function takeDelivery(tx: Tx, channels: readonly string[]): Promise<Delivery | null> {
  const { rows } = await sql`
    select o.channel, o.attempts, n.* from notification_outbox o join user_notifications n on n.id = o.notification_id
     where o.state = 'pending' and o.next_at <= run_now() and o.channel = any (${[...channels]}::text[])
     order by o.next_at, o.notification_id limit 1 for update of o skip locked`.execute(tx);
  const [row] = rows;
  return row === undefined ? null : { ...deliveryRow.parse(row), notification: toNotification(row) };
}

export async function markDelivered(tx: Tx, { channel, notification }: Delivery): Promise<void> {
  await sql`update notification_outbox set state = 'delivered', attempts = attempts + 1, last_error = null
    where notification_id = ${notification.id} and channel = ${channel}`.execute(tx);
}

/** Later once more, or never again where `afterMs` is null. Nothing happens if someone delivered it meanwhile. */
export async function postponeDelivery(
  tx: Tx,
  { channel, attempts, notification }: Delivery,
  why: string,
  afterMs: number | null,
): Promise<void> {
  await sql`update notification_outbox set attempts = attempts + 1, last_error = ${why},
      state = ${afterMs === null ? "given_up" : "pending"},
      next_at = run_now() + make_interval(secs => ${(afterMs ?? 0) / 1_000}::double precision)
    where notification_id = ${notification.id} and channel = ${channel} and state = 'pending' and attempts = ${attempts}`.execute(
    tx,
  );
}

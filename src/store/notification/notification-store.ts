// What users were told, and the outbox of what still has to be delivered. Any part writes one with what it tells of; its user
// reads it; the platform marks it. The user's feed is locked before any of them changes, so that no two wait in a circle.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Page } from "../../domain/entity/entity.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { Notification } from "../../domain/notification.ts";
import { runStatuses } from "../../domain/run/run.ts";
import type { DeliveryJobs } from "../channel/delivery-jobs.ts";
import { planDeliveries } from "../channel/plan-deliveries.ts";
import { decodeCursor, isPast, type PageQuery, toPage } from "../cursor.ts";
import { cleanText, toJson } from "../json.ts";
import { idColumn, objectColumn, rowOf } from "../row.ts";
import { appendToFeed, lockFeed } from "./feed-store.ts";
import { tellTopics, userTopic } from "./topics.ts";

const notificationRow = z.object({
  id: z.string(),
  user_id: z.string(),
  about: z.string(),
  run_id: z.string().nullable(),
  event: z.string(),
  title: z.string(),
  message: z.string(),
  action_url: z.string(),
  data: objectColumn,
  created_at: z.string(),
  read_at: z.string().nullable(),
});

/** As it is kept; its names are those of the wire. */
export type NotificationRow = z.infer<typeof notificationRow>;

const selectNotifications = (tx: Tx) => tx.selectFrom("user_notifications").select(notificationRow.keyof().options);

export type NotificationFilter = PageQuery & { readonly unread: boolean };

const listedRow = notificationRow.extend({
  run: z
    .object({
      title: z.string().nullable(),
      objective: z.string(),
      status: z.enum(runStatuses),
      is_undone: z.boolean(),
    })
    .nullable(),
});
export type ListedNotificationRow = z.infer<typeof listedRow>;

/** Characters of an objective: its first line names the run. */
const objectiveMax = 300;

const runNow = sql`(select json_build_object('title', r.title, 'objective', left(r.objective, ${sql.lit(objectiveMax)}),
  'status', r.status, 'is_undone', r.undone_at is not null) from homework_runs r where r.id = user_notifications.run_id)`;

/** Newest first, each with how its run stands now. */
export async function listNotifications(tx: Tx, filter: NotificationFilter): Promise<Page<ListedNotificationRow>> {
  const before = decodeCursor("notifications", "time", filter.cursor);
  let query = selectNotifications(tx)
    .select(runNow.as("run"))
    .where("user_id", "=", sql<string>`app_user_id()`)
    .where(isPast(before, "created_at", "id"))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(filter.limit + 1);
  if (filter.unread) query = query.where("read_at", "is", null);
  const rows = z.array(listedRow).parse(await query.execute());
  return toPage("notifications", rows, filter.limit, (row) => [row.created_at, row.id]);
}

export async function findNotification(tx: Tx, id: string): Promise<NotificationRow | null> {
  const row = await selectNotifications(tx).where("id", "=", id).executeTakeFirst();
  return row ? notificationRow.parse(row) : null;
}

export async function countUnread(tx: Tx, userId: UserId): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from user_notifications where user_id = ${userId} and read_at is null`.execute(tx);
  return rows[0]?.unread ?? 0;
}

const toldRow = rowOf({ id: z.string(), told: z.number(), createdAt: z.string() });

/**
 * As the platform, in the transaction of what it tells of. A user has one notification about a thing, so another one takes
 * its place and is unread. One that the user does not want to hear of is kept as read. Channels of the user get their deliveries.
 */
export async function tellUser(tx: Tx, jobs: DeliveryJobs, told: Notification): Promise<void> {
  const { userId, about, event } = told;
  await lockFeed(tx, userId);
  const { rows } = await sql`
    with notification as (
      insert into user_notifications as n (id, user_id, about, run_id, event, title, message, action_url, data, read_at)
      select gen_random_uuid(), ${userId}, ${about}, (substring(${about} from '^run:(.*)$'))::uuid, ${event}, ${cleanText(told.title)},
             ${cleanText(told.message)}, ${told.actionUrl}, ${toJson(told.data)}::jsonb,
             case when exists (select from user_notification_preferences p
               where p.user_id = ${userId} and p.event = ${event} and not p.in_app) then run_now() end
      on conflict (user_id, about) do update set event = excluded.event, title = excluded.title, message = excluded.message,
        action_url = excluded.action_url, data = excluded.data, created_at = run_now(), read_at = excluded.read_at, told = n.told + 1
      returning id, told, created_at),
    outbox as (insert into notification_outbox (notification_id, channel) select id, 'in_app' from notification
      on conflict (notification_id, channel) do update
        set state = 'pending', attempts = 0, next_at = run_now(), last_error = null)
    select * from notification`.execute(tx);
  await planDeliveries(tx, jobs, told, toldRow.parse(rows[0]));
  await tellTopics(tx, [userTopic(userId)]);
}

/** Which of a user's notifications; null is all of them. A page is visited with everything that leads to it, or above it. */
export type Which = { readonly id: string } | { readonly about: string } | { readonly visited: string } | null;

/** As the platform. Says how many were unread until now; the user's other pages are told if any was. */
export async function markRead(tx: Tx, userId: UserId, which: Which): Promise<number> {
  const wanted = sql`user_id = ${userId} and read_at is null and ${toCondition(which)}`;
  // Usually nothing is unread; then nothing is locked.
  const unread = await sql`select from user_notifications where ${wanted} limit 1`.execute(tx);
  if (unread.rows.length === 0) return 0;
  await lockFeed(tx, userId);
  const { rows } = await sql<{ id: string }>`
    update user_notifications set read_at = run_now() where ${wanted} returning id`.execute(tx);
  if (rows.length === 0) return 0;
  const id = which !== null && rows.length === 1 ? rows[0]?.id : null;
  const data = { notification_id: id, unread_count: await countUnread(tx, userId) };
  await appendToFeed(tx, userId, "notification_read", data);
  return rows.length;
}

function toCondition(which: Which) {
  if (which === null) return sql`true`;
  if ("id" in which) return sql`id = ${which.id}`;
  if ("about" in which) return sql`about = ${which.about}`;
  // A question leads to its place on a page: who sees the page sees the question.
  const place = sql`split_part(action_url, '?', 1)`;
  return sql`(${place} = ${which.visited} or starts_with(${which.visited}, ${place} || '/'))`;
}

/** One delivery that is due. */
export type Delivery = { readonly channel: string; readonly attempts: number; readonly notification: NotificationRow };

const dueRow = z.object({ channel: z.string(), notification_id: z.string(), user_id: idColumn<UserId>() });
const deliveryRow = z.object({ channel: z.string(), attempts: z.number() });

/** Taken until the transaction ends. `none`: nothing is due; `lost`: another process was quicker, and there may be more. */
export async function takeDelivery(tx: Tx, channels: readonly string[]): Promise<Delivery | "none" | "lost"> {
  const due = await sql`
    select o.channel, o.notification_id, n.user_id from notification_outbox o
      join user_notifications n on n.id = o.notification_id
     where o.state = 'pending' and o.next_at <= run_now() and o.channel = any (${[...channels]}::text[])
     order by o.next_at, o.notification_id limit 1`.execute(tx);
  if (due.rows.length === 0) return "none";
  const found = dueRow.parse(due.rows[0]);
  await lockFeed(tx, found.user_id);
  const { rows } = await sql`
    select o.channel, o.attempts, n.* from notification_outbox o join user_notifications n on n.id = o.notification_id
     where o.notification_id = ${found.notification_id} and o.channel = ${found.channel}
       and o.state = 'pending' and o.next_at <= run_now() for update of o`.execute(tx);
  const [row] = rows;
  return row === undefined ? "lost" : { ...deliveryRow.parse(row), notification: notificationRow.parse(row) };
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

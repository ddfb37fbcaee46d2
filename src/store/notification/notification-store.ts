// What users were told. Any part writes a notification with what it tells of, and the user's feed has it at the same commit; its user
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
import { objectColumn } from "../row.ts";
import { appendToFeed, lockFeed } from "./feed-store.ts";
import { isRefused } from "./preference-store.ts";

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

/** The row as it is kept; its names are those of the wire. */
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

/** As `notification_created` carries it, and which telling of the thing it is. */
const toldRow = notificationRow.omit({ user_id: true }).extend({ told: z.number(), browser: z.boolean() });

/**
 * As the platform, in the transaction of what it tells of: the notification, its event in the user's feed, and the deliveries of
 * the user's channels are committed together. A user has one notification about a thing, so another one takes its place and is
 * unread. One that the user does not want to hear of is kept as read, and its event is silent.
 */
export async function tellUser(tx: Tx, jobs: DeliveryJobs, notification: Notification): Promise<void> {
  const { userId, about, event } = notification;
  await lockFeed(tx, userId);
  const { rows } = await sql`
    insert into user_notifications as n (id, user_id, about, run_id, event, title, message, action_url, data, read_at)
    values (gen_random_uuid(), ${userId}, ${about}, (substring(${about} from '^run:(.*)$'))::uuid, ${event}, ${cleanText(notification.title)},
            ${cleanText(notification.message)}, ${notification.actionUrl}, ${toJson(notification.data)}::jsonb,
            case when ${isRefused(userId, event, "in_app")} then run_now() end)
    on conflict (user_id, about) do update set event = excluded.event, title = excluded.title, message = excluded.message,
      action_url = excluded.action_url, data = excluded.data, created_at = run_now(), read_at = excluded.read_at, told = n.told + 1
    returning n.*, not ${isRefused(userId, event, "browser")} as browser`.execute(tx);
  const { told, browser, ...row } = toldRow.parse(rows[0]);
  await planDeliveries(tx, jobs, notification, { id: row.id, told, createdAt: row.created_at });
  const rung = { ...row, is_silent: row.read_at !== null, browser };
  await appendToFeed(tx, userId, "notification_created", rung);
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

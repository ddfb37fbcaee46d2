// What one is told of: the list, what marks it as read, and what one wants to be told of.

import { z } from "zod";
import { notifiedEvents } from "../../domain/notification.ts";
import { runStatuses } from "../../domain/run/run.ts";
import { flag, pageOf, pageQuery } from "../paging.ts";
import { act, read, routesTagged } from "../route.ts";
import { differIn, id, text, timestamp } from "../text.ts";
import { count } from "./run-shapes.ts";

/** One for each thing that a user is told of; when there is more to tell of it, the same one is unread again. */
export const notification = z.object({
  id,
  /** The thing, as `kind:id`. */
  about: z.string(),
  /** Null for one that is about something else. */
  run_id: id.nullable(),
  event: z.string(),
  title: z.string(),
  message: z.string(),
  action_url: z.string(),
  data: z.record(z.string(), z.unknown()),
  /** When the user was last told. */
  created_at: timestamp,
  read_at: timestamp.nullable(),
});

/** With how the run stands that it is about, which may have moved on since. */
export const listedNotification = notification.extend({
  run: z.object({ title: z.string(), status: z.enum(runStatuses), is_undone: z.boolean() }).nullable(),
});

/** What `notification_created` in the feed carries. */
export const toldNotification = notification.extend({
  /** Its user does not want to hear of it, or has read it already: it rings no bell. */
  is_silent: z.boolean(),
  /** Pages that are open may show it as the system does, if the browser lets them. */
  browser: z.boolean(),
});

/** `in_app`: it rings the bell; `browser`: pages that are open show it as the system does, if they may. */
const notificationPreference = z.strictObject({
  event: z.enum(notifiedEvents),
  in_app: z.boolean(),
  browser: z.boolean(),
});
const notificationPreferences = z.object({ preferences: z.array(notificationPreference) });

const route = routesTagged("notifications");
const base = "/api/notifications";

export const notificationRoutes = {
  list: route(`GET ${base}`, {
    policy: read,
    summary: "What one was told, newest first",
    query: z.strictObject({ ...pageQuery, unread: flag }),
    result: pageOf(listedNotification).extend({ unread_count: count }),
  }),
  read: route(`POST ${base}/{notificationId}/read`, {
    policy: act,
    summary: "Mark a notification as read",
    params: z.object({ notificationId: id }),
    result: notification,
  }),
  visit: route(`POST ${base}/visited`, {
    policy: act,
    summary: "Mark the notifications that lead to a page, or to one above it, as read",
    body: z.strictObject({ path: text(2_000).regex(/^\//, "must be a path of this installation") }),
    result: z.object({ read: count }),
  }),
  preferences: route(`GET ${base}/preferences`, {
    policy: read,
    summary: "Which events one is told of, and where",
    result: notificationPreferences,
  }),
  setPreferences: route(`PATCH ${base}/preferences`, {
    policy: act,
    summary: "Choose which events one is told of, and where; the history keeps them all",
    body: z.strictObject({
      preferences: z
        .array(notificationPreference)
        .max(notifiedEvents.length)
        .refine(differIn("event"), "must name each event once"),
    }),
    result: notificationPreferences,
  }),
  readAll: route(`POST ${base}/read-all`, {
    policy: act,
    summary: "Mark all notifications as read",
    result: z.object({ read: count }),
  }),
} as const;

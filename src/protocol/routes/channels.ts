// Channels: further ways in which one is told of one's runs and answers them, outside of the pages.

import { z } from "zod";
import {
  channelEvents,
  channelKinds,
  channelNameMax,
  channelUrlMax,
  deliveryStates,
} from "../../domain/channel/channel.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { manageSelf, read, routesTagged } from "../route.ts";
import { filledText, id, text, timestamp } from "../text.ts";
import { count } from "./run-shapes.ts";

export const channel = z.object({
  id,
  kind: z.enum(channelKinds),
  name: z.string(),
  /** Which events are sent through it. */
  events: z.array(z.enum(channelEvents)),
  is_on: z.boolean(),
  /** Why Homework switched it off; null where its user did. */
  off_reason: z.string().nullable(),
  /** Of a webhook. */
  url: z.string().nullable(),
  created_at: timestamp,
});

export const channelDelivery = z.object({
  /** The receiver of a webhook sees it as `webhook-id`. */
  id,
  event: z.string(),
  title: z.string(),
  /** `dropped`: there was no longer a reason to send it. */
  state: z.enum(deliveryStates),
  attempts: count,
  /** When it is tried next, while it is pending. */
  next_at: timestamp,
  /** The HTTP status of the last answer. */
  last_status: z.number().int().nullable(),
  last_error: z.string().nullable(),
  created_at: timestamp,
  ended_at: timestamp.nullable(),
});

const name = filledText(channelNameMax);
const url = text(channelUrlMax).min(1);
const events = z
  .array(z.enum(channelEvents))
  .min(1)
  .max(channelEvents.length)
  .refine((names) => new Set(names).size === names.length, "must name each event once");

const params = z.object({ channelId: id });
const secret = z.string();
const route = routesTagged("channels");
const base = "/api/channels";

export const channelRoutes = {
  list: route(`GET ${base}`, {
    policy: read,
    summary: "One's channels, and whether Telegram can be linked",
    result: z.object({
      channels: z.array(channel),
      /** Null: this installation has no bot. `username`: null until the bot was first heard of. */
      telegram: z.object({ username: z.string().nullable(), problem: z.string().nullable() }).nullable(),
    }),
  }),
  addWebhook: route(`POST ${base}/webhooks`, {
    policy: manageSelf,
    summary: "Add a webhook; its secret is shown this once",
    body: z.strictObject({ name, url, events: events.optional() }),
    result: z.object({ channel, secret }),
    creates: true,
    answersSecret: true,
  }),
  linkTelegram: route(`POST ${base}/telegram/link`, {
    policy: manageSelf,
    summary: "Make a code that links a Telegram chat when it is sent to the bot; an earlier code no longer works",
    result: z.object({
      code: z.string(),
      url: z.string().nullable(),
      username: z.string().nullable(),
      expires_at: timestamp,
    }),
    answersSecret: true,
  }),
  update: route(`PATCH ${base}/{channelId}`, {
    policy: manageSelf,
    summary: "Change a channel; what is left out stays as it is",
    params,
    body: z.strictObject({
      name: name.optional(),
      url: url.optional(),
      events: events.optional(),
      is_on: z.boolean().optional(),
    }),
    result: channel,
  }),
  remove: route(`DELETE ${base}/{channelId}`, {
    policy: manageSelf,
    summary: "Remove a channel with its deliveries",
    params,
    result: z.object({ ok: z.literal(true) }),
  }),
  rotateSecret: route(`POST ${base}/{channelId}/secret`, {
    policy: manageSelf,
    summary: "Make a new secret for a webhook; for a day, requests carry signatures of both",
    params,
    result: z.object({ secret, previous_ends_in_hours: count }),
    answersSecret: true,
  }),
  test: route(`POST ${base}/{channelId}/test`, {
    policy: manageSelf,
    summary: "Send a test through a channel; its delivery says what came of it",
    params,
    result: channelDelivery,
  }),
  deliveries: route(`GET ${base}/{channelId}/deliveries`, {
    policy: read,
    summary: "What was sent through a channel, newest first",
    params,
    query: z.strictObject(pageQuery),
    result: pageOf(channelDelivery),
  }),
} as const;

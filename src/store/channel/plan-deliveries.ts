// Writes the deliveries of a notification, one for each channel that wants it, with their jobs: in the transaction that tells of it.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { type ChannelId, type DeliveryId, testEvent } from "../../domain/channel/channel.ts";
import type { Notification } from "../../domain/notification.ts";
import { cleanText, toJson } from "../json.ts";
import { idColumn } from "../row.ts";
import { type DeliveryJobs, deliveryJob } from "./delivery-jobs.ts";

/** What is told, as it was: the notification's own row says something else the next time. */
export const deliveryPayload = z.object({
  about: z.string(),
  title: z.string(),
  message: z.string(),
  actionUrl: z.string(),
  data: z.record(z.string(), z.unknown()),
  at: z.string(),
});
export type DeliveryPayload = Readonly<z.infer<typeof deliveryPayload>>;

/** One telling of a notification. */
export type Telling = { readonly id: string; readonly told: number; readonly createdAt: string };

const plannedRow = z.object({ id: idColumn<DeliveryId>() });

/** As the platform. Telling the same once more makes no second delivery. */
export async function planDeliveries(
  tx: Tx,
  jobs: DeliveryJobs,
  { userId, about, event, title, message, actionUrl, data }: Notification,
  { id, told, createdAt }: Telling,
): Promise<void> {
  const payload = { about, title: cleanText(title), message: cleanText(message), actionUrl, data, at: createdAt };
  const { rows } = await sql`
    insert into channel_deliveries (id, channel_id, notification_id, told, event, payload)
    select gen_random_uuid(), c.id, ${id}, ${told}, ${event}, ${toJson(payload)}::jsonb
      from user_channels c where c.user_id = ${userId} and c.is_on and ${event} = any (c.events)
    on conflict (channel_id, notification_id, told) do nothing
    returning id`.execute(tx);
  for (const planned of z.array(plannedRow).parse(rows)) await jobs.enqueue(tx, deliveryJob(planned.id, null));
}

/** As the platform: its user tries the channel out. */
export async function planTest(tx: Tx, jobs: DeliveryJobs, channelId: ChannelId): Promise<DeliveryId> {
  const payload = {
    about: `channel:${channelId}`,
    title: "Test from Homework",
    message: "This channel works. Nothing else happened.",
    actionUrl: "/settings/channels",
    data: {},
  };
  const { rows } = await sql`
    insert into channel_deliveries (id, channel_id, event, payload)
    values (gen_random_uuid(), ${channelId}, ${testEvent}, ${toJson(payload)}::jsonb || jsonb_build_object('at', run_now()))
    returning id`.execute(tx);
  const { id } = plannedRow.parse(rows[0]);
  await jobs.enqueue(tx, deliveryJob(id, null));
  return id;
}

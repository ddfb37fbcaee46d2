// Channels written straight into the tables.

import type pg from "pg";
import { realEnv } from "../../src/main/env.ts";

export async function insertChannel(admin: pg.Pool, userId: string): Promise<string> {
  const id = realEnv.newId();
  await admin.query(
    `insert into homework.user_channels (id, user_id, kind, name, events, url)
     values ($1, $2, 'webhook', 'Hook', '{completed}', 'https://hook.example/x')`,
    [id, userId],
  );
  await admin.query("insert into homework.channel_secrets (channel_id, secret) values ($1, 'whsec_b2xk')", [id]);
  return id;
}

/** A message that was tried out, and arrived. */
export async function insertDelivery(admin: pg.Pool, channelId: string): Promise<void> {
  await admin.query(
    `insert into homework.channel_deliveries (id, channel_id, event, payload, state, attempts, ended_at)
     values ($1, $2, 'test', '{"title": "It works"}', 'delivered', 1, now())`,
    [realEnv.newId(), channelId],
  );
}

/** Whoever has too many cannot add another. */
export async function removeChannels(admin: pg.Pool, userId: string): Promise<void> {
  await admin.query("delete from homework.user_channels where user_id = $1", [userId]);
}

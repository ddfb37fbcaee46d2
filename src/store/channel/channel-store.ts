// Channels of users and what their webhooks are signed with. Read in the user's name, written by the platform; secrets are the
// platform's alone.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import {
  type Channel,
  type ChannelEvent,
  type ChannelId,
  type ChannelKind,
  type ChannelTarget,
  channelEvents,
  channelKinds,
} from "../../domain/channel/channel.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { assert } from "../../lib/assert.ts";
import { idColumn, rowOf } from "../row.ts";

const channelRow = rowOf({
  id: idColumn<ChannelId>(),
  userId: idColumn<UserId>(),
  kind: z.enum(channelKinds),
  name: z.string(),
  events: z.array(z.enum(channelEvents)),
  isOn: z.boolean(),
  offReason: z.string().nullable(),
  url: z.string().nullable(),
  botId: z.coerce.number().nullable(),
  chatId: z.coerce.number().nullable(),
  createdAt: z.string(),
});

const columns = sql`id, user_id, kind, name, events, is_on, off_reason, url, bot_id, chat_id, created_at`;

/** A row of `user_channels`, whichever statement read it. */
export function toChannel(row: unknown): Channel {
  const { kind, url, botId, chatId, ...channel } = channelRow.parse(row);
  return { ...channel, target: toTarget(kind, url, botId, chatId) };
}

function toTarget(kind: ChannelKind, url: string | null, botId: number | null, chatId: number | null) {
  if (kind === "webhook") {
    assert(url !== null, "a webhook has an address");
    return { kind, url };
  }
  assert(botId !== null && chatId !== null, "a Telegram channel has a bot and a chat");
  return { kind, botId, chatId };
}

/** Oldest first. */
export async function listChannels(tx: Tx, userId: UserId): Promise<readonly Channel[]> {
  const { rows } = await sql`
    select ${columns} from user_channels where user_id = ${userId} order by created_at, id`.execute(tx);
  return rows.map(toChannel);
}

export async function findChannel(tx: Tx, userId: UserId, id: string): Promise<Channel | null> {
  const { rows } = await sql`
    select ${columns} from user_channels where id = ${id} and user_id = ${userId}`.execute(tx);
  return rows.length === 0 ? null : toChannel(rows[0]);
}

export type NewChannel = Pick<Channel, "id" | "userId" | "name" | "events" | "target">;

/** As the platform. False: the chat is linked already. */
export async function insertChannel(tx: Tx, { id, userId, name, events, target }: NewChannel): Promise<boolean> {
  const { url, botId, chatId } = toColumns(target);
  const { numAffectedRows } = await sql`
    insert into user_channels (id, user_id, kind, name, events, url, bot_id, chat_id)
    values (${id}, ${userId}, ${target.kind}, ${name}, ${[...events]}::text[], ${url}, ${botId}::bigint, ${chatId}::bigint)
    on conflict (bot_id, chat_id) do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

const toColumns = (target: ChannelTarget) =>
  target.kind === "webhook"
    ? { url: target.url, botId: null, chatId: null }
    : { url: null, botId: target.botId, chatId: target.chatId };

export type ChannelChange = {
  readonly name?: string | undefined;
  readonly events?: readonly ChannelEvent[] | undefined;
  readonly isOn?: boolean | undefined;
  readonly url?: string | undefined;
};

/** As the platform. What is left out stays; switching it on forgets why it was switched off. */
export async function updateChannel(tx: Tx, id: ChannelId, change: ChannelChange): Promise<void> {
  const { name = null, isOn = null, url = null } = change;
  const events = change.events === undefined ? null : [...change.events];
  await sql`update user_channels set name = coalesce(${name}, name), events = coalesce(${events}::text[], events),
      is_on = coalesce(${isOn}::boolean, is_on), url = coalesce(${url}, url),
      off_reason = case when ${isOn}::boolean is null then off_reason end
    where id = ${id}`.execute(tx);
}

/** As the platform: the receiver wants no more, or cannot be reached any more. */
export async function switchOff(tx: Tx, id: ChannelId, why: string): Promise<void> {
  await sql`update user_channels set is_on = false, off_reason = ${why} where id = ${id} and is_on`.execute(tx);
}

/** As the platform. Its deliveries go with it. */
export async function deleteChannel(tx: Tx, id: ChannelId): Promise<void> {
  await sql`delete from user_channels where id = ${id}`.execute(tx);
}

/** As the platform: the newest secret. The one before signs for so many hours more, older ones no longer. */
export async function keepSecret(tx: Tx, id: ChannelId, secret: string, hoursMore: number): Promise<void> {
  await sql`delete from channel_secrets where channel_id = ${id} and ends_at is not null`.execute(tx);
  await sql`update channel_secrets set ends_at = run_now() + make_interval(hours => ${hoursMore})
    where channel_id = ${id}`.execute(tx);
  await sql`insert into channel_secrets (channel_id, secret) values (${id}, ${secret})`.execute(tx);
}

/** As the platform: those that sign now, the newest first. */
export async function secretsOf(tx: Tx, id: ChannelId): Promise<readonly string[]> {
  const { rows } = await sql<{ secret: string }>`
    select secret from channel_secrets where channel_id = ${id} and (ends_at is null or ends_at > run_now())
     order by ends_at nulls first`.execute(tx);
  return rows.map(({ secret }) => secret);
}

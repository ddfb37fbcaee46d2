// What is kept of Telegram: how far the updates of a bot were taken, codes that link a chat, and whose a chat is. As the platform.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import type { Channel } from "../../domain/channel/channel.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { idColumn, rowOf, whole } from "../row.ts";
import { toChannel } from "./channel-store.ts";

/**
 * After a week without updates Telegram begins with another number, which may be smaller. It keeps updates for a day, so after six
 * days none of those that were taken can come again, and any number is good.
 */
const isLongAgo = sql`coalesce(taken_at < run_now() - interval '6 days', false)`;

/** The bot is known from now on, under this name. */
export async function keepBot(tx: Tx, botId: number, username: string): Promise<void> {
  await sql`insert into telegram_bots (bot_id, username) values (${botId}, ${username})
    on conflict (bot_id) do update set username = excluded.username`.execute(tx);
}

/** The first update that was not taken. */
export async function nextUpdate(tx: Tx, botId: number): Promise<number> {
  const { rows } = await sql`
    select case when ${isLongAgo} then 0 else next_update end as next from telegram_bots where bot_id = ${botId}`.execute(
    tx,
  );
  return z.object({ next: whole }).parse(rows[0]).next;
}

/** False: it was taken before. The row stays locked until the update is carried out. */
export async function takeUpdate(tx: Tx, botId: number, updateId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update telegram_bots set next_update = ${updateId}::bigint + 1, taken_at = run_now()
     where bot_id = ${botId} and (next_update <= ${updateId}::bigint or ${isLongAgo})`.execute(tx);
  return numAffectedRows === 1n;
}

/** Null: Telegram answered. */
export async function noteHeard(tx: Tx, botId: number, error: string | null): Promise<void> {
  await (error === null
    ? sql`update telegram_bots set heard_at = run_now(), failed_at = null, last_error = null where bot_id = ${botId}`
    : sql`update telegram_bots set failed_at = coalesce(failed_at, run_now()), last_error = ${error} where bot_id = ${botId}`
  ).execute(tx);
}

const botRow = rowOf({ botId: whole, username: z.string(), lastError: z.string().nullable() });

export async function findBot(tx: Tx, botId: number): Promise<z.infer<typeof botRow> | null> {
  const { rows } = await sql`
    select bot_id, username, last_error from telegram_bots where bot_id = ${botId}`.execute(tx);
  return rows.length === 0 ? null : botRow.parse(rows[0]);
}

/** An earlier code of this user no longer works. */
export async function keepCode(tx: Tx, userId: UserId, codeHash: string, minutes: number): Promise<string> {
  const { rows } = await sql`
    insert into telegram_links (user_id, code_hash, expires_at)
    values (${userId}, ${codeHash}, run_now() + make_interval(mins => ${minutes}))
    on conflict (user_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at
    returning expires_at`.execute(tx);
  return rowOf({ expiresAt: z.string() }).parse(rows[0]).expiresAt;
}

/** Whose code it is; it is used up by this. Null: unknown, used or expired. */
export async function useCode(tx: Tx, codeHash: string): Promise<UserId | null> {
  const { rows } = await sql`
    delete from telegram_links where code_hash = ${codeHash} and expires_at > run_now() returning user_id`.execute(tx);
  return rows.length === 0 ? null : rowOf({ userId: idColumn<UserId>() }).parse(rows[0]).userId;
}

/** Locked until the transaction ends, but not against deliveries that are written meanwhile. Channels are locked before runs. */
export async function lockChat(tx: Tx, botId: number, chatId: number): Promise<Channel | null> {
  const { rows } = await sql`
    select * from user_channels where bot_id = ${botId} and chat_id = ${chatId}::bigint for no key update`.execute(tx);
  return rows.length === 0 ? null : toChannel(rows[0]);
}

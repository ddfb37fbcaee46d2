// Slots: how many runs a user has at work, and which one is next. All of it with the user locked.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { RunId } from "../../domain/run/run.ts";

/** A statement of its own: what is counted afterwards is counted after the wait. */
export async function lockUser(tx: Tx, userId: UserId): Promise<void> {
  await sql`select from auth_users where id = ${userId} for no key update`.execute(tx);
}

export async function countSlots(tx: Tx, userId: UserId): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select count(*)::int as taken from homework_runs
     where user_id = ${userId} and status in ('queued', 'running') and has_slot`.execute(tx);
  return rows[0]?.taken ?? 0;
}

export async function nextInLine(tx: Tx, userId: UserId): Promise<RunId | null> {
  const { rows } = await sql<{ id: RunId }>`
    select id from homework_runs where user_id = ${userId} and status = 'queued' and not has_slot
     order by queued_at, id limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}

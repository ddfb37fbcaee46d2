// What is under way in someone's name, locked in the order in which everyone locks it. Runs of tasks rest with their outcome; the
// others are listed with those that have no slot first, so that the end of one does not begin another.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { ChatId } from "../../domain/chat/chat.ts";
import type { OutcomeId } from "../../domain/homr/outcome.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { RunId } from "../../domain/run/run.ts";
import { lockUser } from "../run/run-slots.ts";

export type OpenWork = {
  readonly outcomes: readonly OutcomeId[];
  readonly chats: readonly ChatId[];
  readonly runs: readonly RunId[];
};

/**
 * Of one user in one project: outcomes that keep their results there, and runs that can write nowhere else. Asked once the member's
 * role has changed.
 */
export async function lockWorkIn(tx: Tx, userId: UserId, projectId: string): Promise<Omit<OpenWork, "chats">> {
  const outcomes = await sql<{ id: OutcomeId }>`select id from outcomes
    where user_id = ${userId} and project_id = ${projectId} and status = 'active' and deleted_at is null
    order by id for no key update`.execute(tx);
  await lockUser(tx, userId);
  const runs = await sql<{ id: RunId }>`select r.id from homework_runs r
    where r.user_id = ${userId} and r.status in ('queued', 'running') and r.scope <> 'global' and r.outcome_task_id is null
      and ${projectId} = any (r.project_ids)
      and not exists (select from onto_project_members m
        where m.user_id = r.user_id and m.project_id = any (r.project_ids) and m.role in ('editor', 'owner'))
    order by r.has_slot, r.queued_at, r.id for no key update`.execute(tx);
  return { outcomes: outcomes.rows.map(({ id }) => id), runs: runs.rows.map(({ id }) => id) };
}

export async function lockOpenWork(tx: Tx, userId: UserId): Promise<OpenWork> {
  const outcomes = await sql<{ id: OutcomeId }>`select id from outcomes
    where user_id = ${userId} and status = 'active' and deleted_at is null order by id for no key update`.execute(tx);
  const chats = await sql<{ id: ChatId }>`select id from chat_sessions s where user_id = ${userId} and exists (
      select from chat_messages m where m.session_id = s.id and m.state in ('streaming', 'awaiting_confirmation'))
    order by id for no key update`.execute(tx);
  await lockUser(tx, userId);
  await sql`select from homework_runs where user_id = ${userId} and status in ('queued', 'running', 'waiting_on_user')
    order by id for no key update`.execute(tx);
  const runs = await sql<{ id: RunId }>`select r.id from homework_runs r
    where r.user_id = ${userId} and r.status in ('queued', 'running', 'waiting_on_user')
      and (r.outcome_task_id is null or r.status = 'waiting_on_user')
    order by r.has_slot, r.queued_at, r.id`.execute(tx);
  const ids = <Id>(found: { readonly rows: readonly { readonly id: Id }[] }) => found.rows.map(({ id }) => id);
  return { outcomes: ids(outcomes), chats: ids(chats), runs: ids(runs) };
}

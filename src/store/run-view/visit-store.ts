// When a user was last here, and what happened to their runs since. A visit goes on while its user is seen from time to time, so
// that a user who reloads the page, or looks at a run and comes back, is still told what happened since the visit before.

import { sql } from "kysely";
import { z } from "zod";
import { asPlatform, type Tx } from "../../db/database.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { rowOf, whole } from "../row.ts";

/** Longer than a coffee, shorter than a lunch. */
const awayMinutes = 30;

/** The user is here now. */
export async function noteVisit(tx: Tx, userId: UserId): Promise<void> {
  await asPlatform(tx, (platform) =>
    sql`insert into user_visits as v (user_id, seen_at) values (${userId}, run_now())
      on conflict (user_id) do update set seen_at = excluded.seen_at,
        since = case when v.seen_at < excluded.seen_at - make_interval(mins => ${awayMinutes}) then v.seen_at else v.since end`.execute(
      platform,
    ),
  );
}

const newsRow = rowOf({
  /** When the visit before this one ended; null in the first. */
  since: z.string().nullable(),
  /** Ended since, and not by the user. On a first visit everything counts. */
  finished: whole,
  /** Of these, by how they ended; one that was undone is in none of them. */
  completed: whole,
  stopped: whole,
  failed: whole,
  needsYou: whole,
  /** Spent since, on everything. */
  costMicroUsd: whole,
  unpricedCalls: whole,
});
export type News = z.infer<typeof newsRow>;

const countKept = (status: "completed" | "stopped" | "failed") =>
  sql`(select count(*) from ended where ended.status = ${sql.lit(status)} and ended.undone_at is null) as ${sql.ref(status)}`;

/** A user who has been away long enough is told what happened since then, also before this visit is noted. */
export async function readNews(tx: Tx): Promise<News> {
  const { rows } = await sql`
    with visit as (select (select case when v.seen_at < run_now() - make_interval(mins => ${awayMinutes}) then v.seen_at else v.since end
      from user_visits v where v.user_id = app_user_id()) as since),
    ended as (select r.status, r.undone_at from visit, homework_runs r where r.user_id = app_user_id()
      and r.ended_at >= coalesce(visit.since, '-infinity') and r.archived_at is null and r.status <> 'canceled'
      and r.stop_reason is distinct from 'paused'),
    spent as (select coalesce(sum(l.cost_micro_usd), 0) as cost, count(*) filter (where l.priced_by = 'unpriced') as unpriced
      from visit, llm_usage_logs l where l.user_id = app_user_id() and l.created_at >= coalesce(visit.since, '-infinity') and l.state <> 'reserved')
    select visit.since,
           (select count(*) from ended) as finished, ${countKept("completed")}, ${countKept("stopped")}, ${countKept("failed")},
           (select count(*) from homework_runs r where r.user_id = app_user_id() and r.status = 'waiting_on_user') as needs_you,
           spent.cost as cost_micro_usd, spent.unpriced as unpriced_calls
      from visit, spent`.execute(tx);
  return newsRow.parse(rows[0]);
}

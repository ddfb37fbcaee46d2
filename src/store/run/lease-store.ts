// Signs of life of the workers, on the database's clock: how long a run has been worked on is counted up to the last one.

import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { Lease } from "../../runs/ports/run-store.ts";
import { buildEvent } from "../event-sql.ts";
import { changesChannel, runTopic } from "../notification/topics.ts";
import { leasedMs } from "./leased-time.ts";

export async function keepLeases(db: Database, leases: readonly Lease[]): Promise<void> {
  if (leases.length === 0) return;
  const held = JSON.stringify(leases.map(({ runId, fence }) => ({ id: runId, fence })));
  // A row that someone is writing right now is a sign of life by itself: waiting for it would only hold the others up.
  await sql`
    update homework_runs r set lease_seen_at = run_now()
     where r.leased_at is not null and r.id in (
       select r.id from homework_runs r join jsonb_to_recordset(${held}::jsonb) as mine (id uuid, fence bigint)
         on r.id = mine.id and r.fence = mine.fence and r.leased_at is not null
        order by r.id for no key update of r skip locked)`.execute(db.system);
}

const released = buildEvent("iteration_released", {
  iteration: "iteration",
  running_ms: "running_ms",
  unread: "unread_messages",
});

/** A worker that stops in good order lets go of what it has: its time counts, and it is not taken for dead. */
export async function letGo(db: Database, { runId, fence }: Lease): Promise<void> {
  await sql`
    with run as (update homework_runs r set leased_at = null, lease_seen_at = null, leased_by = null, last_seq = last_seq + 1,
           running_ms = r.running_ms + (${sql.raw(leasedMs)})::bigint
     where id = ${runId} and fence = ${fence} and leased_at is not null
     returning id, last_seq, iteration, running_ms, unread_messages),
    event as (insert into homework_run_events (run_id, seq, iteration, type, event)
      select id, last_seq, iteration, 'iteration_released', ${sql.raw(released)} from run)
    select pg_notify(${changesChannel}, ${runTopic(runId)}) from run`.execute(db.system);
}

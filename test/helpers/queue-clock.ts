// The clock of the queue library, which is a function in its schema so that tests can move it.

import type pg from "pg";

/** Against the real clock, by an administrator of the test database. */
export async function setQueueClock(admin: pg.Pool, aheadSeconds: number): Promise<void> {
  // One at a time: the catalog takes no two changes of a function at once.
  await admin.query(`select pg_advisory_xact_lock(hashtextextended('queue clock', 0)); create or replace function homework_queue.job_now() returns timestamptz language sql stable
    as $$ select pg_catalog.now() + interval '${aheadSeconds} seconds' $$`);
}

// The clock of the queue library, which is a function in its schema so that tests can move it.

import type pg from "pg";

/** Against the real clock, by an administrator of the test database. */
export async function setQueueClock(admin: pg.Pool, aheadSeconds: number): Promise<void> {
  await admin.query(`create or replace function homework_queue.job_now() returns timestamptz language sql stable
    as $$ select pg_catalog.now() + interval '${aheadSeconds} seconds' $$`);
}

// One process at a time changes roles and schema: PostgreSQL refuses two that touch the same catalog row.

import type pg from "pg";

// Any number that is ours alone: advisory locks are shared by everything in the database.
const lockKey = 4_180_001;

export async function withSetupLock<T>(admin: pg.Client, work: () => Promise<T>): Promise<T> {
  await admin.query("select pg_advisory_lock($1)", [lockKey]);
  try {
    return await work();
  } finally {
    await admin.query("select pg_advisory_unlock($1)", [lockKey]);
  }
}

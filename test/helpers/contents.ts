// What the tables hold, as one hash each: two databases with the same hashes hold the same rows, byte for byte.

import type pg from "pg";

/** The history itself, what is counted in it, and what pages are told. */
const logTables = [
  "onto_changes",
  "onto_change_counters",
  "audit_log",
  "homework_run_events",
  "homework_run_undos",
  "idempotency_keys",
  "user_feeds",
  "user_feed_events",
];

export async function contents(admin: pg.Pool): Promise<Readonly<Record<string, string>>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'homework' and tablename <> all ($1) order by 1",
    [logTables],
  );
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ':' || coalesce(md5(string_agg(row, '|' order by row)), '') as hash
         from (select (to_jsonb(t) - 'last_seq' - 'undone_at')::text as row from homework.${name} t) rows`,
  );
  const { rows } = await admin.query<{ name: string; hash: string }>(parts.join(" union all "));
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

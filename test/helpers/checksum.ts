// What a database holds, in one word per table: to prove that a refused request wrote nothing.

import type pg from "pg";

/** Written by looking alone: when a session or a key was last used. */
const seenColumns: Readonly<Record<string, readonly string[]>> = {
  auth_sessions: ["updated_at", "expires_at"],
  auth_api_keys: ["updated_at", "last_request", "request_count"],
};

export type Checksum = Readonly<Record<string, string>>;

/** Of every table of ours, as the superuser sees them. Failed sign-ins are meant to be written down, so they are left out. */
export async function checksum(admin: pg.Pool): Promise<Checksum> {
  const { rows: tables } = await admin.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'homework' order by 1",
  );
  const parts = tables.map(({ name }) => {
    const seen = (seenColumns[name] ?? []).map((column) => ` - '${column}'`).join("");
    const only = name === "audit_log" ? "where action <> 'sign_in_failed'" : "";
    return `select '${name}' as name, count(*) || ':' || coalesce(md5(string_agg(row, '' order by row)), '') as sum
              from (select (to_jsonb(t)${seen})::text as row from homework.${name} t ${only}) rows`;
  });
  const { rows } = await admin.query<{ name: string; sum: string }>(parts.join(" union all "));
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}

// What a database holds, in one word per table: to prove that a refused request wrote nothing.

import type pg from "pg";

/** Written by looking alone: when a session or a key was last used. */
const seenColumns: Readonly<Record<string, readonly string[]>> = {
  auth_sessions: ["updated_at", "expires_at"],
  auth_api_keys: ["updated_at", "last_request", "request_count"],
};

export type Checksum = Readonly<Record<string, string>>;

/** Of every table of ours, as the superuser sees them. */
export async function checksum(admin: pg.Pool): Promise<Checksum> {
  const { rows: tables } = await admin.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'homework' order by 1",
  );
  const parts = tables.map(({ name }) => `select '${name}' as name, ${sumOf(name)} as sum from homework.${name} t`);
  // By a name it is planned once for each connection: planning takes far longer than reading the small tables of a test.
  const query = { name: "checksum", text: parts.join(" union all ") };
  const { rows } = await admin.query<{ name: string; sum: string }>(query);
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}

/** Every write leaves a row with a newer transaction, or a row less: cheaper than reading what the rows hold. */
function sumOf(table: string): string {
  const seen = seenColumns[table];
  // Failed sign-ins are meant to be written down, so they are left out.
  const counted = table === "audit_log" ? "filter (where action <> 'sign_in_failed')" : "";
  if (!seen) return `count(*) ${counted} || ':' || coalesce(max(xmin::text::bigint) ${counted}, 0)`;
  const row = `(to_jsonb(t)${seen.map((column) => ` - '${column}'`).join("")})::text`;
  return `count(*) || ':' || coalesce(md5(string_agg(${row}, '' order by id)), '')`;
}

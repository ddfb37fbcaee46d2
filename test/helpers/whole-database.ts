// Everything that a database of ours holds, as text by table, and what two of them differ in.

import type pg from "pg";

export type Contents = ReadonlyMap<string, string>;

/** Rows in one order, whatever order they came in; of sequences what they give next. */
export async function contentsOf(client: Pick<pg.Client, "query">): Promise<Contents> {
  const { rows: relations } = await client.query<{ name: string; kind: string }>(
    `select relname as name, relkind as kind from pg_class
      where relnamespace = 'homework'::regnamespace and relkind in ('r', 'p', 'S') and not relispartition order by 1`,
  );
  const contents = new Map<string, string>();
  for (const { name, kind } of relations) {
    const sql =
      kind === "S"
        ? `select (last_value + is_called::int)::text as all from homework.${name}`
        : `select coalesce(string_agg(r::text, e'\\n' order by r::text), '') as all from homework.${name} r`;
    const { rows } = await client.query<{ all: string }>(sql);
    contents.set(name, rows[0]?.all ?? "");
  }
  return contents;
}

/** Tables and sequences that are not the same in both. When they were migrated is no content. */
export const differencesOf = (one: Contents, other: Contents): readonly string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => name !== "schema_migrations" && one.get(name) !== other.get(name),
  );

/** Identity columns whose next number a row has already, or has been passed by one. */
export async function collisionsIn(client: Pick<pg.Client, "query">): Promise<readonly string[]> {
  const { rows: columns } = await client.query<{ table: string; name: string }>(
    `select c.relname as table, a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'homework'::regnamespace and a.attidentity <> ''`,
  );
  const collisions: string[] = [];
  for (const { table, name } of columns) {
    const { rows } = await client.query<{ collides: boolean }>(
      `select nextval(pg_get_serial_sequence('homework.${table}', '${name}')) <= max(${name}) as collides from homework.${table}`,
    );
    if (rows[0]?.collides) collisions.push(`${table}.${name}`);
  }
  return collisions;
}

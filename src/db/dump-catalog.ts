// What a dump holds, read from PostgreSQL's own catalog: every table and sequence of the schema. A table that a later migration adds is in it
// by itself.

import type pg from "pg";
import { schemaName } from "./roles.ts";

/** Migrations make these; they are not data. */
const notData = ["schema_migrations"];

type Column = {
  readonly name: string;
  /** Its text is the value: key order, repeated keys and a JSON null inside must come back as they were. */
  readonly isJson: boolean;
};

export type Table = { readonly name: string; readonly columns: readonly Column[] };

export type Sequence = {
  readonly name: string;
  readonly step: number;
  /** The column it numbers; null for a sequence of its own. */
  readonly of: { readonly table: string; readonly column: string } | null;
};

type Asker = Pick<pg.Client, "query">;

/** Referenced tables before those that refer to them; deferrable references are checked when everything is there. */
export async function tablesInOrder(admin: Asker): Promise<readonly Table[]> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = $1::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`,
    [schemaName],
  );
  const { rows: links } = await admin.query<{ child: string; parent: string }>(
    `select c.relname as child, p.relname as parent from pg_constraint k
       join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
      where k.contype = 'f' and k.connamespace = $1::regnamespace and not k.condeferrable`,
    [schemaName],
  );
  const columns = await columnsByTable(admin);
  const left = new Set(tables.map(({ name }) => name).filter((name) => !notData.includes(name)));
  const ordered: Table[] = [];
  while (left.size > 0) {
    const ready = [...left].filter((name) => !links.some(({ child, parent }) => child === name && left.has(parent)));
    if (ready.length === 0) throw new Error(`bug: tables refer to each other in a circle: ${[...left].join(", ")}`);
    for (const name of ready) left.delete(name);
    ordered.push(...ready.map((name) => ({ name, columns: columns.get(name) ?? [] })));
  }
  return ordered;
}

/** Generated columns are left out: the database makes them again. */
async function columnsByTable(admin: Asker): Promise<ReadonlyMap<string, readonly Column[]>> {
  const { rows } = await admin.query<Column & { table: string }>(
    `select c.relname as table, a.attname as name,
            coalesce(nullif(t.typbasetype, 0), t.oid) in ('json'::regtype, 'jsonb'::regtype) as "isJson"
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
      where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p')
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`,
    [schemaName],
  );
  return Map.groupBy(rows, ({ table }) => table);
}

/** Those of identity columns, those of serial ones, and those that number no column. */
export async function sequencesOf(admin: Asker): Promise<readonly Sequence[]> {
  const { rows } = await admin.query<{ name: string; step: number; table: string | null; column: string | null }>(
    `select s.relname as name, q.seqincrement::int as step, c.relname as table, a.attname as column
       from pg_class s join pg_sequence q on q.seqrelid = s.oid
       left join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid
                            and d.refclassid = 'pg_class'::regclass and d.deptype in ('i', 'a') and d.refobjsubid > 0
       left join pg_class c on c.oid = d.refobjid
       left join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      where s.relnamespace = $1::regnamespace and s.relkind = 'S' order by s.relname`,
    [schemaName],
  );
  return rows.map(({ name, step, table, column }) => ({
    name,
    step,
    of: table === null || column === null ? null : { table, column },
  }));
}

/** Tables of which the platform's role might be shown a part only: their dump would be cut short without a word. */
export async function partlyHidden(admin: Asker): Promise<readonly string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relrowsecurity
        and (not exists (select from pg_policy p
                          where p.polrelid = c.oid and p.polpermissive and p.polcmd in ('*', 'r')
                            and p.polroles && array[0::oid, 'homework_system'::regrole::oid]
                            and pg_get_expr(p.polqual, p.polrelid) = 'true')
             or exists (select from pg_policy p
                         where p.polrelid = c.oid and not p.polpermissive and p.polcmd in ('*', 'r')
                           and p.polroles && array[0::oid, 'homework_system'::regrole::oid]))
      order by 1`,
    [schemaName],
  );
  return rows.map(({ name }) => name);
}

// Questions to a running database whose answers must be right for it to be safe: roles, row level security, durability,
// the audit log. Used by `homework doctor` and by the catalog test.

import type pg from "pg";
import { sqlState } from "./errors.ts";
import { type DatabaseFault, faultIn } from "./faults.ts";
import { schemaName } from "./roles.ts";

export type TableSecurity = {
  readonly table: string;
  readonly isEnabled: boolean;
  readonly isForced: boolean;
  /** Commands that no policy speaks of. */
  readonly uncovered: readonly string[];
};

const commands = ["r", "a", "w", "d"] as const;
const commandNames = { r: "select", a: "insert", w: "update", d: "delete" } as const;

export async function tableSecurity(client: pg.Client | pg.Pool): Promise<readonly TableSecurity[]> {
  const { rows } = await client.query<Omit<TableSecurity, "uncovered"> & { covered: string[] | null }>(
    `select c.relname as table, c.relrowsecurity as "isEnabled", c.relforcerowsecurity as "isForced",
            array_agg(distinct p.polcmd::text) filter (where p.polcmd is not null) as covered
       from pg_class c left join pg_policy p on p.polrelid = c.oid
      where c.relnamespace in ($1::regnamespace, 'homework_admin'::regnamespace) and c.relkind in ('r', 'p')
      group by c.oid order by c.relname`,
    [schemaName],
  );
  return rows.map(({ covered, ...table }) => ({
    ...table,
    uncovered: commands.filter((c) => !covered?.includes("*") && !covered?.includes(c)).map((c) => commandNames[c]),
  }));
}

export type RoleFlags = {
  readonly role: string;
  readonly isSuper: boolean;
  readonly bypassesRls: boolean;
  readonly owns: number;
};

/** Of every role our processes use: none may be above row level security or own a table. */
export async function roleFlags(client: pg.Client | pg.Pool): Promise<readonly RoleFlags[]> {
  const { rows } = await client.query<RoleFlags>(
    `select r.rolname as role, r.rolsuper as "isSuper", r.rolbypassrls as "bypassesRls",
            (select count(*)::int from pg_class c
              where c.relowner = r.oid and c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p')) as owns
       from pg_roles r
      where r.rolname in ('homework_app', 'homework_auth', 'homework_system')
         or r.rolname = left('homework_login_' || current_database(), 63) order by 1`,
    [schemaName],
  );
  return rows;
}

/** Settings without which a committed write may be lost when the power goes. */
export async function durabilityOff(client: pg.Client | pg.Pool): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off' order by name",
  );
  return rows.map(({ name }) => name);
}

/** Number of the first row of the audit log that was tampered with, or null. Asked as the platform: no other role may. */
export async function brokenAuditRow(client: pg.Client): Promise<number | null> {
  await client.query("begin read only");
  try {
    await client.query("set local role homework_system");
    const { rows } = await client.query<{ seq: string | null }>(`select ${schemaName}.audit_first_broken() as seq`);
    return rows[0]?.seq ? Number(rows[0].seq) : null;
  } finally {
    await client.query("rollback");
  }
}

/** Some megabytes: enough that the disk has to give room for it. */
const trialRows = 50_000;

/** Writes a little into a table that goes at once. Null: it works, or this login may not make such a table. */
export async function whyNotWritable(client: pg.Client): Promise<DatabaseFault | null> {
  try {
    await client.query("begin");
    await client.query(
      `create temporary table homework_doctor on commit drop as select n, md5(n::text) as text from generate_series(1, ${trialRows}) n`,
    );
    return null;
  } catch (thrown) {
    if (sqlState(thrown) === "42501") return null;
    const fault = faultIn(thrown);
    if (fault === null) throw thrown;
    return fault;
  } finally {
    await client.query("rollback").catch(() => {});
  }
}

export async function takenConnections(client: pg.Client): Promise<{ readonly taken: number; readonly max: number }> {
  const { rows } = await client.query<{ taken: number; max: number }>(
    `select count(*)::int as taken, current_setting('max_connections')::int as max
       from pg_stat_activity where backend_type = 'client backend'`,
  );
  return rows[0] ?? { taken: 0, max: 0 };
}

/** What this login lacks to make the schema. */
export async function missingRights(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ roles: boolean; creates: boolean }>(
    `select rolsuper or rolcreaterole as roles, has_database_privilege(current_database(), 'create') as creates
       from pg_roles where rolname = current_user`,
  );
  const [found] = rows;
  return [
    ...(found?.roles ? [] : ["it may not create roles"]),
    ...(found?.creates ? [] : ["it may not create schemas in this database"]),
  ];
}

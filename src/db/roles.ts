// The database roles and the login our processes use. Runs as an administrator of the server, before migrations.
//
// A login of ours is NOINHERIT: by itself it may do nothing. Every transaction picks one of three roles (see
// database.ts), so a query outside of the helper fails instead of seeing everyone's rows.
// Roles belong to the whole server, logins to one database: two installations on one server do not share a password.

import { randomBytes } from "node:crypto";
import type pg from "pg";
import { withSetupLock } from "./setup-lock.ts";

export const schemaName = "homework";
/** The job queue's own tables (pg-boss); migration 0034 makes them. */
const queueSchemaName = "homework_queue";

/** Creates what is missing; safe to run at every start and in several databases of one server at once. */
export async function ensureRoles(admin: pg.Client): Promise<void> {
  for (const role of ["homework_owner", "homework_app", "homework_auth", "homework_system"])
    await admin.query(`do $$ begin
      create role ${role} nologin noinherit nosuperuser nobypassrls;
    exception when duplicate_object or unique_violation then null; end $$`);
  await admin.query(`do $$ begin
    -- To create as the owner, and to hand functions over to the platform's role.
    if not pg_has_role(current_user, 'homework_owner', 'member') then execute format('grant homework_owner to %I', current_user); end if;
    if not pg_has_role('homework_owner', 'homework_system', 'member') then grant homework_system to homework_owner; end if;
  exception when duplicate_object or unique_violation then null; end $$`);
  await admin.query(`create schema if not exists ${schemaName} authorization homework_owner`);
  await admin.query(`grant usage on schema ${schemaName} to homework_app, homework_auth, homework_system`);
  await admin.query(`grant create on schema ${schemaName} to homework_system`);
  await admin.query(`create schema if not exists ${queueSchemaName} authorization homework_owner`);
}

export type Login = { readonly user: string; readonly password: string };

/** The login of this database. Its password is kept where only an administrator can read it. */
export function ensureLogin(admin: pg.Client): Promise<Login> {
  return withSetupLock(admin, async () => {
    const { rows } = await admin.query<{ name: string }>("select current_database() as name");
    const database = rows[0]?.name ?? "";
    const user = loginName(database);
    const password = await storedPassword(admin, user);
    await activateLogin(admin, database, { user, password });
    return { user, password };
  });
}

async function storedPassword(admin: pg.Client, user: string): Promise<string> {
  await admin.query("create schema if not exists homework_admin");
  await admin.query(
    "create table if not exists homework_admin.login (one boolean primary key default true check (one), password text not null, login text not null)",
  );
  await admin.query(`do $$ begin
    if exists (select 1 from pg_policy where polrelid = 'homework_admin.login'::regclass) then return; end if;
    alter table homework_admin.login enable row level security, force row level security;
    execute format('create policy administrator on homework_admin.login for all to %I using (true) with check (true)', current_user);
  end $$`);
  // A database that was copied brings the original's row: that login keeps its password, this one gets its own.
  const { rows } = await admin.query<{ password: string }>(
    `insert into homework_admin.login as known (password, login) values ($1, $2)
     on conflict (one) do update set login = excluded.login,
       password = case when known.login = excluded.login then known.password else excluded.password end
     returning password`,
    [randomBytes(24).toString("base64url"), user],
  );
  return rows[0]?.password ?? "";
}

async function activateLogin(admin: pg.Client, database: string, { user, password }: Login): Promise<void> {
  const name = admin.escapeIdentifier(user);
  const { rowCount } = await admin.query("select 1 from pg_roles where rolname = $1", [user]);
  if (rowCount === 0)
    await admin.query(`create role ${name} login noinherit nosuperuser nobypassrls nocreatedb nocreaterole`);
  await admin.query(`alter role ${name} password ${admin.escapeLiteral(password)}`);
  await admin.query(`grant homework_app, homework_auth, homework_system to ${name}`);
  await admin.query(`revoke connect on database ${admin.escapeIdentifier(database)} from public`);
  await admin.query(`grant connect on database ${admin.escapeIdentifier(database)} to ${name}`);
}

/** PostgreSQL cuts names at 63 bytes. */
function loginName(database: string): string {
  return `homework_login_${database}`.slice(0, 63);
}

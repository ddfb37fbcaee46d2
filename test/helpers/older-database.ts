// A database as an older version left it, to be upgraded by the code that upgrades a user's. Dropped after the file.

import { createHash } from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { knownMigrations, migrate } from "../../src/db/migrate.ts";
import { ensureRoles } from "../../src/db/roles.ts";
import { databaseUrl } from "./postgres-server.ts";
import { onServer } from "./test-db.ts";

export type OlderDatabase = {
  /** The superuser's. */
  readonly admin: pg.Client;
  readonly upgrade: () => Promise<unknown>;
};

/** With the migrations before the one that is called this. */
export async function databaseBefore(migration: string): Promise<OlderDatabase> {
  const { adminUrl: serverUrl, prefix } = inject("testServer");
  const name = `${prefix}before_${migration}`.slice(0, 60);
  await onServer(serverUrl, (server) => server.query(`create database ${name}`));
  const admin = new pg.Client({ connectionString: databaseUrl(serverUrl, name) });
  await admin.connect();
  afterAll(async () => {
    await admin.end();
    await onServer(serverUrl, (server) => server.query(`drop database ${name}`));
  });
  await ensureRoles(admin);
  await admin.query("set search_path = homework; set role homework_owner");
  await admin.query(`create table schema_migrations (version integer primary key, name text not null, checksum text not null,
    applied_at timestamptz not null default now())`);
  const all = knownMigrations();
  for (const { version, name: called, sql } of all.slice(
    0,
    all.findIndex((each) => each.name === migration),
  )) {
    const checksum = createHash("sha256").update(sql).digest("hex");
    await admin.query(`begin; ${sql}; commit`);
    await admin.query("insert into schema_migrations values ($1, $2, $3)", [version, called, checksum]);
  }
  await admin.query("reset role");
  return { admin, upgrade: () => migrate(admin) };
}

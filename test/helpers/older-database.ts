// Databases as older versions left them, to be upgraded by the code that upgrades a user's: before a migration, or as a release was. What a
// release had is kept by `scripts/keep-schema.ts`, so that upgrades are tested from it even when the migrations themselves are gone.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { z } from "zod";
import { knownMigrations, type Migration, migrate } from "../../src/db/migrate.ts";
import { ensureRoles } from "../../src/db/roles.ts";
import { databaseUrl } from "./postgres-server.ts";
import { onServer } from "./test-db.ts";

export type OlderDatabase = {
  /** The superuser's. */
  readonly admin: pg.Client;
  readonly upgrade: () => Promise<unknown>;
};

/** With the migrations before the one that is called this. Dropped after the file. */
export function databaseBefore(migration: string): Promise<OlderDatabase> {
  const all = knownMigrations();
  const at = all.findIndex(({ name }) => name === migration);
  return makeDatabase(`before_${migration}`, all.slice(0, at));
}

const migrations = z.array(z.object({ version: z.number(), name: z.string(), sql: z.string() }));

/** As the release with this schema made it. Dropped after the file. */
export function releasedDatabase(schema: number): Promise<OlderDatabase> {
  const file = readFileSync(new URL(`../released/schema-${schema}.json.gz`, import.meta.url));
  return makeDatabase(`released_${schema}`, migrations.parse(JSON.parse(gunzipSync(file).toString())));
}

async function makeDatabase(called: string, applied: readonly Migration[]): Promise<OlderDatabase> {
  const { adminUrl: serverUrl, prefix } = inject("testServer");
  const name = `${prefix}${called}`.slice(0, 60);
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
    applied_at timestamptz not null default now());
    grant select on schema_migrations to homework_app, homework_auth, homework_system`);
  for (const { version, name: file, sql } of applied) {
    const checksum = createHash("sha256").update(sql).digest("hex");
    await admin.query(`begin; ${sql}; commit`);
    await admin.query("insert into schema_migrations values ($1, $2, $3)", [version, file, checksum]);
  }
  await admin.query("reset role");
  return { admin, upgrade: () => migrate(admin) };
}

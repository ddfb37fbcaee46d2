// A database as a released version left it: the migrations of that release, applied and recorded as it did. Kept by
// `scripts/keep-schema.ts`, so that upgrades are tested from it even when the migrations themselves are gone.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type pg from "pg";
import { inject } from "vitest";
import { z } from "zod";
import { ensureRoles } from "../../src/db/roles.ts";
import { databaseUrl } from "./postgres-server.ts";
import { onServer } from "./test-db.ts";

const migrations = z.array(z.object({ version: z.number(), name: z.string(), sql: z.string() }));

/** `work` has the superuser's connection. */
export async function withReleasedDatabase(schema: number, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const { adminUrl: serverUrl, prefix } = inject("testServer");
  const name = `${prefix}released_${schema}`;
  await onServer(serverUrl, (server) => server.query(`create database ${name}`));
  await onServer(databaseUrl(serverUrl, name), async (admin) => {
    await release(admin, schema);
    await work(admin);
  });
  await onServer(serverUrl, (server) => server.query(`drop database ${name}`));
}

async function release(admin: pg.Client, schema: number): Promise<void> {
  await ensureRoles(admin);
  await admin.query("set search_path = homework; set role homework_owner");
  await admin.query(`create table schema_migrations (version integer primary key, name text not null, checksum text not null,
    applied_at timestamptz not null default now());
    grant select on schema_migrations to homework_app, homework_auth, homework_system`);
  const file = readFileSync(new URL(`../released/schema-${schema}.json.gz`, import.meta.url));
  for (const { version, name, sql } of migrations.parse(JSON.parse(gunzipSync(file).toString()))) {
    const checksum = createHash("sha256").update(sql).digest("hex");
    await admin.query(`begin; ${sql}; commit`);
    await admin.query("insert into schema_migrations values ($1, $2, $3)", [version, name, checksum]);
  }
  await admin.query("reset role; reset search_path");
}

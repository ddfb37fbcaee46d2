// One PostgreSQL for the whole test run and, in it, a migrated template that every test file's database is copied from.
// TEST_DATABASE_URL (a superuser's address) or TEST_POSTGRES_BIN (a folder of binaries) choose another than the embedded.

import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrateTemplate } from "./template-database.ts";
import { startThrowAwayPostgres, type ThrowAwayPostgres } from "./throw-away-postgres.ts";

export type TestServer = {
  /** The superuser's address of the maintenance database. */
  readonly adminUrl: string;
  /** A migrated database that nobody is connected to. */
  readonly template: string;
  /** Databases of this run begin with it. */
  readonly prefix: string;
};

declare module "vitest" {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/** Projects whose tests use no database, or bring their own. */
const withoutDatabase = ["unit", "process", "browser"];

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (project.vitest.projects.every(({ name }) => withoutDatabase.includes(name))) return undefined;
  const server = await findServer();
  const prefix = `test_${process.pid}_`;
  const template = `${prefix}template`;
  try {
    await onServer(server.adminUrl, `create database ${template}`);
    await migrateTemplate(databaseUrl(server.adminUrl, template));
  } catch (thrown) {
    await tearDown(server, template, prefix);
    throw thrown;
  }
  project.provide("testServer", { adminUrl: server.adminUrl, template, prefix });
  return () => tearDown(server, template, prefix);
}

export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function findServer(): Promise<ThrowAwayPostgres> {
  const adminUrl = process.env.TEST_DATABASE_URL;
  if (adminUrl) return { adminUrl, stop: async () => undefined };
  return startThrowAwayPostgres(process.env.TEST_POSTGRES_BIN || undefined);
}

/** Databases that are still there belong to files that failed: they are kept, and named by the file's own test. */
async function tearDown(server: ThrowAwayPostgres, template: string, prefix: string): Promise<void> {
  await onServer(server.adminUrl, `drop database if exists ${template} with (force)`);
  const { rowCount } = await onServer(
    server.adminUrl,
    `select from pg_database where starts_with(datname, '${prefix}')`,
  );
  const kept = await server.stop({ keep: rowCount !== 0 });
  if (kept) process.stderr.write(`The databases of the files that failed are kept until the next run, in ${kept}\n`);
}

async function onServer(adminUrl: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

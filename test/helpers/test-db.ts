// A migrated, empty database of its own for one test file; dropped when the file passed, kept and named when it failed.
// Call it at the top of the file: `const db = await testDb();`

import { createHash } from "node:crypto";
import path from "node:path";
import pg from "pg";
import { afterAll, expect, inject, type RunnerTestSuite } from "vitest";
import { ensureLogin } from "../../src/db/roles.ts";
import { databaseUrl } from "./postgres-server.ts";
import { noteStatements, writeStatements } from "./statements.ts";

export type TestDb = {
  readonly name: string;
  /** The address our own processes would use: a login without any right of its own. */
  readonly appUrl: string;
  /** The superuser's address of this database: for setting up and looking, not for the code under test. */
  readonly adminUrl: string;
  /** The superuser's pool; closed for you. */
  readonly admin: pg.Pool;
};

/** The login's name is made from the database's, and PostgreSQL cuts names at 63 bytes. */
const nameLengthMax = 48;

export async function testDb(): Promise<TestDb> {
  const { adminUrl: serverUrl, template, prefix } = inject("testServer");
  const file = expect.getState().testPath ?? "unknown";
  const name = databaseName(prefix, file);
  noteStatements();
  // Quicker by a factor of five than the default, which writes every page to the log.
  await onServer(serverUrl, (server) =>
    server.query(`create database ${name} template ${template} strategy file_copy`),
  );
  const adminUrl = databaseUrl(serverUrl, name);
  const login = await onServer(adminUrl, ensureLogin);
  const admin = new pg.Pool({ connectionString: adminUrl });
  // biome-ignore lint/correctness/noEmptyPattern: vitest insists on a pattern; we need the second argument
  afterAll(async ({}, suite) => {
    await admin.end();
    writeStatements(file);
    if (hasFailed(suite)) process.stderr.write(`kept for a look, because the file failed: database ${name}\n`);
    else await drop(serverUrl, name, login.user);
  });
  return { name, appUrl: withLogin(adminUrl, login), adminUrl, admin };
}

function withLogin(adminUrl: string, { user, password }: { user: string; password: string }): string {
  const url = new URL(adminUrl);
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  return url.href;
}

/** Readable, and unique although cut: the hash is of the whole path. */
function databaseName(prefix: string, file: string): string {
  const local = path.relative(process.cwd(), file);
  const hash = createHash("sha256").update(local).digest("hex").slice(0, 6);
  const slug = path.basename(local, ".test.ts").replaceAll(/\W/g, "_").toLowerCase();
  return `${`${prefix}${slug}`.slice(0, nameLengthMax - hash.length - 1)}_${hash}`;
}

/** Not `with (force)`: a session still open here is one that the test forgot to close. */
async function drop(serverUrl: string, name: string, login: string): Promise<void> {
  try {
    await onServer(serverUrl, (server) => server.query(`drop database ${name}`));
  } catch (cause) {
    throw new Error(`close every pool and client that this file opened on ${name}`, { cause });
  }
  await onServer(serverUrl, (server) => server.query(`drop role ${server.escapeIdentifier(login)}`));
}

function hasFailed(suite: RunnerTestSuite): boolean {
  return suite.tasks.some((task) => task.result?.state === "fail" || (task.type === "suite" && hasFailed(task)));
}

/** As the user in the address, for as long as the work takes. */
export async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

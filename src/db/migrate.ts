// Brings a database to the schema this program knows. Migrations are numbered SQL files and only go up; the first is the baseline, the whole
// schema of its version. One process at a time (advisory lock); each file in its own transaction together with the row that records it.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type pg from "pg";
import { AppError } from "../lib/app-error.ts";
import { faultError } from "./faults.ts";
import { ensureRoles, schemaName } from "./roles.ts";
import { withSetupLock } from "./setup-lock.ts";

export type Migration = { readonly version: number; readonly name: string; readonly sql: string };

const folder = new URL("./migrations/", import.meta.url);

/** All migrations, oldest first: the baseline, and what came after it; a gap in the numbers is a bug. */
export function knownMigrations(): readonly Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  const first = Number.parseInt(files.sort()[0] ?? "", 10);
  return files.map((file, index) => {
    const version = Number.parseInt(file, 10);
    if (version !== first + index) throw new Error(`bug: migration ${file} should be number ${first + index}`);
    return { version, name: file.replace(/^\d+_|\.sql$/g, ""), sql: readFileSync(new URL(file, folder), "utf8") };
  });
}

/** What a database of this version still needs. */
export const migrationsAfter = (version: number): readonly Migration[] =>
  knownMigrations().filter((migration) => migration.version > version);

/** Version of the newest migration this program knows. */
export const newestVersion = (): number => knownMigrations().at(-1)?.version ?? 0;

/** Of the file that was the last one before the baseline took the place of all of them. */
const lastBeforeBaseline = "d69816bd9b3efd30f06d5037a72e2e5b9c9b36c404a820b4ecbdb1472113d2cd";

export type MigrationResult = { readonly from: number; readonly to: number };

export function migrate(admin: pg.Client): Promise<MigrationResult> {
  return withSetupLock(admin, () => migrateLocked(admin));
}

async function migrateLocked(admin: pg.Client): Promise<MigrationResult> {
  try {
    await ensureRoles(admin);
    await admin.query(`set search_path = ${schemaName}`);
    await admin.query("set role homework_owner");
    await admin.query(
      "create table if not exists schema_migrations (version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())",
    );
    await admin.query("grant select on schema_migrations to homework_app, homework_auth, homework_system");
    const from = await appliedVersion(admin);
    refuseNewer(from);
    refuseTooOld(from);
    await refuseChanged(admin);
    for (const migration of migrationsAfter(from)) await apply(admin, migration);
    return { from, to: newestVersion() };
  } finally {
    await admin.query("reset role");
  }
}

/** 0 for an empty database. Needs no rights beyond reading the table. */
export async function appliedVersion(client: pg.Client | pg.Pool): Promise<number> {
  const { rows } = await client.query<{ exists: boolean }>("select to_regclass($1) is not null as exists", [
    `${schemaName}.schema_migrations`,
  ]);
  if (!rows[0]?.exists) return 0;
  const found = await client.query<{ version: number | null }>(
    `select max(version) as version from ${schemaName}.schema_migrations`,
  );
  return found.rows[0]?.version ?? 0;
}

export function refuseNewer(version: number): void {
  if (version <= newestVersion()) return;
  const detail = `schema ${version}, this version knows ${newestVersion()}`;
  throw faultError("schema_newer", { code: "schema_newer", detail });
}

/** Whether the database has some of what the baseline holds, and not all of it. */
export const isTooOld = (version: number): boolean => version > 0 && version < (knownMigrations()[0]?.version ?? 0);

export function refuseTooOld(version: number): void {
  if (!isTooOld(version)) return;
  throw faultError("schema_too_old", { code: "schema_older", detail: `schema ${version}` });
}

const checksumOf = (sql: string) => createHash("sha256").update(sql).digest("hex");

/** An applied migration must not change: editing it would put two schemas under one number. */
async function refuseChanged(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ version: number; checksum: string }>(
    "select version, checksum from schema_migrations",
  );
  const [baseline, ...later] = knownMigrations();
  const changed = rows.find(({ version, checksum }) => {
    if (version === baseline?.version) return ![checksumOf(baseline.sql), lastBeforeBaseline].includes(checksum);
    const known = later.find((migration) => migration.version === version);
    return known !== undefined && checksumOf(known.sql) !== checksum;
  });
  if (!changed) return;
  throw new AppError(
    "schema_newer",
    `Migration ${changed.version} is not the one this database was made with: use the program that made it, or start with an empty database.`,
  );
}

async function apply(admin: pg.Client, { version, name, sql }: Migration): Promise<void> {
  const checksum = checksumOf(sql);
  await admin.query("begin");
  try {
    await admin.query(sql);
    await admin.query("insert into schema_migrations (version, name, checksum) values ($1, $2, $3)", [
      version,
      name,
      checksum,
    ]);
    await admin.query("commit");
  } catch (cause) {
    await admin.query("rollback");
    throw new Error(`migration ${version} (${name}) failed and was rolled back`, { cause });
  }
}

import type pg from "pg";
import { expect, test } from "vitest";
import { onServer, testDb } from "../../test/helpers/test-db.ts";
import { knownMigrations, migrate, newestVersion } from "./migrate.ts";
import { prepareDatabase } from "./prepare.ts";

const { admin, adminUrl, appUrl } = await testDb();

const asAdmin = <T>(work: (client: pg.Client) => Promise<T>) => onServer(adminUrl, work);

/** Puts the record of migrations back as it was. */
async function withRecord(change: string, work: () => Promise<void>): Promise<void> {
  await admin.query("create table kept as table homework.schema_migrations");
  try {
    await admin.query(change);
    await work();
  } finally {
    await admin.query(
      "truncate homework.schema_migrations; insert into homework.schema_migrations table kept; drop table kept",
    );
  }
}

test("migrations are numbered from the baseline without gaps and say why they exist", () => {
  const migrations = knownMigrations();
  const [baseline] = migrations;
  expect(baseline).toMatchObject({ version: 34, name: "baseline" });
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, n) => n + 34));
  for (const { sql } of migrations) expect(sql).toMatch(/^-- \S/);
});

test("migrating twice changes nothing", async () => {
  expect(await asAdmin(migrate)).toEqual({ from: newestVersion(), to: newestVersion() });
});

test("many processes that start at once all find a migrated database", async () => {
  const prepared = await Promise.all(Array.from({ length: 6 }, () => prepareDatabase(adminUrl)));
  expect(new Set(prepared.map(({ url }) => url)).size).toBe(1);
});

test("a database of a newer program is refused", async () => {
  await withRecord(
    "insert into homework.schema_migrations (version, name, checksum) values (999, 'future', '')",
    async () => {
      await expect(asAdmin(migrate)).rejects.toMatchObject({ code: "schema_newer" });
      await expect(prepareDatabase(appUrl)).rejects.toMatchObject({ code: "schema_newer" });
    },
  );
});

test("a migration that was edited after it was applied is refused", async () => {
  for (const version of [34, newestVersion()])
    await withRecord(
      `update homework.schema_migrations set checksum = 'other' where version = ${version}`,
      async () => {
        await expect(asAdmin(migrate)).rejects.toThrow(`Migration ${version} is not the one`);
      },
    );
});

test("a database with some of what the baseline holds is refused, with the version that upgrades it", async () => {
  const record =
    "insert into homework.schema_migrations (version, name, checksum) values (1, 'identity', ''), (33, 'light_rows', '')";
  await withRecord(`truncate homework.schema_migrations; ${record}`, async () => {
    await expect(asAdmin(migrate)).rejects.toMatchObject({
      code: "schema_older",
      message: expect.stringMatching(/no longer upgrades \(schema 33\)\. Start it once with .*git checkout/),
    });
    await expect(prepareDatabase(appUrl)).rejects.toMatchObject({ code: "schema_older" });
  });
});

test("a login without an administrator's rights can start on a migrated database", async () => {
  expect((await prepareDatabase(appUrl)).url).toBe(appUrl);
});

test("and says what to do on one that is not migrated", async () => {
  await withRecord(`delete from homework.schema_migrations where version = ${newestVersion()}`, async () => {
    await expect(prepareDatabase(appUrl)).rejects.toMatchObject({ code: "schema_older" });
  });
});

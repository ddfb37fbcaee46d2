import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { fillTables } from "../../test/helpers/fill-tables.ts";
import { databaseUrl } from "../../test/helpers/postgres-server.ts";
import { onServer, testDb } from "../../test/helpers/test-db.ts";
import { collisionsIn, contentsOf, differencesOf } from "../../test/helpers/whole-database.ts";
import { dump } from "./dump.ts";
import { tablesInOrder } from "./dump-catalog.ts";
import { restore } from "./restore.ts";

const full = await testDb();
const { adminUrl: server, template } = inject("testServer");
const other = `${full.name}_other`;
await onServer(server, (client) => client.query(`create database ${other} template ${template} strategy file_copy`));
const otherUrl = databaseUrl(server, other);
const file = path.join(mkdtempSync(path.join(tmpdir(), "homework-dump-")), "every-table.gz");
afterAll(async () => {
  rmSync(path.dirname(file), { recursive: true, force: true });
  await onServer(server, (client) => client.query(`drop database ${other}`));
});

const inFull = <T>(work: (client: pg.Client) => Promise<T>) => onServer(full.adminUrl, work);
const inOther = <T>(work: (client: pg.Client) => Promise<T>) => onServer(otherUrl, work);

/** Another makes other rows. */
const seed = 1;

test("rows in every column of every table come back as they were, into an empty database, which then goes on counting", async () => {
  const tables = (await inFull(tablesInOrder)).map(({ name }) => name);
  expect(await inFull((client) => fillTables(client, seed))).toEqual([]);
  const before = await inFull(contentsOf);
  expect(tables.filter((name) => before.get(name) === "")).toEqual([]);
  const dumped = await inFull((client) => dump(client, file));
  expect(dumped.rows).toBeGreaterThan(2 * tables.length);
  expect(await inOther((client) => restore(client, file, false))).toEqual(dumped);
  expect(differencesOf(before, await inOther(contentsOf))).toEqual([]);
  expect(await inOther(collisionsIn)).toEqual([]);
});

test("the check sees a table that was left out, and numbers that were not set on", async () => {
  await inOther((client) => restore(client, file, true));
  await inOther((client) => client.query("set session_replication_role = replica; delete from homework.user_visits"));
  await inOther((client) => client.query("alter sequence homework.homr_observations_seq_seq restart with 1"));
  const found = differencesOf(await inFull(contentsOf), await inOther(contentsOf));
  expect(found.toSorted()).toEqual(["homr_observations_seq_seq", "user_visits"]);
  expect(await inOther(collisionsIn)).toEqual(["homr_observations.seq"]);
});

const lines = () => gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");

/** As a dump that has forgotten a table, and is whole otherwise. */
function withoutTable(all: readonly string[], table: string): readonly string[] {
  const from = all.indexOf(`{"table":"${table}"}`);
  const to = all.findIndex((line, at) => at > from && line.startsWith('{"table":'));
  const rows = (JSON.parse(all.at(-1) ?? "") as { rows: number }).rows - (to - from - 1);
  return [...all.slice(0, from), ...all.slice(to, -1), JSON.stringify({ end: true, rows })];
}

test.each([
  ["a table", () => withoutTable(lines(), "agent_hosts"), 'the table "agent_hosts" is not in it'],
  ["a sequence", () => lines().filter((line) => !line.includes("homr_observations_seq_seq")), "seq_seq. is not in it"],
] as const)("a dump without %s is refused, and nothing changes", async (_, damage, why) => {
  const damaged = `${file}.damaged`;
  writeFileSync(damaged, gzipSync(damage().join("\n")));
  const before = await inOther(contentsOf);
  await expect(inOther((client) => restore(client, damaged, true))).rejects.toThrow(new RegExp(why));
  expect(differencesOf(before, await inOther(contentsOf))).toEqual([]);
});

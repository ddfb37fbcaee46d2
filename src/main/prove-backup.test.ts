// The proof of a backup on a database that holds something, and what it says where a restored database is not the same.

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { fillTables } from "../../test/helpers/fill-tables.ts";
import { onServer, testDb } from "../../test/helpers/test-db.ts";
import { dump } from "../db/dump.ts";
import { silentLogger } from "../lib/logger.ts";
import { differencesOf, digestsOf, proveBackup } from "./prove-backup.ts";

const db = await testDb();
const data = mkdtempSync(path.join(tmpdir(), "homework-proof-"));
afterAll(() => rmSync(data, { recursive: true, force: true }));

const config = { data, database_url: db.adminUrl, database_connect_seconds: 10 };
const prove = (over: object = {}) => proveBackup({ config: { ...config, ...over }, logger: silentLogger } as never);

test("a backup that comes back as it was is proven, and nothing is left", async () => {
  await onServer(db.adminUrl, (client) => fillTables(client, 2));
  expect(await prove()).toEqual([
    {
      name: "backup",
      status: "ok",
      message: expect.stringMatching(/^a dump of \d+ rows .* every row is the same$/),
      fix: null,
    },
  ]);
  expect(readdirSync(data)).toEqual([]);
});

test("a backup that cannot be made is a problem, in one sentence", async () => {
  const [finding] = await prove({ data: path.join(data, "none") });
  expect(finding).toMatchObject({ name: "backup", status: "problem" });
  expect(finding?.message).not.toContain("\n");
});

test("a row that changed, a table that is empty and a number that was not set on are seen", async () => {
  const folder = path.join(data, "compared");
  mkdirSync(folder);
  const dumped = async (name: string) => {
    await onServer(db.adminUrl, (client) => dump(client, path.join(folder, name)));
    return digestsOf(path.join(folder, name));
  };
  const before = await dumped("before");
  expect(differencesOf(before, await dumped("again"))).toEqual([]);
  await onServer(db.adminUrl, async (client) => {
    await client.query("set session_replication_role = replica");
    await client.query("update homework.agent_hosts set host = host || '!'");
    await client.query("delete from homework.user_visits");
    await client.query("alter sequence homework.outcome_late_costs_id_seq restart with 1");
  });
  const found = differencesOf(before, await dumped("after"));
  expect(found.toSorted()).toEqual(["agent_hosts", "outcome_late_costs_id_seq", "user_visits"]);
});

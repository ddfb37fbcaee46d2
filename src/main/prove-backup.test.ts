// The proof of a backup on a database that holds something, and what it says where a restored database is not the same.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { startOpener } from "../../test/helpers/embedded-fixture.ts";
import { fillTables } from "../../test/helpers/fill-tables.ts";
import { patienceMs } from "../../test/helpers/patience.ts";
import { onServer, testDb } from "../../test/helpers/test-db.ts";
import { dump } from "../db/dump.ts";
import type { Postmaster } from "../db/embedded/find-postmaster.ts";
import { inspectEmbedded } from "../db/embedded/inspect-embedded.ts";
import { removeEmbedded } from "../db/embedded/stop-embedded.ts";
import { identify, isAlive, nameAfter, thisProcess } from "../files/process-identity.ts";
import { silentLogger } from "../lib/logger.ts";
import { realEnv } from "./env.ts";
import { differencesOf, digestsOf, proveBackup } from "./prove-backup.ts";

const db = await testDb();
const data = mkdtempSync(path.join(tmpdir(), "homework-proof-"));
afterAll(() => rmSync(data, { recursive: true, force: true }));

const config = { data, database_url: db.adminUrl, database_connect_seconds: 10 };
const prove = (over: object = {}, stop = new AbortController().signal) =>
  proveBackup({ config: { ...config, ...over }, logger: silentLogger } as never, stop);
const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: patienceMs, interval: 5 });

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

test("a proof that is ended early leaves neither a server nor a copy of the data", async () => {
  const stop = new AbortController();
  let server = { state: "none" } as Postmaster;
  const isUp = () => {
    const [folder] = readdirSync(data);
    if (folder !== undefined) server = inspectEmbedded(path.join(data, folder, "database")).server;
    return server.state === "running";
  };
  const proof = prove({}, stop.signal).catch((thrown: unknown) => thrown);
  await until(isUp);
  stop.abort();
  expect(await proof).toBe(stop.signal.reason);
  expect("process" in server && isAlive(server.process)).toBe(false);
  expect(readdirSync(data)).toEqual([]);
});

test("what a killed proof has left is removed by the next one, and what a living one needs stays", async () => {
  const killed = spawn("sleep", ["60"], { stdio: "ignore" });
  const prover = identify(killed.pid ?? 0) ?? thisProcess();
  const left = path.join(data, `backup-proof-${nameAfter(prover, "left")}`);
  const needed = `backup-proof-${nameAfter(thisProcess(), "needed")}`;
  const database = path.join(left, "database");
  for (const folder of [left, path.join(data, needed)]) mkdirSync(folder, { mode: 0o711 });
  const opener = startOpener({ dataDir: database });
  try {
    const [info] = await opener.opened;
    const server = identify(info?.pid ?? 0) ?? prover;
    await opener.kill();
    killed.kill("SIGKILL");
    await once(killed, "exit");
    expect(isAlive(server)).toBe(true);
    expect(await prove()).toMatchObject([{ status: "ok" }]);
    expect(isAlive(server)).toBe(false);
    expect(readdirSync(data)).toEqual([needed]);
  } finally {
    await removeEmbedded(database, realEnv);
    for (const name of readdirSync(data)) rmSync(path.join(data, name), { recursive: true, force: true });
  }
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

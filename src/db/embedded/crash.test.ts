// What the embedded database does after something was killed in the middle, with real servers and real processes.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { realEnv } from "../../../test/helpers/embedded-env.ts";
import {
  cleanUp,
  copyOf,
  isRoot,
  makeDatabase,
  makeFolder,
  open,
  query,
  removeDatabase,
  startOpener,
} from "../../../test/helpers/embedded-fixture.ts";
import { patienceMs } from "../../../test/helpers/patience.ts";
import { identify } from "../../files/process-identity.ts";
import { inspectEmbedded } from "./inspect-embedded.ts";

let dataDir = "";
const bystanders: ChildProcess[] = [];

beforeAll(async () => {
  dataDir = await makeDatabase();
});
afterEach(async () => {
  for (const bystander of bystanders.splice(0)) {
    const exit = once(bystander, "exit");
    bystander.kill("SIGKILL");
    await exit;
  }
  await cleanUp();
});
afterAll(() => removeDatabase(dataDir));

const startsInLog = () => readFileSync(path.join(dataDir, "postgres.log"), "utf8").split("starting PostgreSQL").length;
const kept = [{ words: "kept" }];

/** A process that has nothing to do with us but belongs to the database's user, so PostgreSQL takes its pid seriously. */
function startBystander(like: string): number {
  const { uid, gid } = statSync(like);
  const bystander = spawn("sleep", ["60"], { stdio: "ignore", ...(isRoot ? { uid, gid } : {}) });
  bystanders.push(bystander);
  return bystander.pid ?? 0;
}

function writePidFile(cluster: string, pid: number, port: number): void {
  const started = Math.floor(realEnv.now() / 1000);
  const lines = [pid, cluster, started, port, "", "127.0.0.1", "  1234567         1", "ready   ", ""];
  writeFileSync(path.join(cluster, "postmaster.pid"), lines.join("\n"));
}

async function until(isSo: () => boolean): Promise<void> {
  for (const end = realEnv.now() + patienceMs; realEnv.now() < end && !isSo(); ) await realEnv.sleep(3);
}

test("a server whose opener was killed is found by the next one, and stopped when that one leaves", async () => {
  const killed = startOpener({ dataDir });
  const [theirs] = await killed.opened;
  await killed.kill();
  expect(inspectEmbedded(dataDir)).toMatchObject({ server: { state: "running" }, users: [] });
  const cluster = await open(dataDir);
  expect(cluster.info).toMatchObject({ adopted: true, pid: theirs?.pid, port: theirs?.port });
  await cluster.release();
  expect(inspectEmbedded(dataDir).server.state).toBe("none");
});

test("a killed server is brought back once, on the same port, by all who ask at the same time", async () => {
  const cluster = await open(dataDir);
  const before = cluster.info;
  const other = await open(dataDir);
  const starts = startsInLog();
  process.kill(before.pid, "SIGKILL");
  await Promise.all([cluster, cluster, cluster, other, other].map((each) => each.ensureRunning()));
  expect(cluster.info.pid).not.toBe(before.pid);
  expect(other.info.pid).toBe(cluster.info.pid);
  expect(cluster.info.port).toBe(before.port);
  expect(await query(cluster.adminUrl, "select words from note")).toEqual(kept);
  expect(startsInLog()).toBe(starts + 1);
});

test("a backend that computes on after its server was killed is ended, so that the next start succeeds", async () => {
  const cluster = await open(dataDir);
  const busy = new pg.Client(cluster.adminUrl);
  busy.on("error", () => {});
  await busy.connect();
  const computing = busy.query("do $$ begin loop null; end loop; end $$").catch(() => "broke off");
  const atWork =
    "select from pg_stat_activity where state = 'active' and query like 'do %' and pid <> pg_backend_pid()";
  await expect.poll(async () => (await query(cluster.adminUrl, atWork)).length).toBe(1);
  process.kill(cluster.info.pid, "SIGKILL");
  await expect
    .poll(() => inspectEmbedded(dataDir))
    .toMatchObject({ server: { state: "stale" }, orphans: [expect.any(Number)] });
  await cluster.ensureRunning();
  expect(await computing).toBe("broke off");
  expect(await query(cluster.adminUrl, "select words from note")).toEqual(kept);
});

test("a pid file left by a killed server does not stop the next start", async () => {
  const killed = startOpener({ dataDir });
  const [theirs] = await killed.opened;
  await killed.kill();
  process.kill(theirs?.pid ?? 0, "SIGKILL");
  const cluster = await open(dataDir);
  expect(cluster.info.adopted).toBe(false);
  expect(await query(cluster.adminUrl, "select words from note")).toEqual(kept);
});

test("a pid file that names an innocent process: it is neither believed nor is the process signalled", async () => {
  const folder = path.join(dataDir, "postgres");
  const innocent = startBystander(folder);
  writePidFile(folder, innocent, inspectEmbedded(dataDir).port ?? 0);
  expect(inspectEmbedded(dataDir).server).toEqual({ state: "stale", pid: innocent, blocks: true });
  const cluster = await open(dataDir);
  expect(cluster.info.adopted).toBe(false);
  await cluster.release();
  expect(identify(innocent)).toBeDefined();
});

test("a pid file that names the server of another folder: that server is neither used nor stopped", async () => {
  const neighbour = await open(copyOf(dataDir));
  writePidFile(path.join(dataDir, "postgres"), neighbour.info.pid, neighbour.info.port);
  const cluster = await open(dataDir);
  expect(cluster.info).toMatchObject({ adopted: false });
  expect(cluster.info.pid).not.toBe(neighbour.info.pid);
  await cluster.release();
  expect(await query(neighbour.adminUrl, "select words from note")).toEqual(kept);
});

test("a pid file that was cut off does not stop the next start", async () => {
  writeFileSync(path.join(dataDir, "postgres", "postmaster.pid"), "");
  const { adminUrl } = await open(dataDir);
  expect(await query(adminUrl, "select words from note")).toEqual(kept);
});

test("an opener killed while it makes the database leaves no half database", async () => {
  const fresh = makeFolder();
  const killed = startOpener({ dataDir: fresh });
  const drafts = () => readdirSync(fresh).filter((name) => name.startsWith("postgres-being-made-"));
  const isUnderWay = () => drafts().some((name) => existsSync(path.join(fresh, name, "cluster", "PG_VERSION")));
  await until(isUnderWay);
  expect(isUnderWay()).toBe(true);
  await killed.kill();
  expect(existsSync(path.join(fresh, "postgres"))).toBe(false);
  const { info, adminUrl } = await open(fresh);
  expect(info.createdNow).toBe(true);
  expect(await query(adminUrl, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("an opener killed while it holds the lock holds nobody up", async () => {
  const killed = startOpener({ dataDir });
  let busyWith: number | null = null; // Looked at once: a moment later it may be done already.
  await until(() => {
    busyWith = inspectEmbedded(dataDir).busyWith;
    return busyWith !== null;
  });
  expect(busyWith).toBe(killed.pid);
  await killed.kill();
  const { adminUrl } = await open(dataDir);
  expect(await query(adminUrl, "select words from note")).toEqual(kept);
});

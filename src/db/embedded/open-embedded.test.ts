// Opening, sharing and leaving the embedded database, with real servers and real processes.

import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createConnection, createServer } from "node:net";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { realEnv } from "../../../test/helpers/embedded-env.ts";
import {
  cleanUp,
  copyOf,
  makeDatabase,
  makeFolder,
  open,
  query,
  removeDatabase,
  startOpener,
} from "../../../test/helpers/embedded-fixture.ts";
import { identify } from "../../files/process-identity.ts";
import { inspectEmbedded } from "./inspect-embedded.ts";
import { removeEmbedded, stopEmbedded } from "./stop-embedded.ts";

let dataDir = "";
beforeAll(async () => {
  dataDir = await makeDatabase();
});
afterEach(cleanUp);
afterAll(() => removeDatabase(dataDir));

const isRunning = (pid: number) => identify(pid) !== undefined;

test("the first start makes a durable database that only we can get at", async () => {
  const dataDir = path.join(makeFolder(), "deep", "data");
  const { adminUrl, info, said } = await open(dataDir, { settings: {} });
  expect(info).toMatchObject({ createdNow: true, adopted: false, dataFolder: path.join(dataDir, "postgres") });
  expect(said.join()).toContain(info.dataFolder);
  const names = "fsync synchronous_commit full_page_writes data_checksums listen_addresses unix_socket_directories";
  const shown = await query(
    adminUrl,
    `select ${names.split(" ").map((name) => `current_setting('${name}') as ${name}`)}`,
  );
  expect(shown).toEqual([
    {
      fsync: "on",
      synchronous_commit: "on",
      full_page_writes: "on",
      data_checksums: "on",
      listen_addresses: "",
      unix_socket_directories: path.join(dataDir, "postgres-socket"),
    },
  ]);
  const [database] = await query(
    adminUrl,
    "select current_database() as name, datcollate, pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()",
  );
  expect(database).toEqual({ name: "homework", datcollate: "C.UTF-8", encoding: "UTF8" });
  expect(statSync(path.join(dataDir, "postgres-password")).mode & 0o777).toBe(0o600);
  const stranger = new URL(adminUrl);
  stranger.password = "guess";
  await expect(query(stranger.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
});

test("the server has a session of its own, so a Ctrl-C in our terminal does not reach it", async () => {
  const { info } = await open(dataDir);
  const [, , , session] = readFileSync(`/proc/${info.pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  expect(Number(session)).toBe(info.pid);
});

test("the last one out stops the server, not the first", async () => {
  const first = await open(dataDir);
  const second = startOpener({ dataDir });
  const [theirs] = await second.opened;
  expect(theirs).toMatchObject({ adopted: true, pid: first.info.pid, adminUrl: first.adminUrl });
  await first.release();
  expect(isRunning(first.info.pid)).toBe(true);
  await second.release();
  expect(isRunning(first.info.pid)).toBe(false);
  expect(existsSync(path.join(first.info.dataFolder, "postmaster.pid"))).toBe(false);
});

test("two openers in one process count as two", async () => {
  const [first, second] = [await open(dataDir), await open(dataDir)];
  await first.release();
  await first.release();
  expect(await query(second.adminUrl, "select words from note")).toEqual([{ words: "kept" }]);
});

test("who opens while the last one leaves gets a running server", async () => {
  let current = await open(dataDir);
  for (let round = 0; round < 8; round++) {
    const leaving = round % 2 === 0 ? current.release() : undefined;
    const [next] = await Promise.all([open(dataDir), leaving ?? current.release()]);
    expect(await query(next.adminUrl, "select words from note")).toEqual([{ words: "kept" }]);
    current = next;
  }
});

test("a hundred openers at once, none of whom finds a database, make one and start one server", async () => {
  const dataDir = makeFolder();
  const openers = Array.from({ length: 5 }, () => startOpener({ dataDir, times: 20 }));
  const infos = (await Promise.all(openers.map((opener) => opener.opened))).flat();
  expect(infos).toHaveLength(100);
  expect(new Set(infos.map(({ pid }) => pid)).size).toBe(1);
  expect(infos.filter(({ createdNow }) => createdNow)).toHaveLength(1);
  expect(infos.filter(({ adopted }) => !adopted)).toHaveLength(1);
  await Promise.all(openers.map((opener) => opener.release()));
  expect(inspectEmbedded(dataDir)).toMatchObject({ server: { state: "none" }, users: [] });
});

test("a port that another program took is given up for a new one, which is then kept", async () => {
  const before = inspectEmbedded(dataDir).port ?? 0;
  const other = createServer().listen(before, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const cluster = await open(dataDir);
  expect(cluster.info.port).not.toBe(before);
  expect(await query(cluster.adminUrl, "select words from note")).toEqual([{ words: "kept" }]);
  await cluster.release();
  await new Promise((resolve) => other.close(resolve));
  expect((await open(dataDir)).info.port).toBe(cluster.info.port);
});

test("a database of another major version is refused with advice", async () => {
  const spoilt = copyOf(dataDir);
  writeFileSync(path.join(spoilt, "postgres", "PG_VERSION"), "15\n");
  await expect(open(spoilt)).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringMatching(/PostgreSQL 15;.*PostgreSQL 18.*homework db dump/),
  });
});

test("a database that was there and is gone is not silently replaced by an empty one", async () => {
  const spoilt = copyOf(dataDir);
  rmSync(path.join(spoilt, "postgres"), { recursive: true });
  await expect(open(spoilt)).rejects.toMatchObject({ code: "config_invalid" });
  expect(existsSync(path.join(spoilt, "postgres"))).toBe(false);
});

test("a lost password file is replaced", async () => {
  rmSync(path.join(dataDir, "postgres-password"));
  const { adminUrl } = await open(dataDir);
  expect(await query(adminUrl, "select words from note")).toEqual([{ words: "kept" }]);
});

test("a lost password file is not replaced under a process that uses the database", async () => {
  const { adminUrl } = await open(dataDir);
  rmSync(path.join(dataDir, "postgres-password"));
  await expect(open(dataDir)).rejects.toMatchObject({ code: "config_invalid" });
  expect(await query(adminUrl, "select words from note")).toEqual([{ words: "kept" }]);
});

const listensOn = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const call = createConnection(port, "127.0.0.1");
    call.once("connect", () => resolve(true)).once("error", () => resolve(false));
    call.once("connect", () => call.destroy());
  });

test("nobody else on this machine can take its connections: it has a socket in a folder of its own, and no port", async () => {
  const { adminUrl, info } = await open(dataDir);
  const folder = statSync(path.join(dataDir, "postgres-socket"));
  expect([folder.mode & 0o777, folder.uid]).toEqual([0o700, statSync(info.dataFolder).uid]);
  expect(await listensOn(info.port)).toBe(false);
  expect(await query(adminUrl, "select words from note")).toEqual([{ words: "kept" }]);
});

test("where a path is too long for a socket, its folder is among the temporary ones", async () => {
  const long = path.join(makeFolder(), "a".repeat(90));
  const { adminUrl, info } = await open(long);
  expect(existsSync(path.join(long, "postgres-socket"))).toBe(false);
  expect([await listensOn(info.port), await query(adminUrl, "select 1 as one")]).toEqual([false, [{ one: 1 }]]);
});

test("a server without a socket, as older versions start them, is used as it is", async () => {
  const settings = { fsync: "off", listen_addresses: "127.0.0.1", unix_socket_directories: "" };
  const older = await open(dataDir, { settings });
  const { adminUrl, info } = await open(dataDir);
  expect([info.pid, info.adopted, await listensOn(info.port)]).toEqual([older.info.pid, true, true]);
  expect(await query(adminUrl, "select words from note")).toEqual([{ words: "kept" }]);
});

test("a folder that others may enter is not used for the socket", async () => {
  const shared = copyOf(dataDir);
  chmodSync(path.join(shared, "postgres-socket"), 0o755);
  const { adminUrl, info } = await open(shared);
  expect(inspectEmbedded(shared).socketFolder).not.toBe(path.join(shared, "postgres-socket"));
  expect([await listensOn(info.port), await query(adminUrl, "select words from note")]).toEqual([
    false,
    [{ words: "kept" }],
  ]);
});

test("what a killed server has left of its socket is in nobody's way", async () => {
  const killed = copyOf(dataDir);
  const port = inspectEmbedded(killed).port ?? 0;
  const lock = path.join(killed, "postgres-socket", `.s.PGSQL.${port}.lock`);
  writeFileSync(lock, `${process.pid}\n${killed}\n1\n${port}\n`);
  writeFileSync(path.join(killed, "postgres-socket", `.s.PGSQL.${port}`), "");
  const { adminUrl } = await open(killed);
  expect(await query(adminUrl, "select words from note")).toEqual([{ words: "kept" }]);
});

test("a wrong password is said at once, and leaves no server running", async () => {
  const spoilt = copyOf(dataDir);
  writeFileSync(path.join(spoilt, "postgres-password"), "wrong\n");
  await expect(open(spoilt)).rejects.toMatchObject({
    code: "config_invalid",
    details: { fault: "embedded_password" },
  });
  expect(inspectEmbedded(spoilt)).toMatchObject({ server: { state: "none" }, users: [], orphans: [] });
  rmSync(path.join(spoilt, "postgres-password"));
  const { adminUrl } = await open(spoilt);
  expect(await query(adminUrl, "select words from note")).toEqual([{ words: "kept" }]);
});

test("a server that somebody uses is left running by one who has a wrong password", async () => {
  const shared = copyOf(dataDir);
  const { adminUrl } = await open(shared);
  writeFileSync(path.join(shared, "postgres-password"), "wrong\n");
  await expect(open(shared)).rejects.toMatchObject({ details: { fault: "embedded_password" } });
  expect(await query(adminUrl, "select words from note")).toEqual([{ words: "kept" }]);
});

test("a server that cannot start says why, and who asked for it no longer counts as a user", async () => {
  await expect(open(dataDir, { settings: { no_such_setting: "on" } })).rejects.toMatchObject({
    code: "database_unavailable",
    message: expect.stringContaining('unrecognized configuration parameter "no_such_setting"'),
  });
  expect(readdirSync(path.join(dataDir, "postgres-users"))).toEqual([]);
});

test("a log that grew too long is cut when somebody opens the database", async () => {
  const log = path.join(dataDir, "postgres.log");
  truncateSync(log, 11 * 1024 * 1024);
  await open(dataDir);
  expect(statSync(log).size).toBeLessThan(100_000);
  expect(statSync(`${log}.old`).size).toBe(11 * 1024 * 1024);
});

test("a look from outside starts nothing and says what is there", async () => {
  const nothing = makeFolder();
  expect(inspectEmbedded(nothing)).toMatchObject({ cluster: null, server: { state: "none" }, users: [] });
  expect(readdirSync(nothing)).toEqual([]);
  expect(inspectEmbedded(dataDir)).toMatchObject({ version: "18", server: { state: "none" }, users: [], orphans: [] });
  const { info } = await open(dataDir);
  expect(inspectEmbedded(dataDir)).toMatchObject({
    cluster: info.dataFolder,
    server: { state: "running", process: { pid: info.pid } },
    port: info.port,
    users: [process.pid],
    busyWith: null,
  });
});

test("stopping it by hand stops it whoever uses it, and they bring it back", async () => {
  const cluster = await open(dataDir);
  expect([await stopEmbedded(dataDir, realEnv), await stopEmbedded(dataDir, realEnv)]).toEqual([true, false]);
  await cluster.ensureRunning();
  expect(await query(cluster.adminUrl, "select words from note")).toEqual([{ words: "kept" }]);
});

test("removing it leaves nothing of it", async () => {
  const spoilt = copyOf(dataDir);
  const { info } = await open(spoilt);
  await removeEmbedded(spoilt, realEnv);
  expect([isRunning(info.pid), existsSync(info.dataFolder)]).toEqual([false, false]);
});

test("who has let go cannot bring it back", async () => {
  const cluster = await open(dataDir);
  await cluster.release();
  await expect(cluster.ensureRunning()).rejects.toMatchObject({ code: "shutting_down" });
});

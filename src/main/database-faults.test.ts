// Faults of a database, each made for real: what a start says, and what `homework doctor` finds.

import { once } from "node:events";
import net from "node:net";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { onServer, testDb } from "../../test/helpers/test-db.ts";
import type { Finding } from "../cli/ports.ts";
import { fromPgError } from "../db/errors.ts";
import { databaseFaults, explainConnecting, explainWork } from "../db/faults.ts";
import { prepareDatabase, withDatabase } from "../db/prepare.ts";
import { AppError } from "../lib/app-error.ts";
import { examineDatabase } from "./doctor-database.ts";

const db = await testDb();
const logins: string[] = [];
afterAll(() =>
  onServer(db.adminUrl, async (client) => {
    for (const login of logins) await client.query(`drop owned by ${login}; drop role ${login}`);
  }),
);

const at = (change: (url: URL) => void): string => {
  const url = new URL(db.adminUrl);
  change(url);
  return url.href;
};

/** A login that may connect, and what `grants` adds; `%` is its name. */
async function login(attributes: string, ...grants: readonly string[]): Promise<string> {
  const name = `${db.name}_${logins.length}`.slice(-60).replace(/^\d/, "x");
  logins.push(name);
  await onServer(db.adminUrl, async (client) => {
    await client.query(`create role ${name} login password 'right' ${attributes}`);
    for (const grant of [`grant connect on database ${db.name} to %`, ...grants])
      await client.query(grant.replaceAll("%", name));
  });
  return at((url) => {
    url.username = name;
    url.password = "right";
  });
}

const calls: net.Socket[] = [];
const silent = net.createServer((call) => calls.push(call)).listen(0, "127.0.0.1");
await once(silent, "listening");
afterAll(() => {
  silent.close();
  for (const call of calls) call.destroy();
});
const silentPort = (silent.address() as net.AddressInfo).port;

const examine = (url: string) =>
  examineDatabase({ config: { database_url: url, data: "/none", database_connect_seconds: 1 } } as never);

/** The server of a test run is told to be fast, not durable. */
const isNoFault = ({ name, status }: Finding) => status !== "problem" || name === "durability";

const ourRoles = "grant homework_app, homework_auth, homework_system to %";

const faults: readonly (readonly [
  fault: keyof typeof databaseFaults,
  code: string,
  url: () => string | Promise<string>,
])[] = [
  [
    "wrong_password",
    "config_invalid",
    () =>
      at((url) => {
        url.password = "wrong";
      }),
  ],
  [
    "missing_database",
    "config_invalid",
    () =>
      at((url) => {
        url.pathname = "/there_is_none";
      }),
  ],
  ["missing_right", "config_invalid", () => login("")],
  ["missing_right", "config_invalid", () => login("", ourRoles, `revoke connect on database ${db.name} from %`)],
  [
    "read_only",
    "database_unavailable",
    () => login("superuser", "alter role % set default_transaction_read_only = on"),
  ],
  ["too_many_connections", "database_unavailable", () => login("connection limit 0")],
  [
    "nothing_listens",
    "database_unavailable",
    () =>
      at((url) => {
        url.port = "1";
      }),
  ],
  [
    "no_such_host",
    "database_unavailable",
    () =>
      at((url) => {
        url.hostname = "nowhere.invalid";
      }),
  ],
  [
    "unreachable",
    "database_unavailable",
    () =>
      at((url) => {
        url.port = String(silentPort);
      }),
  ],
];

test.each(faults)("%s: the start ends with %s and says what to do; doctor finds it", async (fault, code, makeUrl) => {
  const url = await makeUrl();
  const failed = await prepareDatabase(url, { connectWithinMs: 1_000 }).catch((thrown: unknown) => thrown);
  expect(failed).toBeInstanceOf(AppError);
  expect(failed).toMatchObject({
    code,
    details: { fault },
    message: expect.stringContaining(databaseFaults[fault].fix),
  });
  expect((failed as AppError).message).not.toMatch(/\n|right:|wrong:|at .*\.ts/);
  const findings = await examine(url);
  const problems = findings.filter((finding) => !isNoFault(finding));
  expect(problems.map(({ fix }) => fix)).toEqual([databaseFaults[fault].fix]);
});

test("a login without any right will do with our roles and the right to connect", async () => {
  expect(await prepareDatabase(await login("", ourRoles))).toMatchObject({ migrated: { from: expect.any(Number) } });
});

test("an administrator without the right to make a schema is told of it before and by the start", async () => {
  const other = `${db.name}_empty`;
  await onServer(db.adminUrl, (client) => client.query(`create database ${other}`));
  try {
    const url = new URL(await login("createrole", `grant connect on database ${other} to %`));
    url.pathname = `/${other}`;
    await expect(prepareDatabase(url.href)).rejects.toMatchObject({ details: { fault: "missing_right" } });
    const findings = await examine(url.href);
    expect(findings.find(({ name }) => name === "rights")?.message).toContain("may not create schemas");
  } finally {
    await onServer(db.adminUrl, (client) => client.query(`drop database ${other}`));
  }
});

const fromServer = (code: string) => Object.assign(new pg.DatabaseError("no", 2, "error"), { code });
const fromSystem = (code: string) => Object.assign(new Error("no"), { code });

test.each([
  ["disk_full", fromServer("53100")],
  ["out_of_resources", fromServer("53200")],
  ["damaged", fromServer("XX001")],
  ["starting", fromServer("57P03")],
  ["busy", fromServer("40P01")],
  ["unreachable", new Error("Connection terminated unexpectedly")],
] as const)("%s: a request is answered so that it can be tried again, in the same words", (fault, thrown) => {
  const { says, fix } = databaseFaults[fault];
  expect(fromPgError(thrown)).toMatchObject({
    code: "database_unavailable",
    message: `${says}. ${fix}.`,
    details: { fault },
  });
});

test.each([
  ["nothing_listens", fromSystem("ECONNREFUSED")],
  ["no_such_host", fromSystem("ENOTFOUND")],
  ["wrong_password", fromServer("28P01")],
  ["missing_database", fromServer("3D000")],
  ["untrusted", fromSystem("CERT_HAS_EXPIRED")],
] as const)("%s: a request is answered without the settings of the operator", (fault, thrown) => {
  expect(explainConnecting(thrown)).toMatchObject({ details: { fault } });
  const { says, fix } = databaseFaults.unreachable;
  expect(fromPgError(thrown)).toMatchObject({
    code: "database_unavailable",
    message: `${says}. ${fix}.`,
    details: { fault: "unreachable" },
    cause: thrown,
  });
});

test("errors of a query, of a file and of ours are no faults of the database", () => {
  const errors = [fromServer("23505"), fromServer("57014"), fromSystem("ENOSPC"), new AppError("not_found", "No")];
  expect(errors.map(explainWork)).toEqual(errors);
  expect(fromPgError(fromServer("42501"))).toMatchObject({ code: "42501" });
});

test("what fails while an administrator works is told from the connection that broke under it", async () => {
  const work = (fail: (client: pg.Client) => Promise<unknown>) =>
    withDatabase({ url: db.adminUrl, name: "test" }, fail);
  const noRoom = fromSystem("ENOSPC");
  await expect(work(() => Promise.reject(noRoom))).rejects.toBe(noRoom);
  await expect(work((client) => client.query("select 1/0"))).rejects.toMatchObject({ code: "22012" });
  await expect(
    work((client) => client.query("select pg_terminate_backend(pg_backend_pid()), pg_sleep(5)")),
  ).rejects.toMatchObject({ code: "database_unavailable" });
});

test("a fault below a migration that failed is found", () => {
  const failed = new Error("migration 3 failed", { cause: fromServer("53100") });
  expect(explainWork(failed)).toMatchObject({ code: "database_unavailable", details: { fault: "disk_full" } });
});

test("several addresses that were all tried are told by the words of the first", () => {
  const all = Object.assign(new AggregateError([new Error("connect ECONNREFUSED ::1:5")]), { code: "ECONNREFUSED" });
  expect(explainConnecting(all).message).toContain("(connect ECONNREFUSED ::1:5)");
});

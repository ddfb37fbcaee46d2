import { sql } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import { cuttable } from "../../test/helpers/cuttable.ts";
import { storeWorld } from "../../test/helpers/store-world.ts";
import { startThrowAwayPostgres } from "../../test/helpers/throw-away-postgres.ts";
import { realEnv } from "../main/env.ts";
import { listProjects } from "../store/entity/project-store.ts";
import { asPlatform, openDatabase, statementIn, type Tx } from "./database.ts";
import { withNext } from "./guarded-pool.ts";
import { startListener } from "./listener.ts";
import { prepareDatabase } from "./prepare.ts";

const { admin, db, appUrl, as, makeUser, makeProject } = await storeWorld();
const list = { limit: 50, deleted: false };

test("a user sees their own projects and nobody else's", async () => {
  const [one, other] = [await makeUser(), await makeUser()];
  const mine = await makeProject(one);
  await makeProject(other);
  expect((await as(one, (tx) => listProjects(tx, list))).items.map(({ id }) => id)).toEqual([mine]);
});

test("an identity ends with its transaction", async () => {
  const user = await makeUser();
  await as(user, async () => {});
  const seen = await db.asSystem((tx) => sql<{ id: string | null }>`select app_user_id() as id`.execute(tx));
  expect(seen.rows[0]?.id).toBeNull();
});

test("a login without a role may read nothing", async () => {
  const client = new pg.Client({ connectionString: appUrl });
  await client.connect();
  await expect(client.query("select * from homework.onto_projects")).rejects.toMatchObject({ code: "42501" });
  await client.end();
});

test("what a transaction wrote is gone when it fails", async () => {
  const user = await makeUser();
  const failed = as(user, async (tx) => {
    await sql`insert into onto_projects (id, name, created_by) values (${realEnv.newId()}, 'x', ${user})`.execute(tx);
    throw new Error("changed my mind");
  });
  await expect(failed).rejects.toThrow("changed my mind");
  expect((await as(user, (tx) => listProjects(tx, list))).items).toEqual([]);
});

const makeProjectLater = (tx: Tx, id: string, user: string, name = "later") =>
  statementIn(tx)(`${withNext} insert into onto_projects (id, name, created_by) values ($1, $2, $3)`, [id, name, user]);

const idsMadeBy = async (user: string, tx = db.system) =>
  (await tx.selectFrom("onto_projects").select("id").where("created_by", "=", user).orderBy("id").execute()).map(
    ({ id }) => id,
  );

test("a write that is not waited for is kept with the commit, seen by what follows, and gone with what is taken back", async () => {
  const user = await makeUser();
  const [kept, seen, gone] = [realEnv.newId(), realEnv.newId(), realEnv.newId()];
  const both = [kept, seen].toSorted();
  await as(user, (tx) => makeProjectLater(tx, kept, user));
  const found = await db.asSystem(async (tx) => {
    await makeProjectLater(tx, seen, user);
    return idsMadeBy(user, tx);
  });
  expect(found).toEqual(both);
  const failed = db.asSystem(async (tx) => {
    await idsMadeBy(user, tx);
    await makeProjectLater(tx, gone, user);
    throw new Error("changed my mind");
  });
  await expect(failed).rejects.toThrow("changed my mind");
  expect(await idsMadeBy(user)).toEqual(both);
});

test("a write by itself has nothing to travel with, and is sent at once", async () => {
  const user = await makeUser();
  const id = realEnv.newId();
  await db.statement(`${withNext} insert into onto_projects (id, name, created_by) values ($1, 'alone', $2)`, [
    id,
    user,
  ]);
  expect(await idsMadeBy(user)).toEqual([id]);
});

test("a write that is not waited for and fails takes its transaction along, with its own error", async () => {
  const user = await makeUser();
  const [id, beside] = [realEnv.newId(), realEnv.newId()];
  await as(user, (tx) => makeProjectLater(tx, id, user));
  const atTheEnd = as(user, async (tx) => {
    await makeProjectLater(tx, beside, user);
    await makeProjectLater(tx, id, user);
  });
  await expect(atTheEnd).rejects.toMatchObject({ code: "23505" });
  const inTheMiddle = as(user, async (tx) => {
    await makeProjectLater(tx, id, user);
    await sql`select 1`.execute(tx);
  });
  await expect(inTheMiddle).rejects.toMatchObject({ code: "23505" });
  expect(await idsMadeBy(user)).toEqual([id]);
});

test("what begins a transaction travels with its first statement, and an empty one does not travel", async () => {
  const way = await cuttable(appUrl);
  const url = Object.assign(new URL(appUrl), { port: new URL(way.url).port }).href;
  const own = openDatabase({ url, poolSize: 1, onConnectionLost: () => {} });
  const tripsOf = async (work: () => Promise<unknown>) => {
    const before = way.sent();
    await work();
    return way.sent() - before;
  };
  const user = await makeUser();
  try {
    await own.asUser({ userId: user }, (tx) => listProjects(tx, list));
    expect(await tripsOf(() => own.asUser({ userId: user }, (tx) => listProjects(tx, list)))).toBe(2);
    expect(await tripsOf(() => own.asUser({ userId: user }, async () => {}))).toBe(0);
    const [one, other] = [realEnv.newId(), realEnv.newId()];
    const writeTwo = () =>
      own.asUser({ userId: user }, async (tx) => {
        await makeProjectLater(tx, one, user);
        await makeProjectLater(tx, other, user);
      });
    expect(await tripsOf(writeTwo)).toBe(1);
    await own.system.selectFrom("onto_projects").select("id").limit(1).execute();
    expect(await tripsOf(() => own.asSystem((tx) => sql`select 1`.execute(tx)))).toBe(2);
  } finally {
    await own.close();
  }
});

test("what a transaction did as the platform at its end stays", async () => {
  const user = await makeUser();
  const id = realEnv.newId();
  await as(user, async (tx) => {
    await sql`insert into onto_projects (id, name, created_by) values (${id}, 'x', ${user})`.execute(tx);
    await asPlatform(tx, (platform) => sql`update onto_projects set name = 'y' where id = ${id}`.execute(platform));
  });
  const { rows } = await db.asSystem((tx) =>
    sql<{ name: string }>`select name from onto_projects where id = ${id}`.execute(tx),
  );
  expect(rows).toEqual([{ name: "y" }]);
});

test("a beginning that fails is told as it is, not as what it made of the statement after it", async () => {
  const failed = db.asUser({ userId: "no\u0000one" }, (tx) => sql`select 1`.execute(tx));
  await expect(failed).rejects.toThrow(/invalid byte sequence/);
  for (let n = 0; n < 8; n++) await expect(db.asSystem((tx) => sql`select 1`.execute(tx))).resolves.toBeDefined();
});

test("a connection that is cut fails its own request only", async () => {
  const user = await makeUser();
  const cut = as(user, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await admin.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    await listProjects(tx, list);
  });
  await expect(cut).rejects.toMatchObject({ code: "database_unavailable" });
  for (let n = 0; n < 8; n++) await expect(as(user, (tx) => listProjects(tx, list))).resolves.toBeDefined();
});

test("a database that goes away is unavailable, and used again when it is back", async () => {
  const server = await startThrowAwayPostgres();
  const { url } = await prepareDatabase(server.adminUrl);
  const lost: unknown[] = [];
  const own = openDatabase({ url, poolSize: 2, onConnectionLost: (error) => lost.push(error) });
  try {
    await own.asSystem((tx) => sql`select 1`.execute(tx));
    await server.stop({ keep: true });
    await expect(own.asSystem((tx) => sql`select 1`.execute(tx))).rejects.toMatchObject({
      code: "database_unavailable",
    });
    expect(lost.length).toBeGreaterThan(0);
  } finally {
    await own.close();
    await server.stop();
  }
});

test("the listener hears what is said, and listens again after its connection was cut", async () => {
  const heard: string[] = [];
  let connections = 0;
  const listener = startListener({
    config: db.clientConfig,
    channel: "test_channel",
    onPayload: (payload) => heard.push(payload),
    onConnected: () => {
      connections += 1;
    },
    env: realEnv,
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  await expect.poll(() => connections).toBe(1);
  await admin.query("select pg_notify('test_channel', 'first')");
  await expect.poll(() => heard).toEqual(["first"]);
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'homework listener' and datname = current_database()",
  );
  await expect.poll(() => connections).toBe(2);
  await admin.query("select pg_notify('test_channel', 'second')");
  await expect.poll(() => heard).toEqual(["first", "second"]);
  await listener.close();
});

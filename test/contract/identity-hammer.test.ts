// Two users on a pool of two connections, thousands of transactions at once, many of them cut off in the middle: nobody
// ever sees or writes a row of the other. The second half proves that the same check notices a helper that is wrong.

import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { type Database, openDatabase, type Tx } from "../../src/db/database.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { AppError } from "../../src/lib/app-error.ts";
import { realEnv } from "../../src/main/env.ts";
import { listChanges } from "../../src/store/entity/change-store.ts";
import { createEntity, findEntity, listEntities, updateEntity } from "../../src/store/entity/entity-store.ts";
import { listProjects } from "../../src/store/entity/project-store.ts";
import { search } from "../../src/store/entity/search-store.ts";
import { patientDatabase } from "../helpers/patience.ts";
import { testDb } from "../helpers/test-db.ts";
import { makeWorld, type World } from "../helpers/test-world.ts";

/** With two requests each: 10,000 requests of each user. */
const transactionsPerUser = 5_000;
const atOnce = 8;

const made = await testDb();
const db = openDatabase({ url: made.appUrl, poolSize: 2, onConnectionLost: () => {}, ...patientDatabase });
afterAll(() => db.close());

type User = { readonly id: UserId; readonly world: World };

async function makeUser(name: string): Promise<User> {
  const id = realEnv.newId() as UserId;
  await made.admin.query("insert into homework.auth_users (id, name, email) values ($1, $2, $3)", [
    id,
    name,
    `${name}@x.test`,
  ]);
  return { id, world: await makeWorld(made.admin, { [id]: "owner" }) };
}

const anna = await makeUser("anna");
const ben = await makeUser("ben");

/** What went wrong, counted; the first few in words. */
type Seen = { foreign: number; lost: number; done: number; cut: number; readonly words: string[] };

type Step = (tx: Tx, me: User, other: User) => Promise<readonly string[]>;

const page = { limit: 5, sort: "updated", deleted: false } as const;
const rowsNotOf = (me: User, rows: readonly { readonly projectId: string }[]) =>
  rows.filter((row) => row.projectId !== me.world.projectId).map((row) => `saw a row of ${row.projectId}`);

/** Each returns what it saw or did that it must not. An empty list where the user has things is wrong as well. */
const looks: readonly Step[] = [
  async (tx, me) => {
    const { items } = await listEntities(tx, "task", me.world.projectId, page);
    return items.length === 0 ? ["did not see its own tasks"] : rowsNotOf(me, items);
  },
  async (tx, _, other) => {
    const { items } = await listEntities(tx, "task", other.world.projectId, page);
    return items.map(() => "saw the other's tasks");
  },
  async (tx, me) => {
    const { items } = await listProjects(tx, { limit: 5, deleted: false });
    if (items.length === 0) return ["did not see its own project"];
    return items.filter(({ id }) => id !== me.world.projectId).map(() => "saw the other's project");
  },
  async (tx, me) => {
    const mine = await findEntity(tx, "goal", me.world.projectId, me.world.things.goal);
    return mine ? [] : ["did not see its own goal"];
  },
  async (tx, _, other) => {
    const theirs = await findEntity(tx, "goal", other.world.projectId, other.world.things.goal);
    return theirs ? ["saw the other's goal"] : [];
  },
];

/** Dearer ones, so they come less often. */
const writes: readonly Step[] = [
  async (tx, me) => {
    const found = await search(tx, { q: "task", limit: 5 });
    return found.filter((hit) => hit.project_id !== me.world.projectId).map(() => "found the other's task");
  },
  async (tx, _, other) => {
    const { items } = await listChanges(tx, other.world.projectId, { limit: 1 });
    return items.map(() => "saw the other's history");
  },
  async (tx, me) => {
    const where = { id: realEnv.newId(), projectId: me.world.projectId, by: me.id };
    await createEntity(tx, "plan", where, { title: me.id });
    return [];
  },
  async (tx, me, other) => {
    const at = { id: other.world.things.document, projectId: other.world.projectId, version: 1 };
    const saved = await updateEntity(tx, "document", at, { title: `of ${me.id}` });
    return saved.outcome === "missing" ? [] : [`wrote the other's document: ${saved.outcome}`];
  },
  async (tx, me) => {
    const at = { id: me.world.things.milestone, projectId: me.world.projectId, version: 1 };
    const saved = await updateEntity(tx, "milestone", at, { title: me.id });
    return saved.outcome === "missing" ? ["did not see its own milestone"] : [];
  },
];
const writeEvery = 10;

/** Of a hundred transactions this many are cut off in the middle. */
const cutBelow = 0.08;

/** How a transaction may be cut off in the middle; most are not. Each returns or throws as the database does. */
async function maybeCut(tx: Tx, chance: number): Promise<void> {
  if (chance < 0.06) throw new Error("cut off");
  if (chance < 0.07) await sql`select 1 / 0`.execute(tx);
  else if (chance < 0.073) {
    await sql`set local statement_timeout = 1`.execute(tx);
    await sql`select pg_sleep(1)`.execute(tx);
  } else if (chance < 0.078) await kill(tx, "pg_cancel_backend");
  else if (chance < cutBelow) await kill(tx, "pg_terminate_backend");
}

/** From the side, while the transaction waits; now and then too early, then nothing happens to it. */
async function kill(tx: Tx, how: "pg_cancel_backend" | "pg_terminate_backend"): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
  const waiting = sql`select pg_sleep(0.05)`.execute(tx);
  waiting.catch(() => {}); // Awaited below; it may fail before that.
  await made.admin.query(`select ${how}($1)`, [rows[0]?.pid]);
  await waiting;
}

/** Two requests, and perhaps the cut between them. */
async function oneTransaction(on: Database, me: User, other: User, turn: number, seen: Seen): Promise<void> {
  const chance = Math.random();
  const first = looks[turn % looks.length];
  const rest = turn % writeEvery === 0 ? writes : looks;
  const second = rest[Math.floor(turn / writeEvery + turn + 1) % rest.length];
  try {
    const wrong = await on.asUser({ userId: me.id }, async (tx) => {
      const before = (await first?.(tx, me, other)) ?? [];
      await maybeCut(tx, chance);
      return [...before, ...((await second?.(tx, me, other)) ?? [])];
    });
    seen.done += 1;
    for (const word of wrong) note(seen, word.startsWith("did not") ? "lost" : "foreign", word);
  } catch (thrown) {
    seen.cut += 1;
    const isMeant = chance < cutBelow || (thrown instanceof AppError && thrown.code === "database_unavailable");
    if (!isMeant) note(seen, "lost", String(thrown));
  }
}

function note(seen: Seen, what: "lost" | "foreign", word: string): void {
  seen[what] += 1;
  if (seen.words.length < 10) seen.words.push(word);
}

async function hammer(on: Database, transactions: number): Promise<Seen> {
  const seen: Seen = { foreign: 0, lost: 0, done: 0, cut: 0, words: [] };
  let turn = 0;
  const worker = async () => {
    while (turn < transactions * 2) {
      const mine = turn++;
      const [me, other] = mine % 2 === 0 ? [anna, ben] : [ben, anna];
      await oneTransaction(on, me, other, mine >> 1, seen);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return seen;
}

/** Rows that carry another's mark than their project's owner: what the tables say in the end, whatever anyone saw. */
async function foreignWrites(): Promise<readonly unknown[]> {
  const { rows } = await made.admin.query(`
    select e.id, e.title from homework.onto_plans e join homework.onto_project_members m using (project_id)
     where e.created_by is not null and (e.created_by <> m.user_id or e.title <> m.user_id::text)
    union all select id, title from homework.onto_documents where title like 'of %'
    union all select e.entity_id, e.op from homework.onto_changes e join homework.onto_project_members m using (project_id)
     where e.actor_id is not null and e.actor_id <> m.user_id`);
  return rows;
}

test("nobody sees or writes a row of the other, however their transactions end", async () => {
  const seen = await hammer(db, transactionsPerUser);
  expect({ words: seen.words, foreign: seen.foreign, lost: seen.lost }).toEqual({ words: [], foreign: 0, lost: 0 });
  expect(seen.done + seen.cut).toBe(2 * transactionsPerUser);
  expect(seen.cut).toBeGreaterThan(transactionsPerUser / 10);
  expect(await foreignWrites()).toEqual([]);
});

test("after all that, a connection by itself still has no rights and no name", async () => {
  await db.authDb.connection().execute(async (connection) => {
    await sql`set role none`.execute(connection);
    const { rows } =
      await sql`select current_setting('app.user_id', true) as user, current_user = session_user as bare`.execute(
        connection,
      );
    expect(rows[0]).toEqual({ user: null, bare: true });
    await expect(sql`select from homework.onto_tasks`.execute(connection)).rejects.toMatchObject({ code: "42501" });
    await sql`set role homework_auth`.execute(connection);
  });
});

/** The same database, but with transactions that get identity or role wrong. */
function withWrongHelper(asUser: Database["asUser"]): Database {
  return { ...db, asUser };
}

test("the check notices where the role is not set: a user would be the platform", async () => {
  const seen = await hammer(
    withWrongHelper((_, work) => db.asSystem(work)),
    60,
  );
  expect(seen.foreign).toBeGreaterThan(0);
});

test("the check notices where a connection keeps the name of the one before", async () => {
  let last = anna.id as string;
  const sticky = withWrongHelper(({ userId }, work) => {
    const before = last;
    last = userId;
    return db.asUser({ userId: before }, work);
  });
  const seen = await hammer(sticky, 60);
  expect(seen.foreign).toBeGreaterThan(0);
});

test("the check notices where no name is set: nothing is to be seen", async () => {
  const nameless = withWrongHelper((_, work) => db.asUser({ userId: "" }, work));
  const seen = await hammer(nameless, 60);
  expect(seen.lost).toBeGreaterThan(0);
});

test("the check notices where the helper is gone: the login may do nothing", async () => {
  const without = withWrongHelper((_, work) =>
    db.asSystem(async (tx) => {
      await sql`set local role none`.execute(tx);
      return work(tx);
    }),
  );
  const seen = await hammer(without, 60);
  expect(seen.lost).toBeGreaterThan(60);
});

import { expect, test } from "vitest";
import { storeWorld } from "../../test/helpers/store-world.ts";
import { silentLogger } from "../lib/logger.ts";
import { realEnv } from "../main/env.ts";
import { listChanges } from "../store/change-store.ts";
import { findEntity, setEntityBinned } from "../store/entity-store.ts";
import { startHousekeeping, tidyOnce } from "./housekeeping.ts";

const { admin, db, as, makeUser, makeProject, makeEntity } = await storeWorld();
const user = await makeUser();
const project = await makeProject(user);

async function binned(daysAgo: number): Promise<string> {
  const id = await makeEntity(user, project, "task", `Binned ${daysAgo} days ago`);
  await as(user, (tx) => setEntityBinned(tx, "task", project, id, true));
  await admin.query("update homework.onto_tasks set deleted_at = now() - make_interval(days => $2) where id = $1", [
    id,
    daysAgo,
  ]);
  return id;
}

const exists = async (id: string) => (await as(user, (tx) => findEntity(tx, "task", project, id))) !== null;

test("the bin is emptied of what lay in it long enough, and of nothing else", async () => {
  const [old, young, kept] = [await binned(31), await binned(29), await makeEntity(user, project, "task")];
  expect(await tidyOnce(db, 30)).toMatchObject({ binned: 1 });
  expect([await exists(old), await exists(young), await exists(kept)]).toEqual([false, true, true]);
});

test("the history of what was emptied stays", async () => {
  const id = await binned(40);
  await tidyOnce(db, 30);
  const { items } = await as(user, (tx) => listChanges(tx, project, { limit: 50, entity_id: id }));
  expect(items.map(({ op }) => op)).toContain("created");
});

test("sessions, links and idempotency keys that have had their day are forgotten", async () => {
  const session = (id: string, expires: string) =>
    admin.query(
      `insert into homework.auth_sessions (id, user_id, token, expires_at) values ($1::uuid, $2, $1::uuid::text, ${expires})`,
      [id, user],
    );
  await session(realEnv.newId(), "now() - interval '2 days'");
  await session(realEnv.newId(), "now() + interval '2 days'");
  await admin.query(
    `insert into homework.idempotency_keys (user_id, key, request_hash, created_at)
     values ($1, 'old', '', now() - interval '25 hours'), ($1, 'new', '', now())`,
    [user],
  );
  expect(await tidyOnce(db, 30)).toMatchObject({ sessions: 1, keys: 1 });
});

test("while one process tidies, another leaves it alone", async () => {
  const other = await admin.connect();
  await other.query("begin; select pg_advisory_xact_lock(hashtextextended('homework.housekeeping', 0))");
  expect(await tidyOnce(db, 30)).toBeNull();
  await other.query("rollback");
  other.release();
});

test("it tidies at once, and stops when told", async () => {
  const id = await binned(31);
  const housekeeping = startHousekeeping({ db, env: realEnv, logger: silentLogger, binDays: 30 });
  await expect.poll(() => exists(id)).toBe(false);
  await housekeeping.close();
});

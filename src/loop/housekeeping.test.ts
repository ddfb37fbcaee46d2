import { afterAll, beforeEach, expect, test } from "vitest";
import { setQueueClock } from "../../test/helpers/queue-clock.ts";
import { insertRun } from "../../test/helpers/run-rows.ts";
import { storeWorld } from "../../test/helpers/store-world.ts";
import { silentLogger } from "../lib/logger.ts";
import { realEnv } from "../main/env.ts";
import { openJobQueue } from "../queue/pg-boss-queue.ts";
import { listChanges } from "../store/entity/change-store.ts";
import { findEntity, setEntityBinned } from "../store/entity/entity-store.ts";
import { appendToFeed, feedAfter, lastFeedSeq } from "../store/notification/feed-store.ts";
import { housekeepingHandler, planHousekeeping, tidyUp } from "./housekeeping.ts";
import { startWorker } from "./worker.ts";

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
  expect(await db.asSystem((tx) => tidyUp(tx, 30))).toMatchObject({ binned: 1 });
  expect([await exists(old), await exists(young), await exists(kept)]).toEqual([false, true, true]);
});

test("the history of what was emptied stays", async () => {
  const id = await binned(40);
  await db.asSystem((tx) => tidyUp(tx, 30));
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
  expect(await db.asSystem((tx) => tidyUp(tx, 30))).toMatchObject({ sessions: 1, keys: 1 });
});

test("a feed is forgotten after a week from its beginning, and its numbers go on", async () => {
  const reader = await makeUser();
  const append = () => db.asSystem((tx) => appendToFeed(tx, reader, "notification_read", {}));
  for (let n = 0; n < 5; n++) await append();
  const age = (seq: number, days: number) =>
    admin.query(
      "update homework.user_feed_events set created_at = now() - make_interval(days => $3) where user_id = $1 and seq = $2",
      [reader, seq, days],
    );
  await age(1, 9);
  await age(3, 8); // Whatever a clock says of the second: what goes is always a beginning.
  await age(4, 6);
  expect(await db.asSystem((tx) => tidyUp(tx, 30))).toMatchObject({ feed: 3 });
  await append();
  const left = await as(reader, (tx) => feedAfter(tx, reader, 2, 10));
  expect(left.map(({ seq }) => seq)).toEqual([4, 5, 6]);
  expect(await as(reader, (tx) => lastFeedSeq(tx, reader))).toBe(6);
});

/** A call of a model that was begun this long ago, and what its run has spent afterwards. */
async function reserve(runId: string, minutesAgo: number): Promise<void> {
  await admin.query(
    `insert into homework.llm_usage_logs (call_id, run_id, user_id, role, model, state, reserved_micro_usd, created_at)
     values (gen_random_uuid(), $1, $2, 'planner', 'm', 'reserved', 70, now() - make_interval(mins => $3))`,
    [runId, user, minutesAgo],
  );
}

const spent = async (runId: string) => {
  const { rows } = await admin.query(
    `select cost_micro_usd::int as cost, array(select state from homework.llm_usage_logs where run_id = r.id order by 1) as calls
       from homework.homework_runs r where id = $1`,
    [runId],
  );
  return rows[0];
};

test("a call whose answer will not come is charged at its reservation once nobody works on the run", async () => {
  const [ended, waiting, running] = [
    await insertRun(admin, user, "canceled"),
    await insertRun(admin, user, "waiting_on_user"),
    await insertRun(admin, user, "queued"),
  ];
  await admin.query("update homework.homework_runs set status = 'running', has_slot = true where id = $1", [running]);
  for (const runId of [ended, ended, waiting, running]) await reserve(runId, 16);
  await reserve(ended, 14);
  expect(await db.asSystem((tx) => tidyUp(tx, 30))).toMatchObject({ calls: 3 });
  expect(await spent(ended)).toEqual({ cost: 140, calls: ["reserved", "unknown", "unknown"] });
  expect(await spent(waiting)).toEqual({ cost: 70, calls: ["unknown"] });
  expect(await spent(running)).toEqual({ cost: 0, calls: ["reserved"] });
  expect(await db.asSystem((tx) => tidyUp(tx, 30))).toMatchObject({ calls: 0 });
});

test("a run that someone has locked is left for the next round", async () => {
  const runId = await insertRun(admin, user, "canceled");
  await reserve(runId, 16);
  const other = await admin.connect();
  await other.query("begin");
  await other.query("select from homework.homework_runs where id = $1 for update", [runId]);
  expect(await db.asSystem((tx) => tidyUp(tx, 30))).toMatchObject({ calls: 0 });
  await other.query("rollback");
  other.release();
  expect(await db.asSystem((tx) => tidyUp(tx, 30))).toMatchObject({ calls: 1 });
});

// The job of it, on the real queue.

const queue = await openJobQueue(db, () => {});
afterAll(() => queue.close());
beforeEach(() => queue.clear());
const options = { db, queue, env: realEnv, logger: silentLogger, binDays: 30 };
const start = () =>
  startWorker({ ...options, handlers: { schedule: housekeepingHandler(options) }, logger: silentLogger });

test("a process that starts tidies at once and plans the next time", async () => {
  const id = await binned(31);
  await planHousekeeping(options);
  const worker = start();
  await expect.poll(() => exists(id)).toBe(false);
  await worker.close(5_000);
  expect(await queue.fetch("schedule", 9)).toEqual([]);
  await setQueueClock(admin, 605);
  expect(await queue.fetch("schedule", 9)).toMatchObject([{ data: { task: "housekeeping" } }]);
  await setQueueClock(admin, 0);
});

test("however many processes start, one tidies", async () => {
  await Promise.all([planHousekeeping(options), planHousekeeping(options), planHousekeeping(options)]);
  expect(await queue.fetch("schedule", 9)).toHaveLength(1);
});

test("what fails leaves the job to be done, and plans no other", async () => {
  const id = await binned(31);
  await planHousekeeping(options);
  const [job] = await queue.fetch("schedule", 1);
  if (job === undefined) throw new Error("it is planned");
  const broken = { ...queue, enqueue: () => Promise.reject(new Error("the disk is full")) };
  const handle = (over: object) =>
    housekeepingHandler({ ...options, ...over }).handle(job, new AbortController().signal);
  await expect(handle({ queue: broken })).rejects.toThrow("the disk is full");
  expect(await exists(id)).toBe(true);
  expect(await queue.touch([job])).toEqual([job]);
  await handle({});
  expect(await exists(id)).toBe(false);
});

test("a worker that lost the job tidies nothing", async () => {
  const id = await binned(31);
  await planHousekeeping(options);
  const [lost] = await queue.fetch("schedule", 1);
  if (lost === undefined) throw new Error("it is planned");
  await queue.release(lost, 0);
  await queue.fetch("schedule", 1);
  await housekeepingHandler(options).handle(lost, new AbortController().signal);
  expect(await exists(id)).toBe(true);
});

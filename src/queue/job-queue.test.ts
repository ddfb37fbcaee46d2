import { fromKysely, PgBoss } from "pg-boss";
import { afterAll, beforeEach, expect, test } from "vitest";
import { storeWorld } from "../../test/helpers/store-world.ts";
import type { Tx } from "../db/database.ts";
import { realEnv } from "../main/env.ts";
import { jobIdOf } from "./job-id.ts";
import { openJobQueue } from "./job-queue.ts";

const { db, admin } = await storeWorld();
const queue = await openJobQueue(db, () => {});
afterAll(() => queue.close());
beforeEach(() => admin.query("delete from homework_queue.job"));

const job = (key: string, over: { data?: object; notBeforeMs?: number | null } = {}) => ({
  key,
  data: {},
  notBeforeMs: null,
  isNews: false,
  ...over,
});
const enqueue = (key: string, over = {}) => db.asSystem((tx) => queue.enqueue(tx, job(key, over)));
const inTx = <T>(work: (tx: Tx) => Promise<T>) => db.asSystem(work);
const fetchOne = async () => (await queue.fetch(10))[0];
const clock = (seconds: number) =>
  admin.query(`create or replace function homework_queue.job_now() returns timestamptz language sql stable
    as $$ select pg_catalog.now() + interval '${seconds} seconds' $$`);

test("the migration is the schema that the library expects", async () => {
  const boss = new PgBoss({
    db: fromKysely(db.system),
    schema: "homework_queue",
    migrate: false,
    supervise: false,
    schedule: false,
  });
  const drift = await boss.detectSchemaDrift();
  const found = Object.entries(drift).filter(([, value]) => Array.isArray(value) && value.length > 0);
  expect(found).toEqual([]);
});

test("the same key is the same job, however often it is enqueued", async () => {
  await enqueue("a");
  await enqueue("a");
  expect((await queue.fetch(10)).map(({ id }) => id)).toEqual([jobIdOf("a")]);
});

test("a job that was done makes way for the next of its key", async () => {
  await enqueue("a");
  const first = await fetchOne();
  await inTx((tx) => queue.complete(tx, first ?? { id: "", attempt: 0 }));
  await enqueue("a", { data: { again: true } });
  expect(await fetchOne()).toMatchObject({ id: jobIdOf("a"), data: { again: true } });
});

test("what a transaction enqueues is undone with it", async () => {
  await inTx(async (tx) => {
    await queue.enqueue(tx, job("a"));
    throw new Error("undo");
  }).catch(() => {});
  expect(await fetchOne()).toBeUndefined();
});

test("a job with a time is not given out before it", async () => {
  await enqueue("a", { notBeforeMs: realEnv.now() + 3_600_000 });
  expect(await fetchOne()).toBeUndefined();
  await clock(3_700);
  expect(await fetchOne()).toMatchObject({ id: jobIdOf("a") });
  await clock(0);
});

test("a dropped job is not given out, and its acknowledgement does not count", async () => {
  await enqueue("a");
  const taken = await fetchOne();
  await inTx((tx) => queue.drop(tx, "a"));
  expect(taken && (await inTx((tx) => queue.complete(tx, taken)))).toBe(false);
  expect(await fetchOne()).toBeUndefined();
});

test("a job without signs of life goes to someone else, and only the newest delivery can acknowledge it", async () => {
  await enqueue("a");
  const dead = await fetchOne();
  await queue.supervise();
  expect(await fetchOne()).toBeUndefined();
  await clock(13);
  await queue.supervise();
  const alive = await fetchOne();
  await clock(0);
  expect(alive).toMatchObject({ id: dead?.id, attempt: (dead?.attempt ?? 0) + 1 });
  expect(dead && (await queue.touch([dead]))).toEqual(new Set());
  expect(dead && (await inTx((tx) => queue.complete(tx, dead)))).toBe(false);
  expect(alive && (await queue.touch([alive]))).toEqual(new Set([alive?.id]));
  expect(alive && (await inTx((tx) => queue.complete(tx, alive)))).toBe(true);
});

test("a job that is given back is given out again, at once or after a while", async () => {
  await enqueue("a");
  const first = await fetchOne();
  if (!first) throw new Error("nothing was given out");
  await queue.release(first, 0);
  const second = await fetchOne();
  expect(second?.id).toBe(first.id);
  if (!second) return;
  await queue.release(second, 60_000);
  expect(await fetchOne()).toBeUndefined();
  await clock(61);
  expect((await fetchOne())?.id).toBe(first.id);
  await clock(0);
});

test("a job that someone else has by now cannot be given back by the one before", async () => {
  await enqueue("a");
  const first = await fetchOne();
  if (!first) throw new Error("nothing was given out");
  await queue.release(first, 0);
  const second = await fetchOne();
  await queue.release(first, 0);
  expect(await fetchOne()).toBeUndefined();
  expect(second && (await inTx((tx) => queue.complete(tx, second)))).toBe(true);
});

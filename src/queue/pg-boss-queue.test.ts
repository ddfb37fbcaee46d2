import { sql } from "kysely";
import { fromKysely, PgBoss } from "pg-boss";
import { afterAll, expect, test } from "vitest";
import { patienceMs } from "../../test/helpers/patience.ts";
import { storeWorld } from "../../test/helpers/store-world.ts";
import { realEnv } from "../main/env.ts";
import { jobKinds } from "./job-kinds.ts";
import { openJobQueue } from "./pg-boss-queue.ts";

// What concerns pg-boss alone; what every queue does is in test/sim/queue-contract.test.ts.

const { db } = await storeWorld();
const queue = await openJobQueue(db, () => {});
const boss = new PgBoss({
  db: fromKysely(db.system),
  schema: "homework_queue",
  migrate: false,
  supervise: false,
  schedule: false,
});
afterAll(() => queue.close());

test("the migration is the schema that the library expects", async () => {
  const drift = await boss.detectSchemaDrift();
  const found = Object.entries(drift).filter(([, value]) => Array.isArray(value) && value.length > 0);
  expect(found).toEqual([]);
});

test("every kind has its queue, with limits of its own", async () => {
  const queues = await Promise.all(Object.values(jobKinds).map(({ queue: name }) => boss.getQueue(name)));
  expect(queues).toMatchObject([
    { name: "buildos_homework", heartbeatSeconds: 10, expireInSeconds: 86_400 },
    { name: "homework_homr", heartbeatSeconds: 10, expireInSeconds: 1_800 },
    { name: "homework_schedule", heartbeatSeconds: 10, expireInSeconds: 600 },
    { name: "homework_deliver", heartbeatSeconds: 10, expireInSeconds: 120, retryLimit: 100_000 },
    { name: "homework_telegram", heartbeatSeconds: 10, expireInSeconds: 600, retryLimit: 100_000 },
  ]);
});

test("clearing removes the jobs of every kind, also those that are worked on", async () => {
  const job = { data: {}, notBeforeMs: null, isNews: false };
  await db.asSystem(async (tx) => {
    await queue.enqueue(tx, { ...job, kind: "iteration", key: "a" });
    await queue.enqueue(tx, { ...job, kind: "iteration", key: "b" });
    await queue.enqueue(tx, { ...job, kind: "schedule", key: "c" });
  });
  const [held] = await queue.fetch("iteration", 1);
  await queue.clear();
  expect([await queue.fetch("iteration", 9), await queue.fetch("schedule", 9)]).toEqual([[], []]);
  expect(held && (await queue.touch([held]))).toEqual([]);
});

test.each([
  ["a", "b"],
  ["b", "a"],
])("signs of life and a command that takes away %s, then %s do not wait for each other", async (first, second) => {
  await queue.clear();
  const job = { data: {}, notBeforeMs: null, isNews: false, kind: "iteration" } as const;
  await db.asSystem(async (tx) => {
    await queue.enqueue(tx, { ...job, key: "a" });
    await queue.enqueue(tx, { ...job, key: "b" });
  });
  const held = await queue.fetch("iteration", 2);
  let touched: Promise<readonly unknown[]> = Promise.resolve(held);
  await db.asSystem(async (tx) => {
    await queue.drop(tx, "iteration", first);
    touched = queue.touch(held);
    await untilSomeoneWaits();
    await queue.drop(tx, "iteration", second);
  });
  // The first is gone; the other one may have been touched before it went.
  expect((await touched).length).toBeLessThan(2);
});

async function untilSomeoneWaits(): Promise<void> {
  for (const end = realEnv.now() + patienceMs; realEnv.now() < end; await realEnv.sleep(20)) {
    const { rows } = await sql<{ waits: number }>`
      select count(*)::int as waits from pg_locks where not granted`.execute(db.system);
    if ((rows[0]?.waits ?? 0) > 0) return;
  }
  throw new Error("nobody waits for a lock");
}

import { afterAll, expect, test } from "vitest";
import { realEnv } from "../../src/main/env.ts";
import { jobIdOf } from "../../src/queue/job-id.ts";
import type { JobKind } from "../../src/queue/job-kinds.ts";
import { type JobNotice, jobsChannel, readNotice } from "../../src/queue/job-notice.ts";
import type { JobQueue, JobRef, NewJob, QueuedJob, WorkQueue } from "../../src/queue/job-queue.ts";
import { openJobQueue } from "../../src/queue/pg-boss-queue.ts";
import { setQueueClock } from "../helpers/queue-clock.ts";
import { storeWorld } from "../helpers/store-world.ts";
import { quiet } from "./faults.ts";
import { MemoryDatabase } from "./memory/memory-database.ts";
import { memoryQueue } from "./memory/memory-queue.ts";
import { rightRules } from "./memory/rules.ts";
import { World } from "./world.ts";

// What every queue has to do: the real one, and the one in memory that simulations run on.

/** What happens in a transaction. */
type Verbs = {
  readonly enqueue: (key: string, over?: Partial<NewJob>) => Promise<void>;
  readonly drop: (kind: JobKind, key: string) => Promise<void>;
  readonly complete: (job: JobRef) => Promise<boolean>;
};

type Subject = {
  readonly queue: WorkQueue;
  readonly inTx: <T>(work: (verbs: Verbs) => Promise<T>) => Promise<T>;
  readonly nowMs: () => number;
  /** The queue's clock, against where it began. */
  readonly setClock: (aheadSeconds: number) => Promise<void>;
  readonly clear: () => Promise<void>;
  /** What workers were told since the last time. */
  readonly notices: () => Promise<readonly JobNotice[]>;
};

const boring = { kind: "iteration", data: {}, notBeforeMs: null, isNews: false } as const;

const verbsIn = <Transaction>(queue: JobQueue<Transaction>, tx: Transaction): Verbs => ({
  enqueue: (key, over = {}) => queue.enqueue(tx, { ...boring, key, ...over }),
  drop: (kind, key) => queue.drop(tx, kind, key),
  complete: (job) => queue.complete(tx, job),
});

async function postgres(): Promise<Subject> {
  const { db, admin } = await storeWorld();
  const queue = await openJobQueue(db, () => {});
  const listener = await admin.connect();
  let heard: JobNotice[] = [];
  listener.on("notification", ({ payload = "" }) => heard.push(...[readNotice(payload) ?? []].flat()));
  await listener.query(`listen ${jobsChannel}`);
  afterAll(async () => {
    listener.release(true);
    await queue.close();
  });
  return {
    queue,
    inTx: (work) => db.asSystem((tx) => work(verbsIn(queue, tx))),
    nowMs: realEnv.now,
    setClock: (aheadSeconds) => setQueueClock(admin, aheadSeconds),
    clear: queue.clear,
    notices: async () => {
      await listener.query("select 1"); // What was told before this comes before its answer.
      const told = heard;
      heard = [];
      return told;
    },
  };
}

function memory(): Subject {
  const world = new World({ seed: 1, hasJitter: false, faults: () => quiet() });
  const database = new MemoryDatabase(world);
  const queue = memoryQueue(database, rightRules, "test", () => world.nowMs);
  let heard: JobNotice[] = [];
  database.onNotice = (notice) => heard.push(notice);
  return {
    queue,
    inTx: (work) => database.run("test", null, (tx) => work(verbsIn(queue, tx))),
    nowMs: () => world.databaseNowMs,
    setClock: async (aheadSeconds) => {
      world.timeline.nowMs = aheadSeconds * 1_000;
    },
    clear: async () => database.jobs.clear(),
    notices: async () => {
      const told = heard;
      heard = [];
      return told;
    },
  };
}

/** A subject with what tests say often. */
const handy = (subject: Subject) => ({
  ...subject,
  enqueue: (key: string, over: Partial<NewJob> = {}) => subject.inTx((tx) => tx.enqueue(key, over)),
  complete: (from: JobRef) => subject.inTx((tx) => tx.complete(from)),
  fetchIds: async (kind: JobKind = "iteration") => (await subject.queue.fetch(kind, 10)).map(({ id }) => id),
  fetchOne: async (kind: JobKind = "iteration"): Promise<QueuedJob> => {
    const [found] = await subject.queue.fetch(kind, 1);
    if (found === undefined) throw new Error("nothing was given out");
    return found;
  },
});

const subjects = [
  ["on PostgreSQL", handy(await postgres())],
  ["in memory", handy(memory())],
] as const;

function everyQueue(title: string, check: (subject: ReturnType<typeof handy>) => Promise<void>): void {
  test.for(subjects)(`a queue %s ${title}`, async ([, subject]) => {
    await subject.clear();
    await subject.setClock(0);
    await subject.notices();
    await check(subject);
  });
}

everyQueue(
  "gives a job out once, with its data, the oldest first and no more than asked for",
  async ({ queue, enqueue, fetchIds }) => {
    for (const key of ["a", "b", "c"]) await enqueue(key, { data: { key } });
    const first = await queue.fetch("iteration", 2);
    expect(new Set(first)).toEqual(
      new Set([
        { kind: "iteration", id: jobIdOf("a"), attempt: 0, data: { key: "a" } },
        { kind: "iteration", id: jobIdOf("b"), attempt: 0, data: { key: "b" } },
      ]),
    );
    expect(await fetchIds()).toEqual([jobIdOf("c")]);
    expect(await fetchIds()).toEqual([]);
  },
);

everyQueue("keeps kinds apart", async ({ enqueue, fetchIds }) => {
  await enqueue("a");
  await enqueue("b", { kind: "schedule" });
  expect(await fetchIds("schedule")).toEqual([jobIdOf("b")]);
  expect(await fetchIds("iteration")).toEqual([jobIdOf("a")]);
});

everyQueue("takes the same key as the same job, however often it is enqueued", async ({ queue, enqueue }) => {
  await enqueue("a", { data: { nth: 1 } });
  await enqueue("a", { data: { nth: 2 } });
  expect(await queue.fetch("iteration", 10)).toMatchObject([{ id: jobIdOf("a"), data: { nth: 1 } }]);
});

everyQueue(
  "does not enqueue a job again that is being worked on",
  async ({ enqueue, fetchIds, fetchOne, complete }) => {
    await enqueue("a");
    const held = await fetchOne();
    await enqueue("a");
    expect(await fetchIds()).toEqual([]);
    expect(await complete(held)).toBe(true);
  },
);

for (const how of ["completed", "dropped"])
  everyQueue(
    `lets a job that was ${how} make way for the next of its key`,
    async ({ enqueue, fetchOne, complete, inTx }) => {
      await enqueue("a");
      const first = await fetchOne();
      if (how === "completed") await complete(first);
      else await inTx((tx) => tx.drop("iteration", "a"));
      await enqueue("a", { data: { again: true } });
      expect(await fetchOne()).toMatchObject({ id: jobIdOf("a"), data: { again: true } });
    },
  );

everyQueue(
  "completes a job and enqueues the same key in one transaction",
  async ({ enqueue, fetchIds, fetchOne, inTx, nowMs, setClock }) => {
    await enqueue("a");
    const first = await fetchOne();
    await inTx(async (tx) => {
      await tx.complete(first);
      await tx.enqueue("a", { notBeforeMs: nowMs() + 600_000 });
    });
    expect(await fetchIds()).toEqual([]);
    await setClock(700);
    expect(await fetchIds()).toEqual([jobIdOf("a")]);
  },
);

everyQueue(
  "undoes with a transaction what it enqueued, dropped and completed",
  async ({ queue, enqueue, fetchIds, complete, inTx, notices }) => {
    await enqueue("dropped");
    await enqueue("completed");
    const [dropped, completed] = await queue.fetch("iteration", 2);
    if (dropped === undefined || completed === undefined) throw new Error("both were given out");
    const undone = inTx(async (tx) => {
      await tx.enqueue("a", { isNews: true });
      await tx.drop("iteration", "dropped");
      await tx.complete(completed);
      throw new Error("undo");
    });
    await expect(undone).rejects.toThrow("undo");
    expect(await fetchIds()).toEqual([]);
    expect([await complete(dropped), await complete(completed)]).toEqual([true, true]);
    expect(await notices()).toEqual([]);
  },
);

everyQueue("does not give a job out before its time", async ({ enqueue, fetchIds, nowMs, setClock }) => {
  await enqueue("a", { notBeforeMs: nowMs() + 3_600_000 });
  expect(await fetchIds()).toEqual([]);
  await setClock(3_700);
  expect(await fetchIds()).toEqual([jobIdOf("a")]);
});

everyQueue(
  "gives no dropped job out, and takes no acknowledgement or sign of life for it",
  async ({ queue, enqueue, fetchIds, fetchOne, complete, inTx }) => {
    await enqueue("a");
    const held = await fetchOne();
    await inTx((tx) => tx.drop("iteration", "a"));
    expect([await complete(held), await queue.touch([held]), await fetchIds()]).toEqual([false, [], []]);
  },
);

everyQueue("takes one acknowledgement", async ({ enqueue, fetchOne, complete }) => {
  await enqueue("a");
  const held = await fetchOne();
  expect([await complete(held), await complete(held)]).toEqual([true, false]);
});

everyQueue(
  "gives a job without signs of life to another worker; then only that one counts",
  async ({ queue, enqueue, fetchIds, fetchOne, complete, setClock }) => {
    await enqueue("a");
    const dead = await fetchOne();
    await queue.supervise();
    expect(await fetchIds()).toEqual([]);
    await setClock(13);
    await queue.supervise();
    const alive = await fetchOne();
    expect(alive).toMatchObject({ id: dead.id, attempt: dead.attempt + 1 });
    expect([await queue.touch([dead]), await complete(dead)]).toEqual([[], false]);
    await queue.release(dead, 0);
    expect(await fetchIds()).toEqual([]);
    expect(await queue.touch([alive])).toEqual([alive]);
    expect(await complete(alive)).toBe(true);
  },
);

everyQueue(
  "leaves a job to a worker that gives signs of life, of whatever kind",
  async ({ queue, enqueue, fetchIds, fetchOne, setClock }) => {
    await enqueue("a");
    await enqueue("b", { kind: "schedule" });
    const held = [await fetchOne(), await fetchOne("schedule")];
    await setClock(8);
    expect(await queue.touch(held)).toHaveLength(2);
    await setClock(16);
    await queue.supervise();
    expect([await fetchIds(), await fetchIds("schedule")]).toEqual([[], []]);
  },
);

everyQueue("keeps a job whose time is long past until it is taken", async ({ queue, enqueue, setClock, fetchIds }) => {
  await enqueue("a", { notBeforeMs: 0 });
  await setClock(60);
  await queue.supervise();
  expect(await fetchIds()).toEqual([jobIdOf("a")]);
});

everyQueue(
  "gives out again what is given back, at once or after a while",
  async ({ queue, enqueue, fetchIds, fetchOne, setClock }) => {
    await enqueue("a");
    await queue.release(await fetchOne(), 0);
    const second = await fetchOne();
    expect(second).toMatchObject({ id: jobIdOf("a"), attempt: 1 });
    await queue.release(second, 60_000);
    expect(await fetchIds()).toEqual([]);
    await setClock(61);
    expect(await fetchOne()).toMatchObject({ id: jobIdOf("a"), attempt: 2 });
  },
);

everyQueue(
  "tells workers of news, of what came back, and which job to let go of",
  async ({ queue, enqueue, fetchOne, inTx, notices }) => {
    await enqueue("quiet");
    await enqueue("loud", { kind: "schedule", isNews: true });
    await inTx((tx) => tx.drop("iteration", "quiet"));
    await queue.release(await fetchOne("schedule"), 0);
    expect(await notices()).toEqual([
      { kind: "schedule", dropped: null },
      { kind: "iteration", dropped: jobIdOf("quiet") },
      { kind: "schedule", dropped: null },
    ]);
  },
);

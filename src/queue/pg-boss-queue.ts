// The queue on pg-boss, which is used as a store and never as a worker, and only through its API.

import { sql } from "kysely";
import { fromKysely, PgBoss } from "pg-boss";
import { z } from "zod";
import type { Database, Tx } from "../db/database.ts";
import { jobIdOf } from "./job-id.ts";
import { jobKinds } from "./job-kinds.ts";
import { type JobNotice, jobsChannel, writeNotice } from "./job-notice.ts";
import type { JobQueue, JobRef, NewJob } from "./job-queue.ts";

const schema = "homework_queue";

/** The library does no more than one look in this time, however many processes ask for it. */
const superviseSeconds = 1;
const deleteEverySeconds = 30;

export type PgBossQueue = JobQueue & {
  /** Removes all jobs of all kinds: after a restore they belong to what was there before. */
  readonly clear: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function openJobQueue(db: Database, onError: (error: unknown) => void): Promise<PgBossQueue> {
  const boss = new PgBoss({
    db: fromKysely(db.system),
    schema,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: deleteEverySeconds,
    monitorVacuum: false,
    reindex: false,
  });
  boss.on("error", onError);
  await boss.start();
  // The library looks each queue up once; inside a transaction that would need a second connection.
  for (const { queue } of Object.values(jobKinds)) await boss.findJobs(queue, { id: jobIdOf("warm-up") });

  return {
    enqueue: (tx, job) => enqueue(boss, tx, job),
    drop: async (tx, kind, key) => {
      const id = jobIdOf(key);
      await boss.cancel(jobKinds[kind].queue, id, { db: fromKysely(tx) });
      await notify(tx, { kind, dropped: id });
    },
    complete: async (tx, { kind, id, attempt }) =>
      hasMet(await boss.complete(jobKinds[kind].queue, { id, retryCount: attempt }, null, { db: fromKysely(tx) })),
    fetch: async (kind, limit) => {
      const jobs = await boss.fetch(jobKinds[kind].queue, { batchSize: limit });
      return jobs.map(({ id, retryCount, data }) => ({ kind, id, attempt: retryCount, data }));
    },
    touch: (jobs) => touch(boss, jobs),
    release: (job, afterMs) => release(boss, db, job, afterMs),
    supervise: () => boss.supervise(),
    clear: async () => {
      for (const { queue } of Object.values(jobKinds)) await boss.deleteAllJobs(queue);
    },
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

/** The types of the library do not say what its commands answer. */
const answer = z.object({ affected: z.number(), settled: z.array(z.string()).optional() });
const hasMet = (response: object): boolean => answer.parse(response).affected === 1;

const notify = (tx: Tx, notice: JobNotice) => sql`select pg_notify(${jobsChannel}, ${writeNotice(notice)})`.execute(tx);

const ended: readonly string[] = ["completed", "cancelled", "failed"];

async function enqueue(boss: PgBoss, tx: Tx, { kind, key, data, notBeforeMs, isNews }: NewJob): Promise<void> {
  const { queue } = jobKinds[kind];
  const id = jobIdOf(key);
  const db = fromKysely(tx);
  const later = notBeforeMs === null || (await isOver(tx, notBeforeMs)) ? {} : { startAfter: toDate(notBeforeMs) };
  const send = () => boss.send(queue, data, { id, db, ...later });
  if ((await send()) === null) {
    // The same job was done before (an iteration that held, or was paused): its remains make way. One that is open stays.
    const [found] = await boss.findJobs(queue, { id, db });
    if (found === undefined || !ended.includes(found.state)) return;
    await boss.deleteJob(queue, id, { db });
    await send();
  }
  if (isNews) await notify(tx, { kind, dropped: null });
}

/** The library counts from a job's time how long it is kept, and would clear one whose time is long past before it is taken. */
async function isOver(tx: Tx, atMs: number): Promise<boolean> {
  const asked = sql<{ is_over: boolean }>`select to_timestamp(${atMs / 1_000}) <= run_now() as is_over`;
  return (await asked.execute(tx)).rows[0]?.is_over === true;
}

// biome-ignore lint/style/noRestrictedGlobals: writes a given time as the library wants it; reads no clock
const toDate = (ms: number): Date => new Date(ms);

/**
 * One at a time: the library locks several in no order of its own, and would wait in a circle with a command that takes away the jobs of
 * several runs. With a single lock no circle can close.
 */
async function touch(boss: PgBoss, jobs: readonly JobRef[]): Promise<readonly JobRef[]> {
  const ours: JobRef[] = [];
  for (const job of jobs) {
    const { settled = [] } = answer.parse(
      await boss.touch(jobKinds[job.kind].queue, [{ id: job.id, retryCount: job.attempt }]),
    );
    if (settled.includes(job.id)) ours.push(job);
  }
  return ours;
}

async function release(boss: PgBoss, db: Database, { kind, id, attempt }: JobRef, afterMs: number): Promise<void> {
  const { queue } = jobKinds[kind];
  await db.asSystem(async (tx) => {
    const inTx = { db: fromKysely(tx) };
    if (!hasMet(await boss.fail(queue, { id, retryCount: attempt }, null, inTx))) return;
    if (afterMs > 0) await boss.update(queue, undefined, { ...inTx, id, startAfter: Math.ceil(afterMs / 1_000) });
    else await notify(tx, { kind, dropped: null });
  });
}

// The durable queue: a few verbs on top of pg-boss, which is used as a store and never as a worker. What belongs to a
// change of ours (enqueue, drop, complete) happens in the caller's transaction. It knows jobs, not what they are about.

import { sql } from "kysely";
import { fromKysely, PgBoss } from "pg-boss";
import { z } from "zod";
import type { Database, Tx } from "../db/database.ts";
import { jobIdOf } from "./job-id.ts";
import { queueName } from "./queue-name.ts";

const schema = "homework_queue";
/** Those who listen are told that there is work (empty), or which job is to be let go of (its id). */
export const jobsChannel = "homework_jobs";

export type NewJob = {
  readonly key: string;
  readonly data: object;
  readonly notBeforeMs: number | null;
  /** Nobody knows of it yet: workers are woken. The next job of a chain is found by whoever did the one before. */
  readonly isNews: boolean;
};

/** One delivery; `attempt` is what the queue fences with. */
export type QueuedJob = { readonly id: string; readonly attempt: number; readonly data: unknown };
export type JobRef = Pick<QueuedJob, "id" | "attempt">;

export type JobQueue = {
  /** One open job per key: nothing happens if it is open already. */
  readonly enqueue: (tx: Tx, job: NewJob) => Promise<void>;
  /** Ends the open job of this key and tells whoever works on it. */
  readonly drop: (tx: Tx, key: string) => Promise<void>;
  /** False: it was given to someone else since, or dropped. */
  readonly complete: (tx: Tx, job: JobRef) => Promise<boolean>;
  readonly fetch: (limit: number) => Promise<readonly QueuedJob[]>;
  /** Signs of life; answers which of them are still ours. */
  readonly touch: (jobs: readonly JobRef[]) => Promise<ReadonlySet<string>>;
  /** Gives it back, to be taken again after a while. */
  readonly release: (job: JobRef, afterMs: number) => Promise<void>;
  /** Takes jobs away from the dead and clears out old ones; any number of processes may ask, one does it. */
  readonly supervise: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The library does no more than one look in this time, whoever asks for it. */
const superviseSeconds = 1;
const deleteEverySeconds = 30;

export async function openJobQueue(db: Database, onError: (error: unknown) => void): Promise<JobQueue> {
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
  // The library looks its queue up once; inside a transaction that would need a second connection.
  await boss.getQueue(queueName);
  await boss.findJobs(queueName, { id: jobIdOf("warm-up") });

  return {
    enqueue: (tx, job) => enqueue(boss, tx, job),
    drop: async (tx, key) => {
      const id = jobIdOf(key);
      await boss.cancel(queueName, id, { db: fromKysely(tx) });
      await sql`select pg_notify(${jobsChannel}, ${id})`.execute(tx);
    },
    complete: async (tx, { id, attempt }) => {
      return hasMet(await boss.complete(queueName, { id, retryCount: attempt }, null, { db: fromKysely(tx) }));
    },
    fetch: async (limit) => {
      const jobs = await boss.fetch(queueName, { batchSize: limit });
      return jobs.map(({ id, retryCount, data }) => ({ id, attempt: retryCount, data }));
    },
    touch: (jobs) => touch(boss, jobs),
    release: async (job, afterMs) => release(boss, db, job, afterMs),
    supervise: () => boss.supervise(queueName),
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

/** The library's types keep quiet about what its commands answer. */
const answer = z.object({ affected: z.number(), settled: z.array(z.string()).optional() });
const hasMet = (response: object): boolean => answer.parse(response).affected === 1;

async function enqueue(boss: PgBoss, tx: Tx, { key, data, notBeforeMs, isNews }: NewJob): Promise<void> {
  const id = jobIdOf(key);
  // biome-ignore lint/style/noRestrictedGlobals: writes a given time as the library wants it; reads no clock
  const later = notBeforeMs === null ? {} : { startAfter: new Date(notBeforeMs) };
  const options = { id, db: fromKysely(tx), ...later };
  if ((await boss.send(queueName, data, options)) === null) {
    // The same job was done before (an iteration that held, or was paused): its remains make way. One that is open stays.
    await sql`delete from homework_queue.job where name = ${queueName} and id = ${id} and state >= 'completed'`.execute(
      tx,
    );
    await boss.send(queueName, data, options);
  }
  if (isNews) await sql`select pg_notify(${jobsChannel}, '')`.execute(tx);
}

async function touch(boss: PgBoss, jobs: readonly JobRef[]): Promise<ReadonlySet<string>> {
  if (jobs.length === 0) return new Set();
  const refs = jobs.map(({ id, attempt }) => ({ id, retryCount: attempt }));
  return new Set(answer.parse(await boss.touch(queueName, refs)).settled);
}

async function release(boss: PgBoss, db: Database, { id, attempt }: JobRef, afterMs: number): Promise<void> {
  await db.asSystem(async (tx) => {
    const inTx = { db: fromKysely(tx) };
    if (!hasMet(await boss.fail(queueName, { id, retryCount: attempt }, null, inTx))) return;
    if (afterMs > 0) await boss.update(queueName, undefined, { ...inTx, id, startAfter: Math.ceil(afterMs / 1_000) });
    else await sql`select pg_notify(${jobsChannel}, '')`.execute(tx);
  });
}

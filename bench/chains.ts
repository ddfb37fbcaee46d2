// What the loop is compared with: chains of jobs that do nothing but enqueue their successor, once on our queue and once on a
// table with SKIP LOCKED that knows no retries, heartbeats or fences.

import { sql } from "kysely";
import pg from "pg";
import { type Job, PgBoss } from "pg-boss";
import type { Database } from "../src/db/database.ts";
import { realEnv } from "../src/main/env.ts";
import { Dispatcher, type KindHandler } from "../src/queue/dispatcher.ts";
import type { JobQueue } from "../src/queue/job-queue.ts";

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * pg-boss as it comes: its own pool and statements, one fetch at a time, successor and completion in one transaction. Jobs
 * per second.
 */
export async function libraryChain(url: string, chains: number, each: number, concurrency: number): Promise<number> {
  const options = "-c role=homework_system";
  const boss = new PgBoss({
    connectionString: url,
    options,
    schema: "homework_queue",
    max: concurrency + 4,
    migrate: false,
    schedule: false,
    supervise: false,
  });
  const pool = new pg.Pool({ connectionString: url, options, max: concurrency });
  await boss.start();
  const name = "bench_chain";
  await boss.createQueue(name, { heartbeatSeconds: 10, deleteAfterSeconds: 60 });
  for (let chain = 0; chain < chains; chain++) await boss.send(name, { chain, step: 1 });
  let done = 0;
  let inFlight = 0;
  const one = async (job: Job<{ chain: number; step: number }>) => {
    const client = await pool.connect();
    const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
    await client.query("begin");
    if (job.data.step < each) await boss.send(name, { chain: job.data.chain, step: job.data.step + 1 }, { db });
    await boss.complete(name, job, null, { db });
    await client.query("commit");
    client.release();
    done += 1;
    inFlight -= 1;
  };
  const began = performance.now();
  while (done < chains * each) {
    const free = concurrency - inFlight;
    const jobs = free > 0 ? await boss.fetch<{ chain: number; step: number }>(name, { batchSize: free }) : [];
    inFlight += jobs.length;
    for (const job of jobs) void one(job);
    if (jobs.length === 0) await realEnv.sleep(1);
  }
  const seconds = (performance.now() - began) / 1_000;
  await boss.deleteQueue(name);
  await boss.stop({ graceful: false });
  await pool.end();
  return Math.round(done / seconds);
}

/** The same through our connections and dispatcher. */
export async function bareChain(
  db: Database,
  queue: JobQueue,
  chains: number,
  each: number,
  concurrency: number,
): Promise<number> {
  const name = realEnv.newId();
  const job = (chain: number, step: number) => ({
    kind: "iteration" as const,
    key: `${name}:${chain}:${step}`,
    data: { chain, step },
    notBeforeMs: null,
    isNews: false,
  });
  for (let chain = 0; chain < chains; chain++) await db.asSystem((tx) => queue.enqueue(tx, job(chain, 1)));
  let done = 0;
  const began = performance.now();
  const handle: KindHandler["handle"] = async (fetched) => {
    const { chain, step } = fetched.data as { chain: number; step: number };
    await db.asSystem(async (tx) => {
      if (step < each) await queue.enqueue(tx, job(chain, step + 1));
      await queue.complete(tx, fetched);
    });
    done += 1;
  };
  const handlers = { iteration: { concurrency, handle } };
  const dispatcher = new Dispatcher({ queue, handlers, env: realEnv, logger: silent });
  while (done < chains * each) await realEnv.sleep(5);
  const seconds = (performance.now() - began) / 1_000;
  await dispatcher.close(1_000);
  return Math.round(done / seconds);
}

export async function handWrittenChain(
  db: Database,
  chains: number,
  each: number,
  concurrency: number,
): Promise<number> {
  await sql`create table if not exists bench_jobs (id bigint generated always as identity primary key, chain integer not null,
    step integer not null, taken_at timestamptz)`.execute(db.system);
  await sql`truncate bench_jobs`.execute(db.system);
  await sql`insert into bench_jobs (chain, step) select n, 1 from generate_series(1, ${chains}::int) n`.execute(
    db.system,
  );
  let done = 0;
  const began = performance.now();
  const worker = async () => {
    while (done < chains * each) {
      const { rows } = await sql<{ id: string; chain: number; step: number }>`
        update bench_jobs set taken_at = now() where id = (select id from bench_jobs where taken_at is null
          order by id limit 1 for update skip locked) returning id, chain, step`.execute(db.system);
      const [job] = rows;
      if (!job) {
        await realEnv.sleep(2);
        continue;
      }
      await db.asSystem(async (tx) => {
        if (job.step < each)
          await sql`insert into bench_jobs (chain, step) values (${job.chain}, ${job.step + 1})`.execute(tx);
        await sql`delete from bench_jobs where id = ${job.id}`.execute(tx);
      });
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - began) / 1_000;
  await sql`drop table bench_jobs`.execute(db.system);
  return Math.round(done / seconds);
}

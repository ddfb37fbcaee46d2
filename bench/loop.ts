// Full durable iterations per second: take the run, three journal entries, six events, next job, every one a commit on disk. With
// 1, 100 and 1,000 runs at once, beside a chain of empty jobs on the same queue and one on a hand-written table.
// The three take turns, so that a busy moment of the machine meets all of them.

import v8 from "node:v8";
import vm from "node:vm";
import { sql } from "kysely";
import type { Database, Tx } from "../src/db/database.ts";
import type { UserId } from "../src/domain/identity/identity.ts";
import { defaultBreakers } from "../src/domain/run/gate/breakers.ts";
import type { RunId } from "../src/domain/run/run.ts";
import type { Logger } from "../src/lib/logger.ts";
import { iterationHandler } from "../src/loop/iteration-handler.ts";
import { startWorker } from "../src/loop/worker.ts";
import { configSchema } from "../src/main/config-schema.ts";
import { realEnv } from "../src/main/env.ts";
import { openInstallation } from "../src/main/open-database.ts";
import { openJobQueue, type PgBossQueue } from "../src/queue/pg-boss-queue.ts";
import { createRun } from "../src/runs/create-run.ts";
import { loopStore } from "../src/runs/loop-store.ts";
import { findViolations } from "../src/store/run/run-invariants.ts";
import { runStore } from "../src/store/run/run-store.ts";
import { newRun } from "../test/helpers/run-world.ts";
import { scriptedEngine, scriptedProver, untilIteration } from "../test/helpers/scripted-engine.ts";
import { makeDataFolder, removeDataFolder } from "../test/helpers/served.ts";
import { bareChain, handWrittenChain, libraryChain } from "./chains.ts";
import { readCpuMs } from "./cpu-time.ts";
import { figuresOf, msText, ratio, ratioOfRounds, report } from "./figures.ts";

const concurrency = 16;
const rounds = 3;
const runsPerUser = 3;
/** The same for all, since a run's last iteration is dearer than the others. */
const iterationsEach = 8;
/** Long enough for a few seconds of empty jobs: shorter ones differ by half from round to round. */
const [chains, jobsEach] = [200, 25];
/** In a short round. */
const shortJobsEach = 12;
const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

type LoopBench = { readonly db: Database; readonly queue: PgBossQueue; readonly data: string };

export async function withLoop(work: (bench: LoopBench) => Promise<void>): Promise<void> {
  const data = makeDataFolder();
  const config = configSchema.parse({ data, database_pool_size: concurrency + 4 });
  const opened = await openInstallation({ config, logger: silent, say: () => {} });
  const queue = await openJobQueue(opened.db, () => {});
  try {
    await work({ db: opened.db, queue, data });
  } finally {
    await queue.close();
    await opened.close();
    await removeDataFolder(data);
  }
}

export async function benchLoop(): Promise<void> {
  await withLoop(async (bench) => {
    await iterations(bench, 10, 5); // Warms up plans and connections; not counted.
    const rates: Record<"one" | "hundred" | "thousand" | "library" | "bare" | "hand", number[]> = {
      one: [],
      hundred: [],
      thousand: [],
      library: [],
      bare: [],
      hand: [],
    };
    const { connectionString = "" } = bench.db.clientConfig();
    for (let round = 0; round < rounds; round++) {
      rates.library.push(await libraryChain(connectionString, chains, jobsEach, concurrency));
      rates.hundred.push(await iterations(bench, 100, iterationsEach));
      rates.bare.push(await bareChain(bench.db, bench.queue, chains, jobsEach, concurrency));
      rates.thousand.push(await iterations(bench, 1_000, iterationsEach));
      rates.hand.push(await handWrittenChain(bench.db, chains, jobsEach, concurrency));
      rates.one.push(await iterations(bench, 1, 60));
    }
    const median = (values: readonly number[]) => figuresOf(values).p50;
    const start = await startLatency(bench);
    const violations = await findViolations(bench.db, null);
    report("Durable iterations", {
      "iterations/s with 1 run": median(rates.one),
      "iterations/s with 100 runs": median(rates.hundred),
      "iterations/s with 1,000 runs": median(rates.thousand),
      "empty jobs/s, pg-boss as it comes": median(rates.library),
      "empty jobs/s, pg-boss through our connections": median(rates.bare),
      "empty jobs/s, hand-written": median(rates.hand),
      "1,000 runs : empty jobs through our connections": ratio(median(rates.thousand), median(rates.bare)),
      "1,000 runs : empty jobs on pg-boss as it comes": ratioOfRounds(rates.thousand, rates.library),
      "1,000 runs : 100 runs": ratio(median(rates.thousand), median(rates.hundred)),
      "handed over to first work, idle": msText(start),
      "all rounds": rates,
      "invariants broken": violations.length,
    });
  });
}

/**
 * Only the two sides of the ratio that decides, in as many short rounds as one likes: what one change of the store is worth. The
 * ratio of processor time is that of the speeds on a machine that has nothing else to do.
 */
export async function benchLoopRatio(roundsOfThis: number, runs: number): Promise<void> {
  await withLoop(async (bench) => {
    await iterations(bench, 10, 5);
    const { connectionString = "" } = bench.db.clientConfig();
    const [library, loop]: [Measured[], Measured[]] = [[], []];
    for (let round = 0; round < roundsOfThis; round++) {
      const empty = () => libraryChain(connectionString, chains, shortJobsEach, concurrency);
      const cpuBefore = readCpuMs(bench.data);
      const perSecond = await empty();
      library.push({ perSecond, cpuMs: cpuSince(bench.data, cpuBefore, chains * shortJobsEach) });
      loop.push(await measureIterations(bench, runs, iterationsEach));
    }
    const all = (rounds: readonly Measured[], what: keyof Measured) => rounds.map((round) => round[what]);
    const median = (rounds: readonly Measured[], what: keyof Measured) => figuresOf(all(rounds, what)).p50;
    report("Durable iterations beside empty jobs on pg-boss as it comes", {
      [`iterations/s with ${runs} runs`]: median(loop, "perSecond"),
      "empty jobs/s": median(library, "perSecond"),
      "ratio of speeds": ratioOfRounds(all(loop, "perSecond"), all(library, "perSecond")),
      "processor ms for an iteration": median(loop, "cpuMs"),
      "processor ms for an empty job": median(library, "cpuMs"),
      "ratio of processor time": ratioOfRounds(all(library, "cpuMs"), all(loop, "cpuMs")),
      "handed over to first work, idle": msText(await startLatency(bench)),
      "all rounds": { loop, library },
    });
  });
}

type Measured = { readonly perSecond: number; readonly cpuMs: number };

/** For each of `count`; 0 where the system does not tell. */
function cpuSince(data: string, before: number | null, count: number): number {
  const now = readCpuMs(data);
  return before === null || now === null ? 0 : Math.round((100 * (now - before)) / count) / 100;
}

/** A month of a busy run in a few minutes: does the process grow? */
export async function benchLoopMemory(): Promise<void> {
  const total = 50_000;
  const parts = 10;
  await withLoop(async (bench) => {
    await iterations(bench, 100, 10);
    const heap: number[] = [];
    const resident: number[] = [];
    for (let part = 0; part < parts; part++) {
      await iterations(bench, 100, total / parts / 100);
      collectGarbage();
      heap.push(Math.round(process.memoryUsage().heapUsed / 1024 ** 2));
      resident.push(Math.round(process.memoryUsage().rss / 1024 ** 2));
    }
    report(`Memory over ${total.toLocaleString("en")} iterations`, {
      "heap in MiB after each tenth": heap,
      "resident in MiB after each tenth": resident,
      "heap, last : first": ratio(heap.at(-1) ?? 0, heap[0] ?? 1),
    });
  });
}

/** What is left after it is what is really held; without it the figures say when the engine last felt like cleaning up. */
function collectGarbage(): void {
  v8.setFlagsFromString("--expose-gc");
  const collect: unknown = vm.runInNewContext("gc");
  if (typeof collect === "function") collect();
}

/** Iterations per second until all of these runs are completed. */
async function iterations(bench: LoopBench, runs: number, each: number): Promise<number> {
  return (await measureIterations(bench, runs, each)).perSecond;
}

async function measureIterations({ db, queue, data }: LoopBench, runs: number, each: number): Promise<Measured> {
  const store = runStore(db, queue, () => {});
  const limits = { maxConcurrentRuns: runsPerUser };
  const users = await makeUsers(db, Math.ceil(runs / runsPerUser));
  const ids: RunId[] = [];
  for (let n = 0; n < runs; n++) {
    const run = newRun(users[n % users.length] as UserId, {
      budget: { ...newRun("" as UserId).budget, maxIterations: each + 1 },
    });
    ids.push(run.id);
    await store.transaction((tx) => createRun(tx, run, limits));
  }
  const engine = scriptedEngine<Tx>(untilIteration(each, { notes: 3 }), async () => ({ kind: "document", id: "none" }));
  const handler = iterationHandler({
    runs: loopStore(store, { workerName: "bench", breakers: { ...defaultBreakers, noProgress: 1e9 }, limits }),
    engineFor: () => ({ engine, prover: scriptedProver(), workFolder: null }),
    newId: realEnv.newId,
    now: realEnv.now,
    db,
    concurrency,
    logger: silent,
  });
  const worker = startWorker({ db, queue, handlers: { iteration: handler }, env: realEnv, logger: silent });
  const [began, cpuBefore] = [performance.now(), readCpuMs(data)];
  await allEnded(db, ids);
  const seconds = (performance.now() - began) / 1_000;
  const cpuMs = cpuSince(data, cpuBefore, runs * each);
  await worker.close(5_000);
  return { perSecond: Math.round((runs * each) / seconds), cpuMs };
}

async function allEnded(db: Database, ids: readonly RunId[]): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ open: number }>`select count(*)::int as open from homework_runs
      where id = any (${ids}::uuid[]) and status <> 'completed'`.execute(db.system);
    if (rows[0]?.open === 0) return;
    await realEnv.sleep(100);
  }
}

/** From handing a run over to the first line of its engine, with nothing else to do. */
async function startLatency({ db, queue }: LoopBench) {
  const store = runStore(db, queue, () => {});
  const limits = { maxConcurrentRuns: 1_000 };
  const [user] = await makeUsers(db, 1);
  const startedAt = new Map<string, number>();
  const engine = scriptedEngine(untilIteration(1), async () => ({ kind: "document", id: "none" }));
  const handler = iterationHandler({
    runs: loopStore(store, { workerName: "bench", breakers: defaultBreakers, limits }),
    engineFor: ({ id }) => {
      startedAt.set(id, performance.now());
      return { engine, prover: scriptedProver(), workFolder: null };
    },
    newId: realEnv.newId,
    now: realEnv.now,
    db,
    concurrency,
    logger: silent,
  });
  const worker = startWorker({ db, queue, handlers: { iteration: handler }, env: realEnv, logger: silent });
  await realEnv.sleep(1_500);
  const times: number[] = [];
  for (let n = 0; n < 100; n++) {
    const run = newRun(user as UserId);
    const began = performance.now();
    await store.transaction((tx) => createRun(tx, run, limits));
    await realEnv.sleep(30 + Math.random() * 30);
    while (!startedAt.has(run.id)) await realEnv.sleep(1);
    times.push((startedAt.get(run.id) ?? 0) - began);
  }
  await worker.close(5_000);
  return figuresOf(times);
}

async function makeUsers(db: Database, count: number): Promise<readonly UserId[]> {
  const ids = Array.from({ length: count }, () => realEnv.newId() as UserId);
  await sql`insert into auth_users (id, name, email) select id, 'Bench', id || '@example.test' from unnest(${ids}::uuid[]) as u (id)`.execute(
    db.system,
  );
  return ids;
}

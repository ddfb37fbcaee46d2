// Runs on a real database with the real queue: create, command, work with a scripted engine, look.

import { sql } from "kysely";
import { afterAll } from "vitest";
import type { Tx } from "../../src/db/database.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import type { Answered } from "../../src/domain/run/commands.ts";
import { type BreakerLimits, defaultBreakers } from "../../src/domain/run/gate/breakers.ts";
import type { Run, RunId } from "../../src/domain/run/run.ts";
import { iterationHandler } from "../../src/loop/iteration-handler.ts";
import type { LoopDeps } from "../../src/loop/run-iteration-job.ts";
import { startWorker } from "../../src/loop/worker.ts";
import { realEnv } from "../../src/main/env.ts";
import { openJobQueue, type PgBossQueue } from "../../src/queue/pg-boss-queue.ts";
import { type Commanded, commandRun } from "../../src/runs/command-run.ts";
import { createRun } from "../../src/runs/create-run.ts";
import { loopStore } from "../../src/runs/loop-store.ts";
import type { Engine, Prover } from "../../src/runs/ports/engine.ts";
import type { RunStore } from "../../src/runs/ports/run-store.ts";
import { runStore } from "../../src/store/run/run-store.ts";
import { makeRun } from "./make-run.ts";
import { patienceMs } from "./patience.ts";
import { scriptedProver } from "./scripted-engine.ts";
import { type StoreWorld, storeWorld } from "./store-world.ts";

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export type RunWorld = StoreWorld & {
  readonly store: RunStore<Tx>;
  readonly queue: PgBossQueue;
  readonly create: (userId: UserId, over?: Partial<Run>) => Promise<Run>;
  readonly command: (run: Run, command: (run: Run) => Answered) => Promise<Commanded>;
  readonly find: (runId: RunId) => Promise<Run>;
  readonly events: (runId: RunId) => Promise<readonly { seq: number; type: string }[]>;
  /** A worker of one's own; closed for you. */
  readonly work: (engine: Engine<Tx>, over?: Partial<WorkOptions>) => { close: (graceMs?: number) => Promise<void> };
  readonly deps: (engine: Engine<Tx>, over?: Partial<WorkOptions>) => LoopDeps<Tx>;
  /** Waits until the run has this status. */
  readonly until: (runId: RunId, ...statuses: readonly Run["state"]["status"][]) => Promise<Run>;
};

export type WorkOptions = {
  readonly prover: Prover<Tx>;
  readonly concurrency: number;
  readonly maxConcurrentRuns: number;
  readonly breakers: BreakerLimits;
};

export async function runWorld(maxConcurrentRuns = 3): Promise<RunWorld> {
  const world = await storeWorld();
  const { db } = world;
  const queue = await openJobQueue(db, () => {});
  const store: RunStore<Tx> = runStore(db, queue, () => {});
  const limits = { maxConcurrentRuns };
  const open: { close: (graceMs: number) => Promise<void> }[] = [];
  afterAll(async () => {
    for (const worker of open) await worker.close(0);
    await queue.close();
  });
  const find = async (runId: RunId) => {
    const locked = await store.transaction((tx) => tx.lockRun(runId));
    if (locked === null) throw new Error(`no run ${runId}`);
    return locked.run;
  };
  const deps: RunWorld["deps"] = (engine, over = {}) => ({
    runs: loopStore(store, {
      workerName: "test",
      breakers: over.breakers ?? defaultBreakers,
      limits: { maxConcurrentRuns: over.maxConcurrentRuns ?? maxConcurrentRuns },
    }),
    engineFor: () => ({ engine, prover: over.prover ?? scriptedProver(), workFolder: null }),
    newId: realEnv.newId,
    now: realEnv.now,
  });
  /** Without a lock: whoever waits looks often, and must not hold up the worker it waits for. */
  const findStatus = async (runId: RunId) =>
    (
      await sql<{ status: Run["state"]["status"] }>`select status from homework_runs where id = ${runId}`.execute(
        db.system,
      )
    ).rows[0]?.status;
  return {
    ...world,
    store,
    queue,
    find,
    deps,
    create: (userId, over = {}) => store.transaction((tx) => createRun(tx, newRun(userId, over), limits)),
    command: (run, command) => store.transaction((tx) => commandRun(tx, run.userId, run.id, command, limits)),
    events: async (runId) => {
      const { rows } = await sql<{ seq: string; type: string }>`
        select seq, type from homework_run_events where run_id = ${runId} order by seq`.execute(db.system);
      return rows.map(({ seq, type }) => ({ seq: Number(seq), type }));
    },
    work: (engine, over = {}) => {
      const concurrency = over.concurrency ?? 4;
      const iteration = iterationHandler({ ...deps(engine, over), db, concurrency, logger: silent });
      const worker = startWorker({ db, queue, handlers: { iteration }, env: realEnv, logger: silent });
      open.push(worker);
      return { close: (graceMs = 5_000) => worker.close(graceMs) };
    },
    until: async (runId, ...statuses) => {
      for (const end = realEnv.now() + patienceMs; realEnv.now() < end; ) {
        const status = await findStatus(runId);
        if (status !== undefined && statuses.includes(status)) return find(runId);
        await realEnv.sleep(25);
      }
      throw new Error(
        `the run did not become ${statuses.join(" or ")}; it is ${JSON.stringify((await find(runId)).state)}`,
      );
    },
  };
}

export function newRun(userId: UserId, over: Partial<Run> = {}): Run {
  return {
    ...makeRun(),
    id: realEnv.newId() as RunId,
    userId,
    fence: 0,
    state: { status: "queued", iteration: 1, hasSlot: false },
    ...over,
  };
}

// A worker for runs, put together from the settings: queue, store, engine, limits. `serve` has one inside, `worker` is one.

import { hostname } from "node:os";
import type { Database, Tx } from "../db/database.ts";
import { startNotifier } from "../db/notifier.ts";
import type { BreakerLimits } from "../domain/run/breakers.ts";
import { storeProver } from "../engine/prove.ts";
import { rehearsalEngine } from "../engine/rehearsal-engine.ts";
import type { Logger } from "../lib/logger.ts";
import { startWorker } from "../loop/worker.ts";
import type { JobQueue } from "../queue/job-queue.ts";
import type { Engine, Prover } from "../runs/engine-port.ts";
import { runStore } from "../store/run-store.ts";
import { changesChannel } from "../store/topics.ts";
import type { Config } from "./config-schema.ts";
import { realEnv } from "./env.ts";

export type RunWorkerOptions = {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly config: Config;
  readonly logger: Logger;
  /** Instead of the usual ones. */
  readonly engines?: Engines | undefined;
};

export type Engines = { readonly engine: Engine<Tx>; readonly prover: Prover<Tx> };

export type RunWorker = { readonly close: () => Promise<void> };

/** What is in flight when the process is told to stop gets this long; then it is given back. Ten seconds are promised. */
const graceMs = 6_000;

export function startRunWorker({ db, queue, config, logger, engines }: RunWorkerOptions): RunWorker {
  const viewers = startNotifier(db, changesChannel, realEnv);
  const worker = startWorker({
    db,
    queue,
    store: runStore(db, queue, viewers.tell),
    engine: engines?.engine ?? rehearsalEngine(realEnv.newId),
    prover: engines?.prover ?? storeProver(db),
    newId: realEnv.newId,
    workerName: `${hostname()}:${process.pid}`,
    breakers: breakersOf(config),
    limits: { maxConcurrentRuns: config.max_concurrent_runs_per_user },
    concurrency: config.worker_concurrency,
    env: realEnv,
    logger,
  });
  return {
    close: async () => {
      await worker.close(graceMs);
      await viewers.close();
    },
  };
}

function breakersOf(config: Config): BreakerLimits {
  return {
    noProgress: config.breaker_no_progress,
    sameAction: config.breaker_same_action,
    backAndForth: config.breaker_back_and_forth,
    sameError: config.breaker_same_error,
    toolMisses: config.breaker_tool_missing,
    rejectedClaims: config.breaker_rejected_claims,
  };
}

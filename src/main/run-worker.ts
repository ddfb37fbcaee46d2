// A worker for runs, put together from the settings: queue, store, engine, limits. `serve` has one inside, `worker` is one.

import { hostname } from "node:os";
import type { Database } from "../db/database.ts";
import { startNotifier } from "../db/notifier.ts";
import { assert } from "../lib/assert.ts";
import type { Logger } from "../lib/logger.ts";
import { startWorker } from "../loop/worker.ts";
import type { JobQueue } from "../queue/job-queue.ts";
import { loopStore } from "../runs/loop-store.ts";
import { runStore } from "../store/run-store.ts";
import { changesChannel } from "../store/topics.ts";
import { breakersOf } from "./breaker-limits.ts";
import type { Config } from "./config-schema.ts";
import { realEnv } from "./env.ts";
import { type Engines, openEngines } from "./open-engines.ts";
import { openModels } from "./open-models.ts";

export type RunWorkerOptions = {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly config: Config;
  readonly logger: Logger;
  /** Instead of those the settings name. */
  readonly engines?: Engines | undefined;
};

export type RunWorker = { readonly close: () => Promise<void> };

/** What is in flight when the process is told to stop gets this long; then it is given back. Ten seconds are promised. */
const graceMs = 6_000;

export async function startRunWorker(options: RunWorkerOptions): Promise<RunWorker> {
  const { db, queue, config, logger } = options;
  const own = options.engines ? null : await openOwn(options);
  const engines = options.engines ?? own;
  assert(engines, "they were given or opened");
  const viewers = startNotifier(db, changesChannel, realEnv);
  const worker = startWorker({
    db,
    queue,
    runs: loopStore(runStore(db, queue, viewers.tell), {
      workerName: `${hostname()}:${process.pid}`,
      breakers: breakersOf(config),
      limits: { maxConcurrentRuns: config.max_concurrent_runs_per_user },
    }),
    engineFor: engines.engineFor,
    newId: realEnv.newId,
    now: realEnv.now,
    concurrency: config.worker_concurrency,
    env: realEnv,
    logger,
  });
  return {
    close: async () => {
      await worker.close(graceMs);
      await own?.close();
      await viewers.close();
    },
  };
}

const openOwn = async ({ db, config, logger }: RunWorkerOptions) =>
  openEngines({ db, config, logger, models: await openModels(config, realEnv, logger) });

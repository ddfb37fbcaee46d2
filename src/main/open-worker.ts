// The worker of a process, put together from the settings: it tidies up, and works on runs unless its concurrency is 0. `serve` has
// one inside, `worker` is one.

import { hostname } from "node:os";
import type { Database } from "../db/database.ts";
import { startNotifier } from "../db/notifier.ts";
import type { Logger } from "../lib/logger.ts";
import { housekeepingHandler, planHousekeeping } from "../loop/housekeeping.ts";
import { iterationHandler } from "../loop/iteration-handler.ts";
import { startWorker } from "../loop/worker.ts";
import type { KindHandler } from "../queue/dispatcher.ts";
import type { JobQueue } from "../queue/job-queue.ts";
import { loopStore } from "../runs/loop-store.ts";
import { changesChannel } from "../store/notification/topics.ts";
import { runStore } from "../store/run/run-store.ts";
import { breakersOf, type Config } from "./config-schema.ts";
import { realEnv } from "./env.ts";
import { type Engines, type OpenEngines, openEngines } from "./open-engines.ts";
import { openModels } from "./open-models.ts";

export type WorkerOptions = {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly config: Config;
  readonly logger: Logger;
  /** Instead of those the settings name. */
  readonly engines?: Engines | undefined;
};

export type OpenWorker = { readonly close: () => Promise<void> };

/** What is in flight when the process is told to stop gets this long; then it is given back. Ten seconds are promised. */
const graceMs = 6_000;

export async function openWorker(options: WorkerOptions): Promise<OpenWorker> {
  const { db, queue, config, logger } = options;
  const runs = config.worker_concurrency === 0 ? null : await openRuns(options);
  const schedule = housekeepingHandler({ db, queue, env: realEnv, logger, binDays: config.bin_retention_days });
  const handlers = runs === null ? { schedule } : { schedule, iteration: runs.handler };
  const worker = startWorker({ db, queue, handlers, env: realEnv, logger });
  await planHousekeeping({ db, queue });
  return {
    close: async () => {
      await worker.close(graceMs);
      await runs?.close();
    },
  };
}

type Runs = { readonly handler: KindHandler; readonly close: () => Promise<void> };

async function openRuns(options: WorkerOptions): Promise<Runs> {
  const { db, queue, config, logger } = options;
  const { engineFor, close: closeEngines } = await enginesFor(options);
  const viewers = startNotifier(db, changesChannel, realEnv);
  const handler = iterationHandler({
    db,
    runs: loopStore(runStore(db, queue, viewers.tell), {
      workerName: `${hostname()}:${process.pid}`,
      breakers: breakersOf(config),
      limits: { maxConcurrentRuns: config.max_concurrent_runs_per_user },
    }),
    engineFor,
    newId: realEnv.newId,
    now: realEnv.now,
    concurrency: config.worker_concurrency,
    logger,
  });
  const close = async () => {
    await closeEngines();
    await viewers.close();
  };
  return { handler, close };
}

async function enginesFor({ db, config, logger, engines }: WorkerOptions): Promise<OpenEngines> {
  if (engines) return { ...engines, close: async () => {} };
  return openEngines({ db, config, logger, models: await openModels(config, realEnv, logger) });
}

// `homework worker`: the work that needs no HTTP, on as many machines as you like: iterations of runs, deliveries, tidying up.

import { once } from "node:events";
import type { WorkerOptions } from "../cli/ports.ts";
import { AppError } from "../lib/app-error.ts";
import { openJobQueue } from "../queue/pg-boss-queue.ts";
import { openInstallation } from "./open-database.ts";
import type { Engines } from "./open-engines.ts";
import { openWorker } from "./open-worker.ts";
import { originOf } from "./origin.ts";
import type { ServeInput } from "./serve.ts";

export async function work(
  input: Omit<ServeInput, "settings">,
  options: WorkerOptions,
  engines?: Engines,
): Promise<void> {
  const { config, logger } = input;
  if (config.worker_concurrency === 0)
    throw new AppError("config_invalid", "worker_concurrency is 0: a worker would do nothing. Give it --concurrency");
  const opened = await openInstallation(input);
  const { db } = opened;
  try {
    const queue = await openJobQueue(db, (error) => logger.warn({ error }, "the job queue has trouble"));
    const worker = await openWorker({ db, queue, config, logger, origin: originOf(config, config.port), engines });
    options.onReady({ concurrency: config.worker_concurrency });
    if (!options.signal.aborted) await once(options.signal, "abort");
    await worker.close();
    await queue.close();
  } finally {
    await opened.close();
  }
}

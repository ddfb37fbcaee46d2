// `homework worker`: the work that needs no HTTP, on as many machines as you like. Today that is tidying up.

import type { WorkerOptions } from "../cli/ports.ts";
import { startHousekeeping } from "../loop/housekeeping.ts";
import { realEnv } from "./env.ts";
import { openInstallation } from "./open-database.ts";
import type { ServeInput } from "./serve.ts";

export async function work({ config, logger, say }: ServeInput, options: WorkerOptions): Promise<void> {
  const opened = await openInstallation({ config, logger, say });
  try {
    const housekeeping = startHousekeeping({ db: opened.db, env: realEnv, logger, binDays: config.bin_retention_days });
    options.onReady({ concurrency: config.worker_concurrency });
    if (!options.signal.aborted)
      await new Promise<void>((resolve) => options.signal.addEventListener("abort", () => resolve(), { once: true }));
    await housekeeping.close();
  } finally {
    await opened.close();
  }
}

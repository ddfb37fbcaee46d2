// A worker: takes jobs of the kinds it has handlers for, and hears from other processes of new jobs and of those to let go of. Any
// number of processes may run one.

import type { Database } from "../db/database.ts";
import { startListener } from "../db/listener.ts";
import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";
import { Dispatcher, type Handlers } from "../queue/dispatcher.ts";
import { jobsChannel, readNotice } from "../queue/job-notice.ts";
import type { WorkQueue } from "../queue/job-queue.ts";

export type WorkerOptions = {
  readonly db: Database;
  readonly queue: WorkQueue;
  readonly handlers: Handlers;
  readonly env: Env;
  readonly logger: Logger;
};

export type Worker = { readonly close: (graceMs: number) => Promise<void> };

export function startWorker({ db, queue, handlers, env, logger }: WorkerOptions): Worker {
  const dispatcher = new Dispatcher({ queue, handlers, env, logger });
  const listener = startListener({
    config: db.clientConfig,
    channel: jobsChannel,
    onPayload: (payload) => {
      const notice = readNotice(payload);
      if (notice !== null) dispatcher.notice(notice);
    },
    onConnected: () => dispatcher.wake(),
    env,
    logger,
  });
  return {
    close: async (graceMs) => {
      await dispatcher.close(graceMs);
      await listener.close();
    },
  };
}

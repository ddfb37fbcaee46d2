// A worker: takes jobs of the kinds it has handlers for, and hears from other processes of new jobs and of those to let go of. Any
// number of processes may run one.

import type { Database } from "../db/database.ts";
import { startListener } from "../db/listener.ts";
import { Dispatcher, type DispatcherOptions } from "../queue/dispatcher.ts";
import { jobsChannel, readNotice } from "../queue/job-notice.ts";

export type WorkerOptions = DispatcherOptions & { readonly db: Database };

export type Worker = { readonly close: (graceMs: number) => Promise<void> };

export function startWorker({ db, ...options }: WorkerOptions): Worker {
  const { env, logger } = options;
  const dispatcher = new Dispatcher(options);
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

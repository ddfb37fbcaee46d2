// The job of hearing Telegram: one for all processes, so that one of them at a time asks for updates. It is given up every few minutes
// and planned again in the same transaction; a process that dies over it is replaced within seconds.

import type { Database } from "../db/database.ts";
import type { Env } from "../lib/env.ts";
import type { BotFailure } from "../notify/telegram/bot-api.ts";
import { hearUpdates, introduceBot, type ListenDeps, type UpdateFailures } from "../notify/telegram/listen.ts";
import type { KindHandler } from "../queue/dispatcher.ts";
import type { JobQueue, NewJob } from "../queue/job-queue.ts";

export type TelegramHandlerDeps = ListenDeps & {
  readonly queue: Pick<JobQueue, "enqueue" | "complete">;
  readonly env: Env;
};

/** Below what the queue gives a job (migration 0034). */
const roundMs = 4 * 60_000;
/** After a failure: the first wait and the longest; each is twice the one before. */
const retryMs = 2_000;
const retryMaxMs = 60_000;

const listenAt = (notBeforeMs: number | null): NewJob => ({
  kind: "telegram",
  key: "telegram:listen",
  data: {},
  notBeforeMs,
  isNews: notBeforeMs === null,
});

/** When a process starts that has a bot; nothing happens where another one listens already. */
export async function planListening(db: Database, queue: Pick<JobQueue, "enqueue">): Promise<void> {
  await db.asSystem((tx) => queue.enqueue(tx, listenAt(null)));
}

export function telegramHandler(deps: TelegramHandlerDeps): KindHandler {
  const { db, queue, env, logger } = deps;
  const failures: UpdateFailures = new Map();
  let failed = 0;
  return {
    concurrency: 1,
    isWaiting: true,
    handle: async (job, signal) => {
      const failure = await listen(deps, failures, signal);
      failed = failure === null ? 0 : failed + 1;
      if (failure !== null) logger.warn({ why: failure.why }, "Telegram cannot be heard; trying again");
      const waitMs = failure === null ? null : waitAfter(failure, failed);
      await db.asSystem(async (tx) => {
        if (await queue.complete(tx, job))
          await queue.enqueue(tx, listenAt(waitMs === null ? null : env.now() + waitMs));
      });
    },
  };
}

const waitAfter = ({ afterMs }: BotFailure, failed: number): number =>
  Math.max(afterMs ?? 0, Math.min(retryMaxMs, retryMs * 2 ** Math.min(failed - 1, 10)));

async function listen(
  deps: TelegramHandlerDeps,
  failures: UpdateFailures,
  signal: AbortSignal,
): Promise<BotFailure | null> {
  const { env } = deps;
  const until = env.now() + roundMs;
  const unknown = await introduceBot(deps, signal);
  if (unknown !== null) return unknown;
  while (env.now() < until) {
    const failure = await hearUpdates(deps, failures, signal);
    if (failure !== null) return failure;
  }
  return null;
}

// The worker of a process, put together from the settings: it tidies up, serves channels, and works on runs and outcomes unless its
// concurrency is 0. `serve` has one inside, `worker` is one.

import { hostname } from "node:os";
import type { Database } from "../db/database.ts";
import { startNotifier } from "../db/notifier.ts";
import type { Logger } from "../lib/logger.ts";
import type { Models } from "../llm/model.ts";
import { answerableEscalations } from "../loop/answer-escalation.ts";
import { answerableRuns } from "../loop/answer-run-question.ts";
import { deliverHandler } from "../loop/deliver-handler.ts";
import { homrHandler } from "../loop/homr-handler.ts";
import { housekeepingHandler, planHousekeeping } from "../loop/housekeeping.ts";
import { iterationHandler } from "../loop/iteration-handler.ts";
import { planListening, telegramHandler } from "../loop/telegram-handler.ts";
import { startWorker } from "../loop/worker.ts";
import type { Handlers } from "../queue/dispatcher.ts";
import type { JobQueue } from "../queue/job-queue.ts";
import { loopStore } from "../runs/loop-store.ts";
import { homrJournalStore } from "../store/journal/homr-journal-store.ts";
import { changesChannel } from "../store/notification/topics.ts";
import { outcomeStore } from "../store/outcome/outcome-store.ts";
import { readLiveness } from "../store/outcome/read-liveness.ts";
import { readReviewWork } from "../store/outcome/read-review-work.ts";
import { readWork } from "../store/outcome/read-work.ts";
import { runStore } from "../store/run/run-store.ts";
import { breakersOf, type Config } from "./config-schema.ts";
import { realEnv } from "./env.ts";
import { createModelsSource, type ModelsSource } from "./models-source.ts";
import { openChannels } from "./open-channels.ts";
import { type Engines, type OpenEngines, openEngines } from "./open-engines.ts";

export type WorkerOptions = {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly config: Config;
  readonly logger: Logger;
  /** Where people reach the installation, for links. */
  readonly origin: string;
  /** Instead of those the settings name. Without models of its own it leaves outcomes to other processes. */
  readonly engines?: (Engines & { readonly models?: Models }) | undefined;
  /** The models of this process, where others in it ask them, too. */
  readonly source?: ModelsSource;
};

export type OpenWorker = { readonly close: () => Promise<void> };

/** What is in flight when the process is told to stop gets this long; then it is given back. Ten seconds are promised. */
const graceMs = 6_000;

export async function openWorker(options: WorkerOptions): Promise<OpenWorker> {
  const { db, queue, config, logger } = options;
  const runs = config.worker_concurrency === 0 ? null : await openRuns(options);
  const schedule = housekeepingHandler({ db, queue, env: realEnv, logger, binDays: config.bin_retention_days });
  const channels = channelHandlers(options);
  const handlers = { schedule, ...channels, ...runs?.handlers };
  const worker = startWorker({ db, queue, handlers, env: realEnv, logger });
  await planHousekeeping({ db, queue });
  if (channels.telegram !== undefined) await planListening(db, queue);
  return {
    close: async () => {
      await worker.close(graceMs);
      await runs?.close();
    },
  };
}

/** Telegram holds a question for updates open this long; longer ones are cut by proxies. */
const pollSeconds = 25;

function channelHandlers({ db, queue, config, logger, origin }: WorkerOptions): Handlers {
  const { bot, senders } = openChannels(config, origin);
  const limits = limitsOf(config);
  const escalation = answerableEscalations({ jobs: queue, limits, env: realEnv });
  const answerables = { run: answerableRuns(queue, limits), escalation };
  const deliver = deliverHandler({ db, queue, senders, answerables, env: realEnv, logger });
  if (bot === null) return { deliver };
  const { newId } = realEnv;
  return {
    deliver,
    telegram: telegramHandler({ db, queue, bot, answerables, newId, pollSeconds, env: realEnv, logger }),
  };
}

type Runs = { readonly handlers: Handlers; readonly close: () => Promise<void> };

async function openRuns(options: WorkerOptions): Promise<Runs> {
  const { db, queue, config, logger } = options;
  const { engineFor, models, close: closeEngines } = await enginesFor(options);
  const viewers = startNotifier(db, changesChannel, realEnv);
  const iteration = iterationHandler({
    db,
    runs: loopStore(runStore(db, queue, viewers.tell), {
      workerName: `${hostname()}:${process.pid}`,
      breakers: breakersOf(config),
      limits: limitsOf(config),
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
  return { handlers: models === null ? { iteration } : { iteration, homr: homrFor(options, models) }, close };
}

const limitsOf = (config: Config) => ({ maxConcurrentRuns: config.max_concurrent_runs_per_user });

const homrFor = ({ db, queue, config, logger }: WorkerOptions, models: Models) =>
  homrHandler({
    outcomes: outcomeStore(db, queue),
    journal: homrJournalStore(db),
    readWork: (userId, runId) => db.asUser({ userId }, (tx) => readWork(tx, runId)),
    readReviewWork: (userId, outcomeId) => db.asUser({ userId }, (tx) => readReviewWork(tx, outcomeId)),
    readLiveness: (id) => db.asSystem((tx) => readLiveness(tx, id)),
    models,
    env: realEnv,
    limits: limitsOf(config),
    logger,
  });

async function enginesFor({
  db,
  config,
  logger,
  engines,
  source = createModelsSource({ config, logger }),
}: WorkerOptions): Promise<OpenEngines & { readonly models: Models | null }> {
  if (engines) return { ...engines, models: engines.models ?? null, close: async () => {} };
  const models = await source.open();
  return { ...(await openEngines({ db, config, logger, models })), models };
}

// A worker: takes jobs from the queue, runs iterations, gives signs of life for its claims, and lets go of what someone took
// away. Any number of processes may run one.

import { z } from "zod";
import type { Database } from "../db/database.ts";
import { startListener } from "../db/listener.ts";
import type { RunId } from "../domain/run/run.ts";
import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";
import { Dispatcher } from "../queue/dispatcher.ts";
import { type JobQueue, type JobRef, jobsChannel, type QueuedJob } from "../queue/job-queue.ts";
import type { Claim, IterationJob } from "../runs/ports/run-store.ts";
import { letGo, seeClaims } from "../store/run-claim-store.ts";
import { type LoopDeps, runIterationJob } from "./run-iteration-job.ts";

export type WorkerDeps<Writes> = LoopDeps<Writes> & {
  readonly db: Database;
  readonly queue: JobQueue;
  readonly concurrency: number;
  readonly env: Env;
  readonly logger: Logger;
};

/** Nothing beside the work of an iteration, and one question to the queue brings more jobs. */
const gatherMs = 6;

const jobData = z.object({ run_id: z.string(), iteration: z.number().int() });

export function startWorker<Writes>(deps: WorkerDeps<Writes>): { readonly close: (graceMs: number) => Promise<void> } {
  const { db, queue, concurrency, env, logger } = deps;
  /** By delivery: the same job may come twice. */
  const claims = new Map<JobRef, Claim>();

  const dispatcher = new Dispatcher({
    queue,
    concurrency,
    gatherMs,
    env,
    logger,
    handle: async (job, signal) => {
      const onTaken: LoopDeps<Writes>["onTaken"] = ({ claim }) => claims.set(job, claim);
      try {
        const ended = await runIterationJob({ ...deps, onTaken }, toIterationJob(job), signal);
        if (ended === "lost") logger.debug({ job: job.id }, "a run was taken away from this worker");
        if (ended === "aborted") throw signal.reason; // The job is given back.
      } catch (thrown) {
        const claim = claims.get(job);
        if (claim && signal.aborted) await letGo(db, claim);
        throw thrown;
      } finally {
        claims.delete(job);
      }
    },
    onBeat: (jobs) => seeClaims(db, ofJobs(claims, jobs)),
  });
  const listener = startListener({
    config: db.clientConfig,
    channel: jobsChannel,
    onPayload: (jobId) => (jobId === "" ? dispatcher.wake() : dispatcher.abort(jobId)),
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

function toIterationJob({ id, attempt, data }: QueuedJob): IterationJob {
  const { run_id: runId, iteration } = jobData.parse(data);
  return { id, attempt, runId: runId as RunId, iteration };
}

const ofJobs = (claims: ReadonlyMap<JobRef, Claim>, jobs: readonly JobRef[]): readonly Claim[] =>
  jobs.flatMap((job) => claims.get(job) ?? []);

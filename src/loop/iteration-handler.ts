// The handler of iteration jobs: runs the iteration, gives signs of life for the leases of this process, and lets go of a run
// when the process stops.

import { z } from "zod";
import type { Database } from "../db/database.ts";
import type { RunId } from "../domain/run/run.ts";
import type { Logger } from "../lib/logger.ts";
import type { KindHandler } from "../queue/dispatcher.ts";
import type { JobRef, QueuedJob } from "../queue/job-queue.ts";
import type { IterationJob, Lease } from "../runs/ports/run-store.ts";
import { keepLeases, letGo } from "../store/run/lease-store.ts";
import { type LoopDeps, runIterationJob } from "./run-iteration-job.ts";

export type IterationHandlerDeps<Writes> = LoopDeps<Writes> & {
  readonly db: Database;
  readonly concurrency: number;
  readonly logger: Logger;
};

/** Little beside the work of an iteration, and one question to the queue brings more jobs. */
const gatherMs = 6;

const jobData = z.object({ run_id: z.string(), iteration: z.number().int() });

export function iterationHandler<Writes>(deps: IterationHandlerDeps<Writes>): KindHandler {
  const { db, concurrency, logger } = deps;
  /** By delivery: the same job may come twice. */
  const leases = new Map<JobRef, Lease>();
  return {
    concurrency,
    gatherMs,
    handle: async (job, signal) => {
      const onTaken: LoopDeps<Writes>["onTaken"] = ({ lease }) => leases.set(job, lease);
      try {
        const ended = await runIterationJob({ ...deps, onTaken }, toIterationJob(job), signal);
        if (ended === "lost") logger.debug({ job: job.id }, "a run was taken away from this worker");
        if (ended === "aborted") throw signal.reason; // The job is given back.
      } catch (thrown) {
        const lease = leases.get(job);
        if (lease && signal.aborted) await letGo(db, lease);
        throw thrown;
      } finally {
        leases.delete(job);
      }
    },
    onBeat: (jobs) =>
      keepLeases(
        db,
        jobs.flatMap((job) => leases.get(job) ?? []),
      ),
  };
}

function toIterationJob({ id, attempt, data }: QueuedJob): IterationJob {
  const { run_id: runId, iteration } = jobData.parse(data);
  return { id, attempt, runId: runId as RunId, iteration };
}

// The handler of HOMЯ's jobs: runs the turn, and gives the job back where it was interrupted.

import type { HomrDeps } from "../homr/homr-deps.ts";
import { runHomrJob } from "../homr/run-turn.ts";
import type { KindHandler } from "../queue/dispatcher.ts";
import { toHomrJob } from "../store/outcome/homr-jobs.ts";

/** Most of a turn is waiting for a model. */
const concurrency = 4;

export function homrHandler<Writes>(deps: HomrDeps<Writes>): KindHandler {
  return {
    concurrency,
    handle: async (job, signal) => {
      const ended = await runHomrJob(deps, toHomrJob(job), signal);
      if (ended === "lost") deps.logger.debug({ job: job.id }, "a turn of HOMЯ was taken away from this worker");
      if (ended === "aborted") throw signal.reason; // The job is given back.
    },
  };
}

// An agent run as something in the outside world that an iteration starts once and every later attempt adopts.

import type { EffectResult, LastingEffect } from "../../runs/ports/engine.ts";
import type { JobHandle, JobRequest, JobResult, StartDeps } from "./job.ts";
import { locateJob, takeResult } from "./job-files.ts";
import { findJob, startJob } from "./start-job.ts";
import { stopJob } from "./stop-job.ts";
import { waitForJob } from "./wait-for-job.ts";

export type AgentEffectOptions = {
  /** Who stops it, and why, where the journal lets go of it for good. */
  readonly stop: { readonly by: string; readonly reason: string };
};

/** The result is counted under the key: another key that adopts the same run gets `uncertain`. */
export function agentEffect(
  deps: StartDeps,
  request: Omit<JobRequest, "key">,
  options: AgentEffectOptions,
): LastingEffect<JobHandle & { readonly key: string }, JobResult> {
  const { task } = request;
  return {
    start: async (key) => ({ ...(await startJob(deps, { ...request, key })), key }),
    find: async (key) => {
      const handle = await findJob(deps, { task, key });
      return handle && { ...handle, key };
    },
    adopt: async (handle, signal): Promise<EffectResult<JobResult>> => {
      const result = await waitForJob(deps, handle, { signal });
      const isOurs = await takeResult(deps.root, locateJob(deps.root, handle), handle.key);
      return isOurs ? { kind: "done", result } : { kind: "uncertain" };
    },
    stop: async (handle) => {
      await stopJob(deps, locateJob(deps.root, handle), options.stop);
    },
  };
}

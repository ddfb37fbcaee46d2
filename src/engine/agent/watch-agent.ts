// An agent that works for a run, watched while it does: it is ended where the file guard finds something that needs the user's word, and
// where it waits for an answer that only the user can give. Both become questions of the run.

import { type GuardFinding, guardFiles } from "../../domain/agent/file-guard.ts";
import { openBus } from "../../runner/bus/bus.ts";
import { isWaitingFor } from "../../runner/bus/questions.ts";
import { tailBus } from "../../runner/bus/read-bus.ts";
import type { JobHandle, JobResult } from "../../runner/job/job.ts";
import { locateJob } from "../../runner/job/job-files.ts";
import { stopJob } from "../../runner/job/stop-job.ts";
import type { StopRequest } from "../../runner/layout/run-info.ts";
import type { AgentHooks } from "../../runner/task/agent-work.ts";
import { findLinksOut, listChanges } from "../../runner/work/work-folder.ts";
import type { AgentDeps } from "./agent-deps.ts";
import type { AgentPlace } from "./agent-place.ts";

export type Watching = {
  readonly deps: AgentDeps;
  readonly place: AgentPlace;
  /** Allowed by the user, these questions of the guard included that were just answered. */
  readonly allowed: readonly string[];
  /** Told who ended the agent, where it was not the platform. */
  readonly onStopped: (stop: StopRequest) => void;
};

const platform = "homework";
const lookBack = 200;
/** A look at a large repository takes its time; the machine is for the agent. */
const restFactor = 10;

export function watchAgents(watching: Watching): AgentHooks {
  const { root } = watching.deps.jobs;
  return {
    // That host is gone, or the place would not have been opened here.
    isInReach: ({ host }) => host === root.host,
    watch: (job, signal) => watchJob(watching, job, signal),
    judgeEnd: (job) => judgeEnd(job, watching),
  };
}

/** What the platform itself ended is no failure of the agent, and what a person ended is told as a question, not obeyed in silence. */
function judgeEnd(job: JobResult, { onStopped }: Watching): JobResult {
  const { stop } = job;
  if (stop === null) return job;
  if (stop.by === platform) return { ...job, stop: null, verdict: { kind: "ok" } };
  onStopped(stop);
  return { ...job, stop: null };
}

/** Never rejects: a look that fails is made again. */
async function watchJob(watching: Watching, handle: JobHandle, signal: AbortSignal): Promise<void> {
  const { deps } = watching;
  const { env } = deps;
  let waitingSinceMs: number | null = null;
  let restMs = deps.times.watchEveryMs;
  while (!signal.aborted) {
    await env.sleep(restMs, signal).catch(() => {});
    if (signal.aborted) return;
    const beganMs = env.now();
    try {
      const isWaiting = hasQuestion(watching, handle);
      waitingSinceMs = isWaiting ? (waitingSinceMs ?? env.now()) : null;
      if (waitingSinceMs !== null && env.now() - waitingSinceMs >= deps.times.questionGraceMs)
        return await end(watching, handle, "it waits for an answer of the run's user");
    } catch {
      // The agent may be writing its messages just now.
    }
    try {
      const findings = await findBreaches(watching);
      if (findings.length > 0) return await end(watching, handle, "the file guard needs the word of the run's user");
    } catch {
      // The agent may be moving files about just now.
    }
    restMs = Math.max(deps.times.watchEveryMs, (env.now() - beganMs) * restFactor);
  }
}

async function findBreaches({ place: { work }, allowed }: Watching): Promise<readonly GuardFinding[]> {
  const changes = await listChanges(work);
  return guardFiles(changes, findLinksOut(work, changes), allowed);
}

function hasQuestion({ deps: { jobs }, place: { task } }: Watching, { run_id: runId }: JobHandle): boolean {
  return isWaitingFor(tailBus(openBus(jobs.root, task), lookBack).entries, runId);
}

async function end({ deps: { jobs } }: Watching, handle: JobHandle, reason: string): Promise<void> {
  await stopJob(jobs, locateJob(jobs.root, handle), { by: platform, reason });
}

// Waiting for a run that this process or another one has started. Its shim is waited for; nothing is ever started here.

import { AppError } from "../../lib/app-error.ts";
import type { Env } from "../../lib/env.ts";
import type { RunFolder } from "../layout/runner-root.ts";
import type { JobDeps, JobHandle, JobResult } from "./job.ts";
import { locateJob } from "./job-files.ts";
import { settleJob } from "./settle-job.ts";
import { watchRecord } from "./watch-record.ts";

const firstPollMs = 20;
const slowestPollMs = 250;

export type WaitOptions = { readonly signal?: AbortSignal; readonly slowestMs?: number };

/** Rejects once the signal is aborted; the run goes on. */
export async function waitForJob(deps: JobDeps, handle: JobHandle, options: WaitOptions = {}): Promise<JobResult> {
  const { env } = deps.root;
  const { signal, slowestMs = slowestPollMs } = options;
  const record = watchRecord(locateJob(deps.root, handle));
  try {
    for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 1.3, slowestMs)) {
      signal?.throwIfAborted();
      const changed = record.next();
      const run = locateJob(deps.root, handle);
      const settled = await settleJob(deps, run, handle.shim);
      if (settled.kind === "ended") return settled.result;
      if (settled.kind === "elsewhere" || handle.host !== deps.root.host) throw elsewhere(handle);
      if (settled.kind === "unknown") throw new AppError("not_found", settled.why);
      await sleepUnless(env, pollMs, changed, signal);
    }
  } finally {
    record.close();
  }
}

/** A change ends the sleep; only the caller's signal rejects. */
async function sleepUnless(env: Env, ms: number, changed: AbortSignal, signal: AbortSignal | undefined): Promise<void> {
  try {
    await env.sleep(ms, signal === undefined ? changed : AbortSignal.any([changed, signal]));
  } catch (thrown) {
    if (!changed.aborted || signal?.aborted) throw thrown;
  }
}

const elsewhere = ({ run_id: id, host }: JobHandle): AppError =>
  new AppError("wrong_status", `Run ${id} belongs to ${host}. Only that host can wait for it.`);

/** The handle of a run by its folder, for those who have not started it. Null: it was never started, or has no living shim. */
export async function findHandle(deps: JobDeps, run: RunFolder): Promise<JobHandle | null> {
  const settled = await settleJob(deps, run);
  return settled.kind === "running" && settled.shim !== null ? makeHandle(deps, run, settled.shim) : null;
}

export const makeHandle = ({ root }: JobDeps, run: RunFolder, shim: JobHandle["shim"]): JobHandle => ({
  project_id: run.task.projectId,
  task_id: run.task.taskId,
  run_id: run.runId,
  host: root.host,
  shim,
});

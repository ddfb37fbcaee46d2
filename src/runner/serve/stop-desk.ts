// Stops a task or a run from a page: the request is on the disk before the answer goes out; ending the processes may take the grace of
// each run, and goes on after it. A server that is killed meanwhile leaves the request, which the runs' own shims obey.

import type { Logger } from "../../lib/logger.ts";
import type { JobDeps } from "../job/job.ts";
import { stopJob } from "../job/stop-job.ts";
import type { TaskFolder } from "../layout/runner-root.ts";
import { requestStop } from "../layout/task-files.ts";
import type { RunView } from "../overview/task-view.ts";
import { endChecks } from "../task/check-processes.ts";
import { stopTaskRun } from "../task/task-run.ts";

type StopDeps = JobDeps & { readonly logger: Logger; readonly actor: string };

/** `task` null: only these runs, and the task may start another. Returns the ids of the runs that are being stopped. */
export async function stopRuns(
  deps: StopDeps,
  task: TaskFolder | null,
  runs: readonly RunView[],
  reason: string,
): Promise<readonly string[]> {
  const { root, table, logger, actor: by } = deps;
  const active = runs.filter(({ isActive }) => isActive).map(({ folder }) => folder);
  // The run of its loop is paused first: a check that is ended below then counts for nothing.
  if (task !== null) await stopTaskRun(root, task, by, reason);
  for (const run of active) requestStop(root, run, by, reason);
  if (task !== null)
    void endChecks({ root, table }, task).catch((error: unknown) =>
      logger.warn({ error, task: task.taskId }, "the checks of a task could not be ended"),
    );
  for (const run of active)
    void stopJob({ root, table }, run, { by, reason }).catch((error: unknown) =>
      logger.warn({ error, run: run.runId }, "a run could not be stopped"),
    );
  return active.map(({ runId }) => runId);
}

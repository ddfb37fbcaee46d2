// Stops a task or a run from a page: the request is on the disk before the answer goes out; ending the processes may take the grace of
// each run, and goes on after it. A server that is killed meanwhile leaves the request, which the runs' own shims obey.

import type { Logger } from "../../lib/logger.ts";
import type { JobDeps } from "../job/job.ts";
import type { RunFolder, TaskFolder } from "../layout/runner-root.ts";
import { requestStop } from "../layout/task-files.ts";
import { stopRun, stopTask } from "../task/stop-task.ts";
import { stopTaskRun } from "../task/task-run.ts";

type StopDeps = JobDeps & { readonly logger: Logger; readonly actor: string };

/** Answers with the runs that are being stopped, also those of other tasks below it. */
export async function stopWholeTask(deps: StopDeps, task: TaskFolder, reason: string): Promise<readonly string[]> {
  const { root, logger, actor: by } = deps;
  // The run of its loop is paused first: a check that is ended below then counts for nothing.
  const { runs, end } = await stopTask(deps, task, { by, reason }, () => stopTaskRun(root, task, by, reason));
  for (const run of runs) requestStop(root, run, by, reason);
  void end().catch((error: unknown) => logger.warn({ error, task: task.taskId }, "a task could not be stopped"));
  return runs.map(({ runId }) => runId);
}

/** With all that it has started. The task may start another one. */
export function stopOneRun(deps: StopDeps, run: RunFolder, reason: string): void {
  const { root, logger, actor: by } = deps;
  requestStop(root, run, by, reason);
  void stopRun(deps, run, { by, reason }).catch((error: unknown) =>
    logger.warn({ error, run: run.runId }, "a run could not be stopped"),
  );
}

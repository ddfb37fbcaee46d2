// Stops everything that runs for a task: its own runs and its checks, and below it runs and loops of other tasks. Who stops, from a
// terminal, from a page or as the loop itself, only differs in what is requested first.

import type { JobDeps } from "../job/job.ts";
import { stopJob } from "../job/stop-job.ts";
import { readRunInfo } from "../layout/run-info.ts";
import { listRuns, type RunFolder, type TaskFolder } from "../layout/runner-root.ts";
import { endChecks } from "./check-processes.ts";
import { findChildren } from "./children.ts";
import { stopTaskRun } from "./task-run.ts";

export type Asked = { readonly by: string; readonly reason: string };

export type Stopping = {
  readonly runs: readonly RunFolder[];
  /** Waits until their processes are gone: the grace of each run. */
  readonly end: () => Promise<void>;
};

/** `request` first: from then on no loop starts anything. What runs is looked for before, too, as a loop may be quicker to end it. */
export async function stopTask(
  deps: JobDeps,
  task: TaskFolder,
  { by, reason }: Asked,
  request: () => Promise<void>,
): Promise<Stopping> {
  const before = await findWork(deps, task);
  await request();
  const after = await findWork(deps, task);
  for (const other of after.loops) await stopTaskRun(deps.root, other, by, reason);
  const runs = new Map([...before.runs, ...after.runs].map((run) => [run.path, run]));
  const end = async () => {
    for (const each of [task, ...after.loops]) await endChecks(deps, each);
    await Promise.all([...runs.values()].map((run) => stopJob(deps, run, { by, reason })));
  };
  return { runs: [...runs.values()], end };
}

type Work = { readonly runs: readonly RunFolder[]; readonly loops: readonly TaskFolder[] };

async function findWork(deps: JobDeps, task: TaskFolder): Promise<Work> {
  const own = listRuns(deps.root, task).filter((run) => readRunInfo(deps.root, run).status === "running");
  const children = await findChildren(deps, task);
  return {
    runs: [...own, ...children.flatMap(({ run }) => (run === null ? [] : [run]))],
    loops: children.flatMap((child) => (child.task === null ? [] : [child.task])),
  };
}

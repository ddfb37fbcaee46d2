// Stops everything that runs for a task: its own runs and its checks, and below it runs and loops of other tasks; or one run with what is
// below it. Who stops, from a terminal, from a page or as the loop itself, only differs in what is requested first.

import type { JobDeps } from "../job/job.ts";
import { stopJob } from "../job/stop-job.ts";
import { readRunInfo } from "../layout/run-info.ts";
import { listRuns, type RunFolder, type TaskFolder } from "../layout/runner-root.ts";
import { endChecks } from "./check-processes.ts";
import { findChildren, findChildrenOfRun, type LivingChild } from "./children.ts";
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
  return stopWork(deps, [...before, ...(await findWork(deps, task))], [task], { by, reason });
}

/** Its task may start another one. Answers with all that was stopped, once it is. */
export async function stopRun(deps: JobDeps, run: RunFolder, asked: Asked): Promise<readonly RunFolder[]> {
  await stopJob(deps, run, asked);
  // Only now does nothing more begin below it.
  const { runs, end } = await stopWork(deps, await findChildrenOfRun(deps, run), [], asked);
  await end();
  return [run, ...runs];
}

async function findWork(deps: JobDeps, task: TaskFolder): Promise<readonly LivingChild[]> {
  const own = listRuns(deps.root, task).filter((run) => readRunInfo(deps.root, run).status === "running");
  return [...own.map((run) => ({ name: run.runId, run, task: null })), ...(await findChildren(deps, task))];
}

async function stopWork(
  deps: JobDeps,
  work: readonly LivingChild[],
  own: readonly TaskFolder[],
  { by, reason }: Asked,
): Promise<Stopping> {
  const loops = distinct(work.flatMap(({ task }) => task ?? []));
  const runs = distinct(work.flatMap(({ run }) => run ?? []));
  for (const loop of loops) await stopTaskRun(deps.root, loop, by, reason);
  const end = async () => {
    for (const each of [...own, ...loops]) await endChecks(deps, each);
    await Promise.all(runs.map((run) => stopJob(deps, run, { by, reason })));
  };
  return { runs, end };
}

const distinct = <Folder extends { readonly path: string }>(folders: readonly Folder[]): readonly Folder[] => [
  ...new Map(folders.map((folder) => [folder.path, folder])).values(),
];

// After a restart of the machine's supervisor: every run that says "running" is looked at, and processes of runs of this root that no
// shim waits for are ended, also where the folder of the run is gone.

import path from "node:path";
import { isRunId } from "../layout/ids.ts";
import { readRunInfo } from "../layout/run-info.ts";
import {
  findTask,
  listProjects,
  listRuns,
  listTasks,
  type RunFolder,
  type RunnerRoot,
  type TaskFolder,
} from "../layout/runner-root.ts";
import { endProcesses } from "./end-processes.ts";
import type { JobDeps, JobHandle } from "./job.ts";
import { locateRun, tagOf } from "./job-files.ts";
import { makeFamily } from "./members.ts";
import { settleJob } from "./settle-job.ts";
import { makeHandle } from "./wait-for-job.ts";

export type Reaped = {
  /** Agents that are at work; waiting for these handles adopts them. */
  readonly living: readonly JobHandle[];
  /** Runs whose end was written down now. */
  readonly settled: readonly string[];
  /** Runs of which only processes were left. */
  readonly swept: readonly string[];
};

/** `tasks`: whose records are looked at; left out: all of the root. Stray processes are always looked for in all of it. */
export async function reapOrphans(deps: JobDeps, tasks?: readonly TaskFolder[]): Promise<Reaped> {
  const living: JobHandle[] = [];
  const settled: string[] = [];
  for (const run of listRunning(deps.root, tasks ?? listAll(deps.root))) {
    const now = await settleJob(deps, run);
    if (now.kind === "running" && now.shim !== null) living.push(makeHandle(deps, run, now.shim));
    if (now.kind === "ended") settled.push(run.runId);
  }
  return { living, settled, swept: await sweepStrays(deps) };
}

const listAll = (root: RunnerRoot): readonly TaskFolder[] =>
  listProjects(root).flatMap((project) => listTasks(root, project));

function listRunning(root: RunnerRoot, tasks: readonly TaskFolder[]): readonly RunFolder[] {
  return tasks.flatMap((task) => listRuns(root, task)).filter((run) => readRunInfo(root, run).status === "running");
}

async function sweepStrays(deps: JobDeps): Promise<readonly string[]> {
  const { root, table } = deps;
  const rows = table();
  const guarded = new Set(rows.map(({ marks }) => marks.shim));
  const folders = new Set(
    rows.filter(({ marks }) => marks.tag !== "" && !guarded.has(marks.tag)).map(({ marks }) => marks.runFolder),
  );
  const swept: string[] = [];
  for (const folder of folders) {
    const run = toRun(root, folder);
    // Its shim may have come meanwhile, or its end may just be written down.
    if (run === null || (await settleJob(deps, run)).kind === "running") continue;
    await endProcesses(makeFamily(tagOf(run), null), { ...root, table, ask: "SIGTERM", graceMs: 1_000 });
    swept.push(run.runId);
  }
  return swept;
}

/** Null: a folder of another root, or no folder of a run at all. */
function toRun(root: RunnerRoot, folder: string): RunFolder | null {
  const [projectId, taskId, runs, runId, ...more] = path.relative(root.folder, folder).split(path.sep);
  if (runs !== "runs" || runId === undefined || !isRunId(runId) || more.length > 0) return null;
  try {
    const task = findTask(root, projectId ?? "", taskId ?? "");
    return task === null ? null : locateRun(task, runId);
  } catch {
    return null;
  }
}

// `run-agent stop` and `task cancel`: the request is on the disk before anything is signalled, so that no loop starts the agent again.

import { AppError } from "../../../lib/app-error.ts";
import { openBus } from "../../../runner/bus/bus.ts";
import { stopJob } from "../../../runner/job/stop-job.ts";
import { requireRun } from "../../../runner/layout/locate.ts";
import { readRunInfo } from "../../../runner/layout/run-info.ts";
import { listRuns, type RunFolder, type RunnerRoot, type TaskFolder } from "../../../runner/layout/runner-root.ts";
import { endChecks } from "../../../runner/task/check-processes.ts";
import { findChildren } from "../../../runner/task/children.ts";
import type { DriveDeps } from "../../../runner/task/drive-task.ts";
import { readLoopFile } from "../../../runner/task/loop-file.ts";
import { cancelTaskRun, stopTaskRun } from "../../../runner/task/task-run.ts";
import { parentOf } from "../agent-options.ts";
import type { AgentInvocation } from "../invocation.ts";
import { taskOf } from "../place.ts";

export type StopOptions = { readonly reason?: string };

export async function stop(given: AgentInvocation, runText: string | undefined, options: StopOptions): Promise<void> {
  const { root, task } = taskOf(given);
  const deps = await given.host.openAgents(root, null);
  const asked = { by: askerOf(given, root), reason: options.reason ?? "run-agent stop" };
  const run = runText === undefined ? null : requireRun(root, task, runText);
  if (run !== null && !isOfLoop(root, task, run)) return tell(given, task, await stopRuns(deps, [run], asked));
  tell(given, task, await stopAll(deps, task, asked, () => stopTaskRun(root, task, asked.by, asked.reason)));
}

export async function cancelTask(given: AgentInvocation, options: StopOptions): Promise<void> {
  if (given.flags.task === null) throw new AppError("invalid_request", "Name the task with --task.");
  const { root, task } = taskOf(given);
  const deps = await given.host.openAgents(root, null);
  const asked = { by: askerOf(given, root), reason: options.reason ?? "run-agent task cancel" };
  const stopped = await stopAll(deps, task, asked, () => cancelTaskRun(root, task, asked.by, asked.reason));
  await openBus(root, task).post({ type: "INFO", body: `Canceled by ${asked.by}.`, meta: { by: "run-agent" } });
  tell(given, task, stopped);
}

const askerOf = (given: AgentInvocation, root: RunnerRoot): string => {
  const parent = parentOf(given, root, undefined);
  return parent === null ? (given.host.environment.USER ?? "a person") : `run ${parent.runId}`;
};

/** The agent that the loop itself has started: without the loop it would only be started again. */
function isOfLoop(root: RunnerRoot, task: TaskFolder, run: RunFolder): boolean {
  const loop = readLoopFile(root, task);
  const info = readRunInfo(root, run);
  return loop !== null && info.status !== "unknown" && info.parent_run_id === loop.parent_run_id;
}

type Asked = { readonly by: string; readonly reason: string };

/** `request` first: from then on no loop starts anything. What runs is looked for before, too, as a loop may be quicker to end it. */
async function stopAll(
  deps: DriveDeps,
  task: TaskFolder,
  asked: Asked,
  request: () => Promise<void>,
): Promise<readonly string[]> {
  const before = await findBelow(deps, task);
  await request();
  const after = await findBelow(deps, task);
  for (const other of after.loops) await stopTaskRun(deps.jobs.root, other, asked.by, asked.reason);
  for (const each of [task, ...after.loops]) await endChecks(deps.jobs, each);
  const runs = new Map([...before.runs, ...after.runs].map((run) => [run.path, run]));
  return stopRuns(deps, [...runs.values()], asked);
}

type Below = { readonly runs: readonly RunFolder[]; readonly loops: readonly TaskFolder[] };

/** Everything that runs for the task: its own runs, and below them runs and loops of other tasks. */
async function findBelow({ jobs }: DriveDeps, task: TaskFolder): Promise<Below> {
  const own = listRuns(jobs.root, task).filter((run) => readRunInfo(jobs.root, run).status === "running");
  const children = await findChildren(jobs, task);
  return {
    runs: [...own, ...children.flatMap(({ run }) => (run === null ? [] : [run]))],
    loops: children.flatMap((child) => (child.task === null ? [] : [child.task])),
  };
}

async function stopRuns({ jobs }: DriveDeps, runs: readonly RunFolder[], asked: Asked): Promise<readonly string[]> {
  await Promise.all(runs.map((run) => stopJob(jobs, run, asked)));
  return runs.map(({ runId }) => runId);
}

function tell({ output }: AgentInvocation, task: TaskFolder, runs: readonly string[]): void {
  output.say(runs.length === 0 ? "No run was active. The stop is recorded." : `Stopped ${runs.join(", ")}.`);
  output.data({ task_id: task.taskId, stopped: runs }, () => "");
}

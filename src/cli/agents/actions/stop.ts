// `run-agent stop` and `task cancel`: the request is on the disk before anything is signalled, so that no loop starts the agent again.

import { AppError } from "../../../lib/app-error.ts";
import { openBus } from "../../../runner/bus/bus.ts";
import { byRunner } from "../../../runner/bus/questions.ts";
import { requireRun } from "../../../runner/layout/locate.ts";
import { readRunInfo } from "../../../runner/layout/run-info.ts";
import type { RunFolder, RunnerRoot, TaskFolder } from "../../../runner/layout/runner-root.ts";
import type { DriveDeps } from "../../../runner/task/drive-task.ts";
import { readLoopFile } from "../../../runner/task/loop-file.ts";
import { type Asked, stopRun, stopTask } from "../../../runner/task/stop-task.ts";
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
  if (run !== null && !isOfLoop(root, task, run)) {
    return tell(given, task, idsOf(await stopRun(deps.jobs, run, asked)));
  }
  tell(given, task, await stopAll(deps, task, asked, () => stopTaskRun(root, task, asked.by, asked.reason)));
}

export async function cancelTask(given: AgentInvocation, options: StopOptions): Promise<void> {
  if (given.flags.task === null) throw new AppError("invalid_request", "Name the task with --task.");
  const { root, task } = taskOf(given);
  const deps = await given.host.openAgents(root, null);
  const asked = { by: askerOf(given, root), reason: options.reason ?? "run-agent task cancel" };
  const stopped = await stopAll(deps, task, asked, () => cancelTaskRun(root, task, asked.by, asked.reason));
  await openBus(root, task).post({ type: "INFO", body: `Canceled by ${asked.by}.`, meta: byRunner });
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

async function stopAll(
  { jobs }: DriveDeps,
  task: TaskFolder,
  asked: Asked,
  request: () => Promise<void>,
): Promise<readonly string[]> {
  const { runs, end } = await stopTask(jobs, task, asked, request);
  await end();
  return idsOf(runs);
}

const idsOf = (runs: readonly RunFolder[]): readonly string[] => runs.map(({ runId }) => runId);

function tell({ output }: AgentInvocation, task: TaskFolder, runs: readonly string[]): void {
  output.say(runs.length === 0 ? "No run was active. The stop is recorded." : `Stopped ${runs.join(", ")}.`);
  output.data({ task_id: task.taskId, stopped: runs }, () => "");
}

// `run-agent job`: one agent run. It is waited for, and its output printed; Ctrl-C stops it, and a terminal that goes away lets go of it.

import { AppError } from "../../../lib/app-error.ts";
import type { JobRequest, JobResult } from "../../../runner/job/job.ts";
import { defaultLimits } from "../../../runner/job/job.ts";
import { locateJob } from "../../../runner/job/job-files.ts";
import { startJob } from "../../../runner/job/start-job.ts";
import { waitForJob } from "../../../runner/job/wait-for-job.ts";
import { requireRun } from "../../../runner/layout/locate.ts";
import { inRun, type RunFolder, type RunnerRoot, type TaskFolder } from "../../../runner/layout/runner-root.ts";
import { readStop } from "../../../runner/layout/task-files.ts";
import { readText } from "../../../runner/layout/text.ts";
import { agentNameOf, type PoolChoice } from "../../../runner/task/agent-pool.ts";
import type { DriveDeps } from "../../../runner/task/drive-task.ts";
import { findPrevious } from "../../../runner/task/prompt-view.ts";
import { stopRun } from "../../../runner/task/stop-task.ts";
import { Ended } from "../../exit-code.ts";
import {
  type AgentOptions,
  type AgentSetup,
  depthBelow,
  parentOf,
  setUpAgents,
  sharedConfig,
  workFolderOf,
} from "../agent-options.ts";
import { requireGivenText } from "../given-text.ts";
import type { AgentInvocation } from "../invocation.ts";
import { configFileOf, taskOf } from "../place.ts";

export type JobOptions = AgentOptions & {
  readonly file?: string;
  readonly previousRunId?: string;
  readonly detach?: true;
  readonly home?: boolean;
};

export async function runJob(given: AgentInvocation, words: readonly string[], options: JobOptions): Promise<void> {
  const { host, output } = given;
  const { root, task } = taskOf(given);
  const prompt = await requireGivenText(given, { words, file: options.file, what: "a prompt" });
  refuseStopped(root, task);
  const setup = setUpAgents(given, root, task, { ...options, isRoot: false });
  const deps = await host.openAgents(root, sharedConfig(given, configFileOf(given)));
  const choice = await chooseAgent(given, setup);
  const request = toRequest(given, root, task, setup, { ...options, prompt, choice });
  const handle = await startJob(deps.jobs, request);
  const run = locateJob(root, handle);
  output.say(`Run ${run.runId} of ${request.backend.name} started.`);
  if (options.detach) {
    output.data({ run_id: run.runId, task_id: task.taskId, project_id: task.projectId }, () => `${run.runId}\n`);
    return;
  }
  const result = await waitOrStop(given, deps, run, () => waitForJob(deps.jobs, handle, { signal: host.stop }));
  if (result.stop === null) await setup.pool.record(choice.name, result.verdict);
  show(given, root, run, result);
}

function refuseStopped(root: RunnerRoot, task: TaskFolder): void {
  const stop = readStop(root, task);
  if (stop === null) return;
  throw new AppError(
    "wrong_status",
    `Task ${task.taskId} was stopped by ${stop.by}: ${stop.reason}. To go on: run-agent task resume -t ${task.taskId}`,
  );
}

async function chooseAgent({ host }: AgentInvocation, { pool }: AgentSetup): Promise<PoolChoice> {
  const choice = await pool.choose();
  const waitMs = (choice.notBeforeMs ?? 0) - host.env.now();
  if (waitMs <= 0) return choice;
  const minutes = Math.ceil(waitMs / 60_000);
  throw new AppError("unprocessable", `No agent can start for another ${minutes} min: ${choice.because}`);
}

function toRequest(
  given: AgentInvocation,
  root: RunnerRoot,
  task: TaskFolder,
  { config, pool }: AgentSetup,
  options: JobOptions & { readonly prompt: string; readonly choice: PoolChoice },
): JobRequest {
  const parent = parentOf(given, root, options.parentRunId);
  const { choice } = options;
  const chosen = pool.find(choice.name);
  const { name: _, ...agent } = chosen;
  const named = options.previousRunId === undefined ? null : requireRun(root, task, options.previousRunId);
  const previous = (named ?? (parent === null ? findPrevious(root, task, null) : null))?.runId;
  // A child works where its parent is, unless it is told otherwise.
  const cwd = options.cwd ?? (parent === null ? undefined : ".");
  return {
    task,
    ...agent,
    session: null,
    prompt: options.prompt,
    workFolder: workFolderOf(given, root, task, cwd),
    limits: {
      ...defaultLimits,
      idleMs: config.idleThresholdMs,
      stuckMs: config.stuckThresholdMs,
      wallMs: config.timeBudgetMs,
    },
    hasOwnHome: options.home === false,
    ...(parent === null ? {} : { parentRunId: parent.runId }),
    ...(previous === undefined ? {} : { previousRunId: previous }),
    facts: {
      ...agentNameOf(chosen),
      chosen_because: choice.because,
      depth: depthBelow(parent, config),
      depth_max: config.maxDelegationDepth,
    },
  };
}

/** SIGHUP leaves the run alone: its terminal is gone, or the agent that waits for it has ended. */
async function waitOrStop(
  { host, output }: AgentInvocation,
  { jobs }: DriveDeps,
  run: RunFolder,
  wait: () => Promise<JobResult>,
): Promise<JobResult> {
  try {
    return await wait();
  } catch (thrown) {
    if (!host.stop.aborted) throw thrown;
    if (host.stoppedBy() === "SIGHUP") {
      output.say(`Run ${run.runId} goes on.`);
      throw new Ended("interrupted");
    }
    const reason = `${host.stoppedBy() ?? "a signal"} came while it was waited for`;
    await stopRun(jobs, run, { by: "the starter", reason });
    output.say(`Run ${run.runId} was stopped.`);
    throw new Ended("interrupted");
  }
}

function show({ output }: AgentInvocation, root: RunnerRoot, run: RunFolder, result: JobResult): void {
  const read = readText(root.disk, inRun(run, "output"));
  const text = read.kind === "text" ? read.text : "";
  const { verdict } = result;
  output.data({ ...result, output: text, path: run.path }, () => output.text(text));
  if (verdict.kind === "ok") return;
  output.warn(result.stop === null ? verdict.why : `Stopped by ${result.stop.by}: ${result.stop.reason}`);
  throw new Ended(result.stop === null ? "failed" : "run_stopped");
}

// Starts one agent run: its folder with all that the agent needs, its record, then the shim. A starter that is killed at any moment
// leaves either a run that goes on, or one that the next look finds not started.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants } from "node:fs";
import path from "node:path";
import type { ProcessIdentity } from "../../files/process-identity.ts";
import { AppError } from "../../lib/app-error.ts";
import type { AgentCommand } from "../backends/backend.ts";
import { createRunInfo, readRunInfo } from "../layout/run-info.ts";
import { createRun, inRun, type RunFolder } from "../layout/runner-root.ts";
import { readText, requireText } from "../layout/text.ts";
import { buildAgentEnv, buildShimEnv } from "./agent-env.ts";
import { finishJob } from "./finish-job.ts";
import {
  agentOf,
  type JobHandle,
  type JobOrder,
  type JobRequest,
  type JobResult,
  type StartDeps,
  shimOf,
} from "./job.ts";
import { findKey, inJob, keepKey, locateRun, lockKey, tagOf } from "./job-files.ts";
import { settleJob } from "./settle-job.ts";
import { makeHandle } from "./wait-for-job.ts";

const lookEveryMs = 15;
/** A machine with much other work takes its time. */
const startMaxMs = 60_000;
const commandLineMax = 2_000;

/** Answers as soon as the agent runs, or has ended. Under a key that was used before, with the run of that time. */
export async function startJob(deps: StartDeps, request: JobRequest): Promise<JobHandle> {
  const { key, task } = request;
  if (key === undefined) return launch(deps, request);
  return lockKey(deps.root, task, key, async () => (await findJob(deps, request)) ?? launch(deps, request));
}

/** The run that was started under the request's key, even if it has ended since; null: none was. */
export async function findJob(
  deps: StartDeps,
  { task, key }: Pick<JobRequest, "task" | "key">,
): Promise<JobHandle | null> {
  const runId = key === undefined ? null : findKey(deps.root, task, key);
  if (runId === null) return null;
  const run = locateRun(task, runId);
  for (let waitedMs = 0; waitedMs < startMaxMs; waitedMs += lookEveryMs) {
    const info = readRunInfo(deps.root, run);
    // Its record was there before the key was: the agent has removed it.
    if (info.status === "unknown") return makeHandle(deps, run, noProcess);
    const shim = shimOf(info);
    if (shim !== null) return makeHandle(deps, run, shim);
    const settled = await settleJob(deps, run);
    if (settled.kind !== "running") return null;
    await deps.root.env.sleep(lookEveryMs);
  }
  throw new AppError("unprocessable", `Run ${runId} neither starts nor ends. Stop it and try again.`);
}

/** Stands for a shim whose name is lost; where it is alive it is found by its mark. */
const noProcess: ProcessIdentity = { pid: 2 ** 31 - 1, started: "unknown" };

async function launch(deps: StartDeps, request: JobRequest): Promise<JobHandle> {
  const { root } = deps;
  const run = createRun(root, request.task);
  const order = prepare(deps, run, request);
  if (request.key !== undefined) keepKey(root, request.task, request.key, run.runId);
  const child = spawnShim(deps, run, order);
  try {
    return makeHandle(deps, run, await waitForShim(deps, run, child));
  } finally {
    child.unref();
  }
}

/** Everything on the disk, up to the record of a run that no process works on yet. */
function prepare(deps: StartDeps, run: RunFolder, request: JobRequest): JobOrder {
  const { root } = deps;
  try {
    const prompt = typeof request.prompt === "string" ? request.prompt : request.prompt(run);
    requireText("The prompt", prompt.replace(/^\uFEFF/, ""));
    root.disk.replace(inRun(run, "prompt"), prompt);
    for (const file of ["stdout", "stderr"] as const)
      closeSync(root.disk.open(inRun(run, file), constants.O_WRONLY | constants.O_CREAT));
    const command = makeCommand(deps, run, request);
    const order = makeOrder(deps, run, request, command);
    const { pid, started } = root.self;
    createRunInfo(root, run, {
      agent: request.backend.name,
      pid,
      pgid: pid,
      process_started: started,
      cwd: request.workFolder,
      parent_run_id: request.parentRunId ?? "",
      previous_run_id: request.previousRunId ?? "",
      commandline: describeCommand(command, request.token),
      ...request.facts,
    });
    return order;
  } catch (error) {
    // Nothing knows of the run yet.
    root.disk.remove(run.path);
    throw error;
  }
}

function makeCommand({ root }: StartDeps, run: RunFolder, request: JobRequest): AgentCommand {
  const ownFolder = request.ownFolder ?? inJob(run, "own");
  const command = request.backend.command({ ...request, promptFile: inRun(run, "prompt"), ownFolder });
  const folders = [
    ownFolder,
    inJob(run, "temp"),
    ...(request.hasOwnHome ? [inJob(run, "home")] : []),
    ...command.folders,
  ];
  for (const folder of folders) root.disk.makeFolder(folder);
  for (const { path: file, text } of command.files) {
    if (path.relative(ownFolder, file).split(path.sep)[0] === "..")
      throw new AppError("internal", `${request.backend.name} wants to write ${file}, outside of ${ownFolder}.`);
    root.disk.replace(file, text);
  }
  return command;
}

function makeOrder(deps: StartDeps, run: RunFolder, request: JobRequest, command: AgentCommand): JobOrder {
  const tag = tagOf(run);
  const env = buildAgentEnv({
    ...deps.surroundings,
    command,
    run,
    tag,
    parentRunId: request.parentRunId ?? "",
    conductorUrl: request.conductorUrl ?? null,
    tempFolder: inJob(run, "temp"),
    homeFolder: request.hasOwnHome ? inJob(run, "home") : null,
  });
  const { file, args, stdin } = command;
  return {
    host: deps.root.host,
    backend: request.backend.name,
    ...(request.facts?.agent_name === undefined ? {} : { agent_name: request.facts.agent_name }),
    tag,
    command: { file, args: [...args], stdin, workFolder: request.workFolder },
    env: { ...env },
    limits: request.limits,
    sessionBefore: request.sessionBefore ?? null,
    timeZone: deps.timeZone,
  };
}

/** For people; a key that an argument holds is not shown. */
function describeCommand({ file, args }: AgentCommand, token: string | null): string {
  const line = [file, ...args].map((part) => (/^[\w./:=@-]+$/.test(part) ? part : JSON.stringify(part))).join(" ");
  const shown = token === null || token === "" ? line : line.replaceAll(token, "***");
  return (shown.length > commandLineMax ? `${shown.slice(0, commandLineMax)}…` : shown).toWellFormed();
}

function spawnShim(deps: StartDeps, run: RunFolder, order: JobOrder): ChildProcess {
  const { root, shim, surroundings } = deps;
  const log = root.disk.open(inJob(run, "log"), constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
  const { projectId, taskId } = run.task;
  try {
    const child = spawn(shim.file, [...shim.args, root.folder, projectId, taskId, run.runId], {
      cwd: root.folder,
      env: buildShimEnv(surroundings, order.tag),
      detached: true,
      windowsHide: true,
      stdio: ["pipe", log, log],
    });
    // A shim that has ended already is found by the wait for it.
    child.stdin?.on("error", () => {});
    child.stdin?.end(JSON.stringify(order));
    return child;
  } finally {
    closeSync(log);
  }
}

async function waitForShim(deps: StartDeps, run: RunFolder, child: ChildProcess): Promise<ProcessIdentity> {
  const { root } = deps;
  let failure: string | null = null;
  child.once("error", (error) => {
    failure = error.message;
  });
  child.once("exit", () => {
    failure ??= "it ended at once";
  });
  for (let waitedMs = 0; waitedMs < startMaxMs; waitedMs += lookEveryMs) {
    const hasFailed = failure;
    const info = readRunInfo(root, run);
    const shim = info.status === "unknown" ? null : shimOf(info);
    if (shim !== null && (info.status !== "running" || agentOf(info) !== null)) return shim;
    // An agent that removes its folder at once.
    if (info.status === "unknown" && child.pid !== undefined) return findShim(deps, run) ?? noProcess;
    if (hasFailed !== null) throw await recordFailure(deps, run, hasFailed);
    await root.env.sleep(lookEveryMs);
  }
  throw new AppError("unprocessable", `The shim of run ${run.runId} did not start within ${startMaxMs / 1_000} s.`);
}

function findShim({ table }: StartDeps, run: RunFolder): ProcessIdentity | null {
  const row = table().find(({ marks }) => marks.shim === tagOf(run));
  return row ? { pid: row.pid, started: row.started } : null;
}

async function recordFailure(deps: StartDeps, run: RunFolder, failure: string): Promise<AppError> {
  const log = readText(deps.root.disk, inJob(run, "log"));
  const why =
    `The shim of the agent did not start: ${failure}. ${log.kind === "text" ? log.text.trim().slice(-500) : ""}`.trim();
  const result: JobResult = {
    run_id: run.runId,
    verdict: { kind: "failed", why },
    exit_code: -1,
    signal: null,
    stop: null,
    timeout: null,
    session: null,
    tokens: null,
    cost_usd: null,
    session_totals: null,
    notes: [],
  };
  const info = readRunInfo(deps.root, run);
  await finishJob({ ...deps, log: () => {} }, run, info.status === "unknown" ? undefined : info, {
    result,
    text: "",
    stderr: "",
    isAgain: true,
  });
  return new AppError("unprocessable", why);
}

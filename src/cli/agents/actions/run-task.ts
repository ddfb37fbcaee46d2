// `run-agent task` and `task resume`: the restart loop of a task, in the foreground. A task that another process drives already is
// followed until it ends.

import path from "node:path";
import type { Check } from "../../../domain/run/checks/check.ts";
import type { Run } from "../../../domain/run/run.ts";
import { AppError } from "../../../lib/app-error.ts";
import { didYouMean } from "../../../lib/nearest.ts";
import { inRun, type RunnerRoot, type TaskFolder } from "../../../runner/layout/runner-root.ts";
import { isDone, readStop, readTaskText, refuseHomeworkRun } from "../../../runner/layout/task-files.ts";
import { readText } from "../../../runner/layout/text.ts";
import { driveTask } from "../../../runner/task/drive-task.ts";
import { findDriver, type LoopFile, loopIn, readLoopFile } from "../../../runner/task/loop-file.ts";
import { findPrevious } from "../../../runner/task/prompt-view.ts";
import { createTaskRun, type NewTaskRun, readTaskRun, resumeTaskRun } from "../../../runner/task/task-run.ts";
import { Ended, type ExitName } from "../../exit-code.ts";
import {
  type AgentOptions,
  type AgentSetup,
  depthBelow,
  parentOf,
  parentOrLoop,
  requireFolder,
  setUpAgents,
  sharedConfig,
  toChecks,
  workFolderOf,
} from "../agent-options.ts";
import { readGivenText } from "../given-text.ts";
import type { AgentInvocation } from "../invocation.ts";
import { configFileOf, taskOf } from "../place.ts";
import { answerCommand } from "../task-text.ts";
import { makeTask, planTask } from "./task.ts";

export type StartOptions = AgentOptions & {
  readonly file?: string;
  readonly name?: string;
  readonly dependsOn?: readonly string[];
  readonly check?: readonly (readonly string[])[];
  readonly detach?: true;
};

const resumeRun = (id: string): string => `Use homework resume ${id}.`;

const verbs = ["create", "show", "state", "resume", "cancel", "delete"];

export async function startTask(
  given: AgentInvocation,
  words: readonly string[],
  options: StartOptions,
): Promise<void> {
  const { root, task, isNew } = await findOrMakeTask(given, words, options);
  if (isNew) given.output.say(`Created task ${task.taskId} in ${task.projectId}.`);
  refuseHomeworkRun(root, task, resumeRun);
  readTaskText(root, task);
  const run = await readTaskRun(root, task);
  if (run !== null) refuseLate(task, options, settledOptions);
  if (findDriver(root, task) !== null) {
    refuseLate(task, options, ["--agent", "--command"]);
    return options.detach ? tellDetached(given, task) : follow(given, root, task);
  }
  refuseStopped(root, task, run);
  const remembered = readLoopFile(root, task)?.agents ?? [];
  const setup = setUpAgents(given, root, task, { ...options, isRoot: true, remembered });
  if (run === null) {
    const { isNew: isOurs } = await createTaskRun(root, task, describeRun(given, root, task, setup, options));
    if (!isOurs) refuseLate(task, options, settledOptions);
  }
  if (options.detach) return detach(given, root, task, options);
  await drive(given, root, task, setup);
}

const lateOptions = {
  "--name": "name",
  "--depends-on": "dependsOn",
  "--check": "check",
  "--cwd": "cwd",
  "--parent-run-id": "parentRunId",
  "--agent": "agent",
  "--command": "command",
} as const;

/** Also where another process is about to drive the task. */
const settledOptions = ["--check", "--cwd", "--parent-run-id"] as const;

/** What was settled when the task began would be passed over. */
function refuseLate(
  task: Pick<TaskFolder, "taskId">,
  options: StartOptions,
  names: readonly (keyof typeof lateOptions)[],
): void {
  const name = names.find((each) => options[lateOptions[each]] !== undefined);
  if (name !== undefined)
    throw new AppError("invalid_request", `Task ${task.taskId} has begun, so ${name} would do nothing. Leave it out.`);
}

export async function resumeTask(given: AgentInvocation, options: StartOptions): Promise<void> {
  const { root, task } = taskOf(given);
  refuseHomeworkRun(root, task, resumeRun);
  // What is done begins anew and costs again: it is named, never guessed.
  if (given.flags.task === null && isDone(root, task))
    throw new AppError(
      "wrong_status",
      `Task ${task.taskId} is done. To begin it anew: run-agent task resume -t ${task.taskId}`,
    );
  if (findDriver(root, task) !== null) {
    refuseLate(task, options, ["--agent", "--command", "--cwd", "--parent-run-id"]);
    return follow(given, root, task);
  }
  const remembered = readLoopFile(root, task)?.agents ?? [];
  const setup = setUpAgents(given, root, task, { ...options, isRoot: true, remembered });
  const resumed = await resumeTaskRun(root, task, describeRun(given, root, task, setup, options));
  given.output.say(`Task ${task.taskId}: ${resumed}.`);
  await drive(given, root, task, setup);
}

const detachMaxMs = 60_000;
const detachPollMs = 50;

/** Another process drives it, which an agent that ends does not take along. Answers once that process does. */
async function detach(
  given: AgentInvocation,
  root: RunnerRoot,
  task: TaskFolder,
  options: StartOptions,
): Promise<void> {
  const { host, flags } = given;
  const args = [
    ...["--root", root.folder],
    ...(flags.config === null ? [] : ["--config", configFileOf(given)]),
    ...Object.entries(flags.set).flatMap(([name, value]) => ["--set", `${name}=${value}`]),
    ...["task", "start", "-p", task.projectId, "-t", task.taskId],
    ...(options.agent === undefined ? [] : ["--agent", options.agent.join(",")]),
    ...(options.command === undefined ? [] : ["--command", JSON.stringify(options.command)]),
  ];
  const log = path.join(loopIn(task), "log.txt");
  host.startAlone(args, `loop-${task.taskId}`, log);
  for (let waitedMs = 0; !(await hasBegun(root, task)); waitedMs += detachPollMs) {
    if (waitedMs > detachMaxMs) throw new AppError("unprocessable", `The loop of the task did not start. See ${log}`);
    await host.env.sleep(detachPollMs, host.stop);
  }
  tellDetached(given, task);
}

const tellDetached = ({ output }: AgentInvocation, { taskId, projectId }: TaskFolder): void =>
  output.data({ task_id: taskId, project_id: projectId }, () => `${taskId}\n`);

const hasBegun = async (root: RunnerRoot, task: TaskFolder): Promise<boolean> =>
  findDriver(root, task) !== null || (await readTaskRun(root, task))?.state.status !== "queued";

async function findOrMakeTask(given: AgentInvocation, words: readonly string[], options: StartOptions) {
  const [first = ""] = words;
  const near = words.length === 1 && !/\s/.test(first) ? didYouMean(first, verbs) : "";
  if (near !== "") throw new AppError("invalid_request", `There is no command "task ${first}".${near}`);
  const isGiven = words.length > 0 || options.file !== undefined;
  if (!isGiven) {
    const { root, task } = taskOf(given);
    refuseLate(task, options, ["--name", "--depends-on"]);
    refuseOwn(given, root, task);
    return { root, task, isNew: false };
  }
  const text = await readGivenText(given, { words, file: options.file, what: "an objective" });
  const plan = planTask(given, text ?? "");
  // Settings, agents and folders that cannot be used leave no empty task behind.
  setUpAgents(given, plan.root, { projectId: plan.projectId, taskId: null }, { ...options, isRoot: true });
  requireFolder(given, options.cwd);
  return { root: plan.root, task: makeTask(plan, options), isNew: true };
}

/** An agent that waits for its own task would wait for itself. */
function refuseOwn(given: AgentInvocation, root: RunnerRoot, task: TaskFolder): void {
  if (parentOrLoop(given, root, undefined)?.run.task.path !== task.path) return;
  throw new AppError("wrong_status", "This is the task that you are working on. Give the objective of a new one.");
}

function refuseStopped(root: RunnerRoot, task: TaskFolder, run: Run | null): void {
  const again = `run-agent task resume -p ${task.projectId} -t ${task.taskId}`;
  const stop = readStop(root, task);
  const status = run?.state.status ?? null;
  if (status === "canceled" || status === "failed")
    throw new AppError("wrong_status", `Task ${task.taskId} is ${status}. To begin anew: ${again}`);
  if (stop !== null)
    throw new AppError(
      "wrong_status",
      `Task ${task.taskId} was stopped by ${stop.by}: ${stop.reason}. To go on: ${again}`,
    );
  if (run?.state.status === "stopped")
    throw new AppError("wrong_status", `Task ${task.taskId} has stopped: ${run.state.detail}\nTo go on: ${again}`);
  if (status === "completed" && !isDone(root, task))
    throw new AppError("wrong_status", `Task ${task.taskId} was done, and DONE is gone. To begin anew: ${again}`);
  const loop = readLoopFile(root, task);
  if (run !== null && loop !== null && loop.host !== "" && loop.host !== root.host && status !== "completed")
    throw new AppError(
      "wrong_status",
      `Task ${task.taskId} is driven on ${loop.host}. Go on there; or, if that host is gone: run-agent stop -t ${task.taskId}, then ${again}`,
    );
}

function describeRun(
  given: AgentInvocation,
  root: RunnerRoot,
  task: TaskFolder,
  { config, names }: AgentSetup,
  options: StartOptions,
): NewTaskRun {
  const known = readLoopFile(root, task);
  const parent = parentOf(given, root, options.parentRunId);
  const checks: readonly Check[] = toChecks(options.check);
  const loop: Omit<LoopFile, "host"> = {
    work_folder:
      known !== null && options.cwd === undefined ? known.work_folder : workFolderOf(given, root, task, options.cwd),
    agents: [...names],
    parent_run_id: parent?.runId ?? known?.parent_run_id ?? "",
    depth: parent === null ? (known?.depth ?? 0) : depthBelow(parent, config),
  };
  return { config, checks, timeZone: given.host.timeZone, loop };
}

async function drive(given: AgentInvocation, root: RunnerRoot, task: TaskFolder, setup: AgentSetup): Promise<void> {
  const { host, output } = given;
  const deps = await host.openAgents(root, sharedConfig(given, configFileOf(given)));
  const driven = await driveTask(deps, task, {
    config: setup.config,
    pool: setup.pool,
    signal: host.stop,
    isStop: () => host.stoppedBy() !== "SIGHUP",
    tell: output.say,
    answerCommand: answerCommand(given, task, null),
  });
  if (driven.kind === "driven") return follow(given, root, task);
  if (driven.kind === "let_go") {
    output.say(`The agent works on. To go on with the task: run-agent task -p ${task.projectId} -t ${task.taskId}`);
    throw new Ended("interrupted");
  }
  await show(given, root, task, driven.run);
}

const followEveryMs = 500;

/** Until no process drives it any more. */
async function follow(given: AgentInvocation, root: RunnerRoot, task: TaskFolder): Promise<void> {
  const { host, output } = given;
  output.say(`Task ${task.taskId} is driven by process ${findDriver(root, task)?.pid ?? ""} already. Following it.`);
  while (findDriver(root, task) !== null) await host.env.sleep(followEveryMs, host.stop);
  const run = await readTaskRun(root, task);
  if (run === null) throw new AppError("not_found", `The loop of task ${task.taskId} is gone.`);
  await show(given, root, task, run);
}

const exits: Readonly<Record<Run["state"]["status"], ExitName>> = {
  queued: "interrupted",
  running: "interrupted",
  waiting_on_user: "run_waiting",
  completed: "ok",
  stopped: "run_stopped",
  failed: "run_failed",
  canceled: "run_canceled",
};

async function show({ host, output }: AgentInvocation, root: RunnerRoot, task: TaskFolder, run: Run): Promise<void> {
  const { state, spent } = run;
  const last = findPrevious(root, task, readLoopFile(root, task)?.parent_run_id || null);
  const read = last === null ? null : readText(root.disk, inRun(last, "output"));
  const text = read?.kind === "text" ? read.text : "";
  const why = "detail" in state ? state.detail : "";
  const summary = {
    project_id: task.projectId,
    task_id: task.taskId,
    status: state.status,
    why,
    iterations: state.iteration,
    cost_usd: spent.costMicroUsd / 1_000_000,
    tokens: spent.tokens,
    last_run_id: last?.runId ?? null,
    output: text,
  };
  const exit = host.stop.aborted && state.status === "stopped" ? "interrupted" : exits[state.status];
  if (exit === "ok") output.say(`Task ${task.taskId} is done.`);
  else output.warn(`Task ${task.taskId}: ${state.status.replaceAll("_", " ")}. ${why}`.trim());
  output.data(summary, () => (exit === "ok" ? output.text(text) : ""));
  if (exit !== "ok") throw new Ended(exit);
}

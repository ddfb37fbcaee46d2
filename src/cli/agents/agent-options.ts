// What the commands that start agents have in common: which agents, where they work, below which run.

import type { Check } from "../../domain/run/checks.ts";
import { AppError } from "../../lib/app-error.ts";
import type { RunnerConfig } from "../../runner/config/config.ts";
import { absolute } from "../../runner/config/layer.ts";
import { findCaller } from "../../runner/job/find-caller.ts";
import { readHomeFolder } from "../../runner/layout/locate.ts";
import { readRunInfo } from "../../runner/layout/run-info.ts";
import {
  listProjects,
  listRuns,
  listTasks,
  type RunFolder,
  type RunnerRoot,
  type TaskFolder,
} from "../../runner/layout/runner-root.ts";
import type { AgentPool } from "../../runner/task/agent-pool.ts";
import { openPool } from "../../runner/task/open-pool.ts";
import type { AgentInvocation } from "./invocation.ts";
import { loadSettings } from "./place.ts";

export type AgentOptions = {
  readonly agent?: readonly string[];
  readonly command?: readonly string[];
  readonly cwd?: string;
  readonly parentRunId?: string;
};

/** The name of the agent that `--command` makes. */
const commandAgent = "command";

export type AgentSetup = {
  readonly config: RunnerConfig;
  readonly names: readonly string[];
  readonly pool: AgentPool;
};

/** Settings of the task and the agents that may work on it. `remembered`: names that the loop was started with. */
export function setUpAgents(
  given: AgentInvocation,
  root: RunnerRoot,
  task: TaskFolder,
  options: AgentOptions & { readonly isRoot: boolean; readonly remembered?: readonly string[] },
): AgentSetup {
  const { host, flags } = given;
  const program = options.command;
  const set: Readonly<Record<string, string>> =
    program === undefined ? flags.set : { ...flags.set, "agents.command.command": JSON.stringify(program) };
  const ids = { project: task.projectId, task: task.taskId, run: null };
  const { config } = loadSettings({ ...given, flags: { ...flags, set } }, { root, ids });
  const names = options.agent ?? (program === undefined ? (options.remembered ?? []) : [commandAgent]);
  const pool = openPool(root, {
    config,
    names,
    searchPath: host.environment.PATH ?? "",
    folders: [host.workingFolder, root.folder],
    isRoot: options.isRoot,
  });
  return { config, names, pool };
}

/** Named, or the project's own folder, or the task's. */
export function workFolderOf(
  given: AgentInvocation,
  root: RunnerRoot,
  task: TaskFolder,
  cwd: string | undefined,
): string {
  if (cwd !== undefined) return absolute(cwd, given.host.workingFolder, given.host.homeFolder);
  return readHomeFolder(root, task.projectId) ?? task.path;
}

export type Parent = {
  readonly runId: string;
  /** Empty: a person has started it. */
  readonly parentRunId: string;
  readonly depth: number;
  readonly run: RunFolder;
};

/** The run that this command is called from, or that it names; null: a person calls it. */
export function parentOf({ host }: AgentInvocation, root: RunnerRoot, named: string | undefined): Parent | null {
  const caller = findCaller(root, host);
  if (named === undefined) return caller.kind === "run" ? describeParent(caller.root, caller.run) : null;
  const run = findAnywhere(root, named);
  if (run === null) throw new AppError("not_found", `There is no run ${named} in ${root.folder}.`);
  return describeParent(root, run);
}

function describeParent(root: RunnerRoot, run: RunFolder): Parent {
  const info = readRunInfo(root, run);
  const known = info.status === "unknown" ? null : info;
  return { runId: run.runId, parentRunId: known?.parent_run_id ?? "", depth: known?.depth ?? 0, run };
}

/** The run that speaks; null: a person does. */
export function speakerOf({ host }: AgentInvocation, root: RunnerRoot): Parent | null {
  const caller = findCaller(root, host);
  if (caller.kind === "run-agent") throw new AppError("forbidden", "A loop of run-agent says nothing by command.");
  return caller.kind === "run" ? describeParent(caller.root, caller.run) : null;
}

/** Only people speak for people; `what` they do, as in "Questions are answered". */
export function requirePerson(given: AgentInvocation, root: RunnerRoot, what: string): void {
  if (speakerOf(given, root) !== null)
    throw new AppError("forbidden", `${what} by people, not from an agent's run. Nothing was done.`);
}

const findAnywhere = (root: RunnerRoot, runId: string): RunFolder | null =>
  listProjects(root)
    .flatMap((project) => listTasks(root, project))
    .flatMap((task) => listRuns(root, task))
    .find((run) => run.runId === runId) ?? null;

/** How deep a new run stands below the first one. */
export function depthBelow(parent: Parent | null, { maxDelegationDepth: max }: RunnerConfig): number {
  const depth = parent === null ? 0 : parent.depth + 1;
  if (depth <= max) return depth;
  throw new AppError(
    "unprocessable",
    `Agents have started agents ${max} levels deep, which is the limit. Do this part of the work yourself.`,
  );
}

export const toChecks = (commands: readonly (readonly string[])[] = []): readonly Check[] =>
  commands.map(([program = "", ...args], at) => ({
    id: `check-${at + 1}`,
    deliverableId: null,
    target: { kind: "command_succeeds", program, args },
    givenBy: "user",
  }));

/** Of a config file that is there: agents' own run-agent is to use the same. */
export const sharedConfig = ({ host }: AgentInvocation, file: string): string | null =>
  host.files.read(file) === null ? null : file;

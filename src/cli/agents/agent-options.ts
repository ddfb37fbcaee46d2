// What the commands that start agents have in common: which agents, where they work, below which run.

import { statSync } from "node:fs";
import type { Check } from "../../domain/run/checks/check.ts";
import { AppError } from "../../lib/app-error.ts";
import type { LoadedConfig } from "../../runner/config/config.ts";
import { absolute } from "../../runner/config/layer.ts";
import type { RunnerConfig } from "../../runner/config/runner-config.ts";
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

/** Whose settings count; a task or a project that is made only now has none yet. */
type SettingsPlace = { readonly projectId: string; readonly taskId: string | null };

/** Settings of the task and the agents that may work on it. `remembered`: names that the loop was started with. */
export function setUpAgents(
  given: AgentInvocation,
  root: RunnerRoot,
  place: SettingsPlace,
  options: AgentOptions & { readonly isRoot: boolean; readonly remembered?: readonly string[] },
): AgentSetup {
  const { host, flags } = given;
  const program = options.command;
  const set: Readonly<Record<string, string>> =
    program === undefined ? flags.set : { ...flags.set, "agents.command.command": JSON.stringify(program) };
  const isThere = listProjects(root).some(({ projectId }) => projectId === place.projectId);
  const ids = { project: isThere ? place.projectId : null, task: place.taskId, run: null };
  const loaded = loadSettings({ ...given, flags: { ...flags, set } }, { root, ids });
  const parent = parentOrLoop(given, root, options.parentRunId);
  const config = { ...loaded.config, maxDelegationDepth: depthMaxBelow(parent, loaded) };
  const names = options.agent ?? (program === undefined ? (options.remembered ?? []) : [commandAgent]);
  if (program !== undefined && !names.includes(commandAgent))
    throw new AppError(
      "invalid_request",
      `--command would do nothing beside --agent ${names.join(",")}. Leave one of them out, or add ${commandAgent} to --agent.`,
    );
  const pool = openPool(root, {
    config,
    names,
    searchPath: host.environment.PATH ?? "",
    folders: [host.workingFolder, root.folder],
    isRoot: options.isRoot,
  });
  depthBelow(parent, config);
  return { config, names, pool };
}

/** What the first run was started with holds for all below it; files of a project or task, an option or a variable may lower it. */
function depthMaxBelow(parent: Parent | null, { config, shown }: LoadedConfig): number {
  const own = config.maxDelegationDepth;
  const source = shown.find(({ name }) => name === "max_delegation_depth")?.source;
  const above = parent?.depthMax ?? null;
  if (above === null) return own;
  return source === "default" || source === "global" ? above : Math.min(above, own);
}

/** A folder that is named has to be there: the agent would only find out when it starts. */
export function requireFolder({ host }: AgentInvocation, cwd: string | undefined): void {
  if (cwd === undefined) return;
  const folder = absolute(cwd, host.workingFolder, host.homeFolder);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new AppError("invalid_request", `--cwd: there is no folder ${folder}.`);
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
  /** Null: its record does not say. */
  readonly depthMax: number | null;
  readonly run: RunFolder;
};

/** The run that this command is called from, or that it names; null: a person calls it. A loop only drives the task it was started for. */
export function parentOf(given: AgentInvocation, root: RunnerRoot, named: string | undefined): Parent | null {
  if (findCaller(root, given.host).kind === "run-agent")
    throw new AppError("forbidden", "A loop of run-agent only drives its task. Nothing was done.");
  return parentOrLoop(given, root, named);
}

/** For what a loop does as well, which has no run above it: null then too. */
export function parentOrLoop({ host }: AgentInvocation, root: RunnerRoot, named: string | undefined): Parent | null {
  const caller = findCaller(root, host);
  if (named === undefined) return caller.kind === "run" ? describeParent(caller.root, caller.run) : null;
  const run = findAnywhere(root, named);
  if (run === null) throw new AppError("not_found", `There is no run ${named} in ${root.folder}.`);
  return describeParent(root, run);
}

function describeParent(root: RunnerRoot, run: RunFolder): Parent {
  const info = readRunInfo(root, run);
  const known = info.status === "unknown" ? null : info;
  const { parent_run_id: parentRunId = "", depth = 0, depth_max: depthMax = null } = known ?? {};
  return { runId: run.runId, parentRunId, depth, depthMax, run };
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

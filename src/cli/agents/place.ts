// Which root, project, task and settings a command works on, from its options and from where it was called.

import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { type LoadedConfig, loadConfig } from "../../runner/config/config.ts";
import { absolute } from "../../runner/config/layer.ts";
import { guessRoot, type Ids, locate, requireProject, requireTask } from "../../runner/layout/locate.ts";
import {
  inTask,
  listProjects,
  listTasks,
  type ProjectFolder,
  projectFiles,
  type RunnerRoot,
  type TaskFolder,
} from "../../runner/layout/runner-root.ts";
import { readYaml } from "../../runner/layout/yaml-file.ts";
import type { AgentInvocation } from "./invocation.ts";

const defaultRoot = "~/run-agent";

/** The root that was named or that this process lies in; otherwise the one of the settings. */
export function openRootFor(given: AgentInvocation): RunnerRoot {
  const { host } = given;
  const named = namedRoot(given) ?? guessRoot(host.environment, host.workingFolder);
  return host.openRoot(named ?? loadSettings(given).config.projectsRoot);
}

function namedRoot({ host, flags }: AgentInvocation): string | null {
  const named = flags.root ?? (host.environment.RUN_AGENT_ROOT || null);
  return named === null ? null : absolute(named, host.workingFolder, host.homeFolder);
}

export function configFileOf(given: AgentInvocation): string {
  const { host, flags } = given;
  const named = flags.config ?? (host.environment.RUN_AGENT_CONFIG || null);
  if (named !== null) return absolute(named, host.workingFolder, host.homeFolder);
  const root = namedRoot(given) ?? absolute(defaultRoot, host.workingFolder, host.homeFolder);
  return path.join(root, "config.hcl");
}

/** `place`: whose own settings count as well. */
export function loadSettings(
  given: AgentInvocation,
  place: { readonly root: RunnerRoot; readonly ids: Ids } | null = null,
): LoadedConfig {
  const { host, flags } = given;
  const file = configFileOf(given);
  if (flags.config !== null && host.files.read(file) === null)
    throw new AppError("config_invalid", `There is no file ${file}.`);
  return loadConfig({
    file,
    readFile: host.files.read,
    environment: host.environment,
    options: { ...flags.set, ...(flags.root === null ? {} : { projects_root: flags.root }) },
    ...(place === null ? { project: null, task: null } : settingsOfPlace(place.root, place.ids)),
    homeFolder: host.homeFolder,
    workingFolder: host.workingFolder,
  });
}

function settingsOfPlace(root: RunnerRoot, { project, task }: Ids) {
  const projectFolder = project === null ? null : requireProject(root, project);
  const taskFolder = project === null || task === null ? null : requireTask(root, task, project);
  return {
    project: projectFolder === null ? null : readSettings(root, path.join(projectFolder.path, projectFiles.config)),
    task: taskFolder === null ? null : readSettings(root, inTask(taskFolder, "config")),
  };
}

function readSettings(root: RunnerRoot, file: string) {
  const read = readYaml(root.disk, file);
  if (read.kind === "unreadable") throw new AppError("config_invalid", read.why);
  return read.kind === "missing" ? null : { file, content: read.value };
}

export type Place = { readonly root: RunnerRoot; readonly ids: Ids };

export function placeOf(given: AgentInvocation): Place {
  const { host, flags } = given;
  const root = openRootFor(given);
  const { environment, workingFolder } = host;
  const task = flags.task === "last" ? findLastTask(root, flags.project).taskId : flags.task;
  return { root, ids: locate(root, { project: flags.project, task, environment, workingFolder }) };
}

/** The task that was made last, in this project or in any. Ids begin with the time at which they were made. */
function findLastTask(root: RunnerRoot, project: string | null): TaskFolder {
  const projects = project === null ? listProjects(root) : [requireProject(root, project)];
  const tasks = projects.flatMap((each) => listTasks(root, each));
  const last = tasks.toSorted((a, b) => (a.taskId < b.taskId ? -1 : 1)).at(-1);
  if (last === undefined)
    throw new AppError("not_found", `No tasks in ${root.folder} yet. Begin with: run-agent task "what is to be done"`);
  return last;
}

/** The task that was named, that this process lies in, or that was made last. */

export function taskOf(given: AgentInvocation): {
  readonly root: RunnerRoot;
  readonly task: TaskFolder;
  readonly ids: Ids;
} {
  const { root, ids } = placeOf(given);
  const task =
    ids.project === null || ids.task === null
      ? findLastTask(root, ids.project)
      : requireTask(root, ids.task, ids.project);
  return { root, task, ids: ids.task === null ? { project: task.projectId, task: task.taskId, run: null } : ids };
}

/** The bus or the facts of a task, or of a project where no task is meant. */
export function scopeOf(
  given: AgentInvocation,
  scope: "task" | "project" | undefined,
): { readonly root: RunnerRoot; readonly place: ProjectFolder | TaskFolder; readonly ids: Ids } {
  const { root, ids } = placeOf(given);
  if (ids.project === null)
    throw new AppError("invalid_request", "No project is known here. Name one with --project, or a task with --task.");
  const project = requireProject(root, ids.project);
  if (scope === "project" || (ids.task === null && scope === undefined)) return { root, place: project, ids };
  if (ids.task === null) throw new AppError("invalid_request", "No task is known here. Name one with --task.");
  return { root, place: requireTask(root, ids.task, ids.project), ids };
}

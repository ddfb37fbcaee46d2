// Where a command is: which root, project, task and run it means when it does not name them. Agents call run-agent from anywhere, so the
// runner's own variables, the working folder and the home folders of projects are asked, in this order.

import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { didYouMean } from "../../lib/nearest.ts";
import { isProjectId, isRunId, isTaskId, nameOfTask, quote } from "./ids.ts";
import {
  findRun,
  findTask,
  listProjects,
  listRuns,
  listTasks,
  type ProjectFolder,
  type RunFolder,
  type RunnerRoot,
  type TaskFolder,
  taskFiles,
} from "./runner-root.ts";
import { readYaml } from "./yaml-file.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command was told, and what surrounds it. */
export type Whereabouts = {
  readonly project: string | null;
  readonly task: string | null;
  readonly environment: Environment;
  readonly workingFolder: string;
};

/** Names in a path below a root; null where the path does not go so far. */
export type Ids = { readonly project: string | null; readonly task: string | null; readonly run: string | null };

const nothing: Ids = { project: null, task: null, run: null };
/** The runner sets these for each agent; which one is there is enough. */
const folderVariables = ["JRUN_RUN_FOLDER", "JRUN_TASK_FOLDER"] as const;
const homeFile = "home-folders.md";

/** The root that the runner's variables or the working folder lie in; null: they lie in none. */
export function guessRoot(environment: Environment, workingFolder: string): string | null {
  const folders = folderVariables.flatMap((name) => environment[name] ?? []);
  const bus = environment.JRUN_MESSAGE_BUS;
  for (const folder of [...folders, ...(bus ? [path.dirname(bus)] : []), workingFolder]) {
    const root = path.isAbsolute(folder) ? rootAbove(realFolder(folder)) : null;
    if (root !== null) return root;
  }
  return null;
}

function rootAbove(folder: string): string | null {
  const names = folder.split(path.sep);
  for (let at = names.length - 1; at >= 2; at--)
    if (isTaskId(names[at] ?? "") && isProjectId(names[at - 1] ?? ""))
      return names.slice(0, at - 1).join(path.sep) || path.sep;
  return null;
}

/** The root is kept by its real path, so others are compared by theirs. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return path.resolve(folder);
  }
}

function idsOfFolder(root: RunnerRoot, folder: string): Ids {
  const inside = path.relative(root.folder, realFolder(folder));
  if (inside.startsWith("..") || path.isAbsolute(inside)) return nothing;
  const [project = "", task = "", runs = "", run = ""] = inside.split(path.sep);
  if (!isProjectId(project)) return nothing;
  if (!isTaskId(task)) return { ...nothing, project };
  return { project, task, run: runs === taskFiles.runs && isRunId(run) ? run : null };
}

/** The ids a command means: those it names, then those of its folder, then those of its run. */
export function locate(root: RunnerRoot, where: Whereabouts): Ids {
  const { environment } = where;
  const own = idsFromEnvironment(root, environment);
  if (where.task !== null) {
    const task = requireTask(root, where.task, where.project, own.project);
    return { project: task.projectId, task: task.taskId, run: own.task === task.taskId ? own.run : null };
  }
  if (where.project !== null) return { ...nothing, project: requireProject(root, where.project).projectId };
  if (own.project !== null) return own;
  const here = idsOfFolder(root, where.workingFolder);
  return here.project !== null ? here : { ...nothing, project: projectOfHome(root, where.workingFolder) };
}

function idsFromEnvironment(root: RunnerRoot, environment: Environment): Ids {
  const bus = environment.JRUN_MESSAGE_BUS;
  const folders = [...folderVariables.flatMap((name) => environment[name] ?? []), ...(bus ? [path.dirname(bus)] : [])];
  const found = folders.map((folder) => idsOfFolder(root, folder)).find(({ project }) => project !== null);
  const { JRUN_PROJECT_ID: project = "", JRUN_TASK_ID: task = "", JRUN_ID: run = "" } = environment;
  const named = {
    project: isProjectId(project) ? project : null,
    task: isTaskId(task) ? task : null,
    run: isRunId(run) ? run : null,
  };
  if (found === undefined) return named.project === null ? nothing : named;
  return { ...found, run: found.run ?? (found.task === named.task ? named.run : null) };
}

/** Null: the folder belongs to no project's home. The longest home wins. */
function projectOfHome(root: RunnerRoot, folder: string): string | null {
  const here = realFolder(folder);
  const homes = listProjects(root).flatMap((project) =>
    readHomes(root, project).map((home) => ({ project: project.projectId, home: realFolder(home) })),
  );
  const around = homes.filter(({ home }) => here === home || here.startsWith(`${home}${path.sep}`));
  return around.toSorted((a, b) => b.home.length - a.home.length)[0]?.project ?? null;
}

/** Where the sources of a project are; null: it says nothing of that, or the folder is gone. */
export function readHomeFolder(root: RunnerRoot, project: string): string | null {
  const [home] = readHomes(root, requireProject(root, project));
  return home !== undefined && existsSync(home) ? realFolder(home) : null;
}

function readHomes(root: RunnerRoot, project: ProjectFolder): readonly string[] {
  const file = path.join(project.path, homeFile);
  const read = readYaml(root.disk, file);
  if (read.kind !== "mapping") return [];
  const { project_root: own, source_folders: sources } = read.value;
  const folders = Array.isArray(sources) ? sources : [];
  return [own, ...folders]
    .map((each: unknown) => (typeof each === "object" && each !== null && "path" in each ? each.path : each))
    .filter((each): each is string => typeof each === "string" && path.isAbsolute(each));
}

export function requireProject(root: RunnerRoot, text: string): ProjectFolder {
  const projects = listProjects(root);
  const found = projects.find(({ projectId }) => projectId === text);
  if (found !== undefined) return found;
  const advice = didYouMean(
    text,
    projects.map(({ projectId }) => projectId),
  );
  throw new AppError("not_found", `There is no project ${quote(text)} in ${root.folder}.${advice}`);
}

/** By its whole id, or by a part of it that only one task has. Without a project every project is looked at. */
export function requireTask(
  root: RunnerRoot,
  text: string,
  project: string | null,
  ownProject: string | null = null,
): TaskFolder {
  if (project !== null) return pickTask(root, text, listTasks(root, requireProject(root, project)));
  // A task of the caller's own project comes first: another one may have the same name.
  const own =
    ownProject !== null && isTaskId(text) && isProjectId(ownProject) ? findTask(root, ownProject, text) : null;
  return (
    own ??
    pickTask(
      root,
      text,
      listProjects(root).flatMap((each) => listTasks(root, each)),
    )
  );
}

const shownMax = 5;

function pickTask(root: RunnerRoot, text: string, tasks: readonly TaskFolder[]): TaskFolder {
  const whole = tasks.filter(({ taskId }) => taskId === text);
  // A name in full wins over longer ones that have it in them.
  const exact = whole.length > 0 ? whole : tasks.filter(({ taskId }) => nameOfTask(taskId) === text);
  const found = exact.length > 0 ? exact : tasks.filter(({ taskId }) => text !== "" && taskId.includes(text));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  if (first === undefined)
    throw new AppError("not_found", `There is no task ${quote(text)} in ${root.folder}. See: run-agent list`);
  const names = found.slice(0, shownMax).map((task) => `  ${task.projectId}/${task.taskId}`);
  throw new AppError(
    "invalid_request",
    `${quote(text)} is the name of ${found.length} tasks. Give more of it, or --project:\n${names.join("\n")}`,
  );
}

/** By its whole id or a part that only one run of the task has; null stands for the latest. */
export function requireRun(root: RunnerRoot, task: TaskFolder, text: string | null): RunFolder {
  const runs = listRuns(root, task);
  const latest = runs.at(-1);
  if (text === null) {
    if (latest !== undefined) return latest;
    throw new AppError("not_found", `Task ${task.taskId} has no runs yet.`);
  }
  const exact = isRunId(text) ? findRun(root, task, text) : null;
  if (exact !== null) return exact;
  const [found, ...more] = runs.filter(({ runId }) => text !== "" && runId.includes(text));
  if (found !== undefined && more.length === 0) return found;
  throw found === undefined
    ? new AppError("not_found", `Task ${task.taskId} has no run ${quote(text)}. See: run-agent status`)
    : new AppError("invalid_request", `${quote(text)} is part of ${more.length + 1} run ids. Give more of it.`);
}

// The runner's root folder and what it holds: projects, their tasks, the agent runs of a task. Folders are made by an exclusive mkdir,
// so two processes never share one; names that are not ours are passed over.

import path from "node:path";
import type { ProcessIdentity } from "../../files/process-identity.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Env } from "../../lib/env.ts";
import {
  type AgentProjectId,
  type AgentRunId,
  type AgentTaskId,
  isProjectId,
  isRunId,
  isTaskId,
  makeRunIds,
  type RunIdMaker,
  requireProjectId,
  requireRunId,
  requireTaskId,
  toTaskId,
} from "./ids.ts";
import { makeSlug, markSlug } from "./slug.ts";
import { type NanoClock, toStamp } from "./timestamps.ts";
import { type TreeDisk, treeDisk } from "./tree-disk.ts";

export type RootOptions = {
  readonly folder: string;
  readonly env: Env;
  readonly nanos: NanoClock;
  readonly self: ProcessIdentity;
  /** Pids mean something on this host only. */
  readonly host: string;
  readonly disk?: TreeDisk;
};

export type RunnerRoot = Omit<RootOptions, "disk"> & { readonly disk: TreeDisk; readonly nextRunId: RunIdMaker };

export type ProjectFolder = { readonly projectId: AgentProjectId; readonly path: string };
export type TaskFolder = { readonly projectId: AgentProjectId; readonly taskId: AgentTaskId; readonly path: string };
export type RunFolder = { readonly task: TaskFolder; readonly runId: AgentRunId; readonly path: string };

export const projectFiles = { bus: "PROJECT-MESSAGE-BUS.md", config: "PROJECT-CONFIG.yaml" } as const;
export const taskFiles = {
  task: "TASK.md",
  state: "TASK_STATE.md",
  done: "DONE",
  bus: "TASK-MESSAGE-BUS.md",
  config: "TASK-CONFIG.yaml",
  stop: "STOP-REQUESTED",
  /** The id of the Homework run whose agents work here. */
  homeworkRun: "HOMEWORK-RUN",
  runs: "runs",
} as const;
export const runFiles = {
  info: "run-info.yaml",
  prompt: "prompt.md",
  output: "output.md",
  stdout: "agent-stdout.txt",
  stderr: "agent-stderr.txt",
  stop: "STOP-REQUESTED",
} as const;

export const inTask = (task: TaskFolder, file: keyof typeof taskFiles): string => path.join(task.path, taskFiles[file]);
export const inRun = (run: RunFolder, file: keyof typeof runFiles): string => path.join(run.path, runFiles[file]);

/** Taken names in one second, or one tenth of a millisecond; more than this is a fault. */
const attemptsMax = 1_000;

export function openRoot(options: RootOptions): RunnerRoot {
  const disk = options.disk ?? treeDisk(options.folder);
  return { ...options, folder: disk.root, disk, nextRunId: makeRunIds(options.nanos, options.self.pid) };
}

/** Makes the project's folder if it is missing. */
export function openProject(root: RunnerRoot, projectId: string): ProjectFolder {
  const project = locateProject(root, projectId);
  if (!root.disk.makeFolder(project.path)) requireFolder(root, project.path, `Project ${projectId}`);
  return project;
}

function locateProject(root: RunnerRoot, projectId: string): ProjectFolder {
  const checked = requireProjectId(projectId);
  return { projectId: checked, path: path.join(root.folder, checked) };
}

/** Makes the task's folder if it is missing. */
export function openTask(root: RunnerRoot, projectId: string, taskId: string): TaskFolder {
  const project = openProject(root, projectId);
  const task = locateTask(project, requireTaskId(taskId));
  if (!root.disk.makeFolder(task.path)) requireFolder(root, task.path, `Task ${taskId}`);
  return task;
}

/** A task with an id of its own, named after its title. */
export function createTask(root: RunnerRoot, projectId: string, title: string): TaskFolder {
  const project = openProject(root, projectId);
  const now = root.nanos();
  const slug = makeSlug(title) ?? root.env.newId().replaceAll("-", "").slice(-6);
  for (let attempt = -1; attempt < attemptsMax; attempt++) {
    const name = attempt === -1 ? slug : markSlug(slug, toStamp(now), attempt);
    const task = locateTask(project, toTaskId(now, name));
    if (root.disk.makeFolder(task.path)) return task;
  }
  throw new AppError("already_exists", `There are too many tasks named ${slug} in ${projectId}.`);
}

/** Null: there is no such task. */
export function findTask(root: RunnerRoot, projectId: string, taskId: string): TaskFolder | null {
  const task = locateTask(locateProject(root, projectId), requireTaskId(taskId));
  return root.disk.kindOf(task.path) === "folder" ? task : null;
}

const locateTask = (project: ProjectFolder, taskId: AgentTaskId): TaskFolder => ({
  projectId: project.projectId,
  taskId,
  path: path.join(project.path, taskId),
});

/** The folder of a new agent run. Its id sorts behind every run of the task, also when the clock was set back. */
export function createRun(root: RunnerRoot, task: TaskFolder): RunFolder {
  let latest = root.disk.list(inTask(task, "runs")).filter(isRunId).at(-1);
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const run = locateRun(task, root.nextRunId(latest));
    if (root.disk.makeFolder(run.path)) return run;
    latest = run.runId;
  }
  throw new AppError("already_exists", `No free run id was found in ${task.path}.`);
}

/** Null: there is no such run. */
export function findRun(root: RunnerRoot, task: TaskFolder, runId: string): RunFolder | null {
  const run = locateRun(task, requireRunId(runId));
  return root.disk.kindOf(run.path) === "folder" ? run : null;
}

const locateRun = (task: TaskFolder, runId: AgentRunId): RunFolder => ({
  task,
  runId,
  path: path.join(inTask(task, "runs"), runId),
});

export function listProjects(root: RunnerRoot): readonly ProjectFolder[] {
  return folders(root, root.folder, isProjectId).map((projectId) => locateProject(root, projectId));
}

export function listTasks(root: RunnerRoot, project: ProjectFolder): readonly TaskFolder[] {
  return folders(root, project.path, isTaskId).map((taskId) => locateTask(project, taskId));
}

/** In the order in which they were started. */
export function listRuns(root: RunnerRoot, task: TaskFolder): readonly RunFolder[] {
  return folders(root, inTask(task, "runs"), isRunId).map((runId) => locateRun(task, runId));
}

function folders<Id extends string>(
  root: RunnerRoot,
  folder: string,
  isOurs: (name: string) => name is Id,
): readonly Id[] {
  return root.disk
    .list(folder)
    .filter((name): name is Id => isOurs(name) && root.disk.kindOf(path.join(folder, name)) === "folder");
}

function requireFolder(root: RunnerRoot, folder: string, what: string): void {
  if (root.disk.kindOf(folder) === "folder") return;
  throw new AppError("unprocessable", `${what}: ${folder} is there and is not a folder. Links are not followed.`);
}

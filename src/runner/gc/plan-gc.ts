// What may be removed from a root, and how large it is. Planning changes nothing. A run that is active, or may be on another host, is
// never in a plan, nor is the last run of a task that is not done: the next run builds on it.

import { type Dirent, lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { hasCode } from "../../files/has-code.ts";
import { answersSignals } from "../../files/process-identity.ts";
import type { RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import { inTask, listProjects, listTasks, projectFiles, taskFiles } from "../layout/runner-root.ts";
import { type RunView, type TaskView, viewTaskToAct } from "../overview/task-view.ts";

export type GcOptions = {
  readonly olderThanMs: number;
  readonly keepFailed: boolean;
  /** Whole tasks, too, once they are done. */
  readonly doneTasks: boolean;
  /** Only this project; null: all of them. */
  readonly project: string | null;
  /** A larger bus is put into an archive; null: none is. */
  readonly busMaxBytes: number | null;
};

export type GcItem = {
  readonly kind: "run" | "task" | "draft" | "bus";
  readonly path: string;
  /** For a bus: the place to rotate. */
  readonly project: string;
  readonly task: string;
  readonly bytes: number;
  readonly why: string;
};

/** A process that is writing needs a draft for a moment only. */
const draftMinMs = 3_600_000;
/** As `tree-disk.ts` names them: the pid of the writer stands before the extension. */
const draftName = /\.(\d+)-\d+(?:\.[^.]+)?\.tmp$/;
/** Deeper and larger trees than ours are not walked to their end; the size is then a lower bound. */
const entriesMax = 200_000;

export function planGc(root: RunnerRoot, options: GcOptions): readonly GcItem[] {
  const projects = listProjects(root).filter(
    ({ projectId }) => options.project === null || projectId === options.project,
  );
  return projects.flatMap((project) => [
    ...listTasks(root, project).flatMap((task) => planTask(root, task, options)),
    ...draftsIn(root, project.path, project.projectId, ""),
    ...planBus(path.join(project.path, projectFiles.bus), project.projectId, "", options),
  ]);
}

function planTask(root: RunnerRoot, task: TaskFolder, options: GcOptions): readonly GcItem[] {
  const view = viewTaskToAct(root, task);
  const place = { project: task.projectId, task: task.taskId };
  if (options.doneTasks && view.status === "done" && isOld(root, lastTime(view), options))
    return [{ kind: "task", path: task.path, ...place, bytes: sizeBelow(task.path), why: "done" }];
  const kept = view.isDone ? null : view.runs.at(-1);
  const runs = view.runs.filter((run) => run !== kept && mayGo(root, run, options));
  return [
    ...runs.map(({ folder, info }): GcItem => {
      const why = info.status === "unknown" ? "no readable record" : info.status;
      return { kind: "run", path: folder.path, ...place, bytes: sizeBelow(folder.path), why };
    }),
    ...draftsIn(root, task.path, task.projectId, task.taskId),
    ...view.runs
      .filter((run) => !runs.includes(run))
      .flatMap(({ folder }) => draftsIn(root, folder.path, task.projectId, task.taskId)),
    ...planBus(inTask(task, "bus"), task.projectId, task.taskId, options),
  ];
}

function mayGo(root: RunnerRoot, { isActive, info, folder }: RunView, options: GcOptions): boolean {
  if (isActive) return false;
  if (info.status === "completed") return isOld(root, msOf(info.end_time), options);
  if (options.keepFailed) return false;
  // A newer program's record may be of a run that is active.
  if (info.status === "unknown" && info.cause === "newer") return false;
  return isOld(root, info.status === "failed" ? msOf(info.end_time) : changedMs(folder.path), options);
}

const isOld = (root: RunnerRoot, atMs: number, { olderThanMs }: GcOptions): boolean =>
  Number.isFinite(atMs) && root.env.now() - atMs >= olderThanMs;

const lastTime = ({ task, lastActivity }: TaskView): number =>
  Math.max(changedMs(path.join(task.path, taskFiles.done)), lastActivity === "" ? 0 : msOf(lastActivity));

function planBus(file: string, project: string, task: string, { busMaxBytes }: GcOptions): readonly GcItem[] {
  const bytes = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return busMaxBytes === null || bytes <= busMaxBytes
    ? []
    : [{ kind: "bus", path: file, project, task, bytes, why: "goes to an archive beside it" }];
}

/** Leftovers of writers that were killed. */
function draftsIn(root: RunnerRoot, folder: string, project: string, task: string): readonly GcItem[] {
  return root.disk.list(folder).flatMap((name): readonly GcItem[] => {
    const pid = Number(draftName.exec(name)?.[1] ?? Number.NaN);
    const file = path.join(folder, name);
    if (Number.isNaN(pid) || root.disk.kindOf(file) !== "file") return [];
    if (answersSignals(pid) || root.env.now() - changedMs(file) < draftMinMs) return [];
    return [
      { kind: "draft", path: file, project, task, bytes: root.disk.sizeOf(file) ?? 0, why: "left by a killed writer" },
    ];
  });
}

function changedMs(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
}

/** Links are counted as themselves and not followed. */
function sizeBelow(folder: string): number {
  let bytes = 0;
  let left = entriesMax;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined && left > 0; next = folders.pop()) {
    for (const entry of entriesOf(next)) {
      const file = path.join(next, entry.name);
      left--;
      if (entry.isDirectory()) folders.push(file);
      else bytes += lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return bytes;
}

/** None where the folder went away meanwhile or may not be read. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EACCES")) return [];
    throw error;
  }
}

// biome-ignore lint/style/noRestrictedGlobals: reads a given time, not the clock
const msOf = (iso: string): number => Date.parse(iso);

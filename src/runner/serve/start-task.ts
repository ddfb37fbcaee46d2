// A task that is started from a page: its folder and TASK.md are made here; the work is done by a `run-agent task` of its own.

import { existsSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { isTaskId } from "../layout/ids.ts";
import { createTask, findTask, type RunnerRoot, type TaskFolder } from "../layout/runner-root.ts";
import { readTaskConfig, writeTaskConfig } from "../layout/task-config.ts";
import { keepTaskText, readStop, readTaskText, refuseHomeworkRun } from "../layout/task-files.ts";
import type { TaskView } from "../overview/task-view.ts";
import { findDriver, readLoopFile } from "../task/loop-file.ts";

export type NewTask = {
  readonly prompt?: string | undefined;
  readonly new_project: boolean;
  readonly task_id?: string | undefined;
  readonly attach_mode: "new" | "restart";
  readonly project_root?: string | undefined;
  readonly agent?: string | undefined;
  readonly depends_on: readonly string[];
};

export type PreparedTask = {
  readonly task: TaskFolder;
  /** The task was there before. */
  readonly isRestart: boolean;
  readonly workFolder: string | null;
  readonly agent: string | null;
};

/** Resolves once the program is running; rejects where it ended at once, with its own words. */
export type StartTask = (prepared: PreparedTask) => Promise<void>;

export type Judges = {
  readonly view: (task: TaskFolder) => TaskView;
  /** Null: agents may work there. */
  readonly folderProblem: (folder: string) => string | null;
};

export function prepareTask(
  root: RunnerRoot,
  project: string,
  order: NewTask,
  { view, folderProblem }: Judges,
): PreparedTask {
  const workFolder = checkFolder(order.project_root, folderProblem);
  const agent = order.agent ?? null;
  if (order.attach_mode === "restart") {
    const id = order.task_id ?? "";
    const task = isTaskId(id) ? findTask(root, project, id) : null;
    if (task === null) throw new AppError("not_found", "There is no such task.");
    refuseHomeworkRun(root, task, () => "Resume the run on its page.");
    const { runs, status } = view(task);
    if (runs.some(({ isActive }) => isActive) && !isLeft(root, task))
      throw new AppError("wrong_status", `The task is ${status}. Stop it before starting it again.`, {
        details: { status },
      });
    readTaskText(root, task);
    return { task, isRestart: true, workFolder, agent };
  }
  if (order.prompt === undefined) throw new AppError("invalid_request", "body.prompt: say what is to be done");
  const task = createTask(root, project, order.prompt);
  keepTaskText(root, task, order.prompt);
  if (order.depends_on.length > 0) depend(root, task, order.depends_on);
  return { task, isRestart: false, workFolder, agent };
}

/** Its loop was killed while the agent works on: starting it again adopts the agent. */
const isLeft = (root: RunnerRoot, task: TaskFolder): boolean =>
  readLoopFile(root, task) !== null && findDriver(root, task) === null && readStop(root, task) === null;

function checkFolder(folder: string | undefined, folderProblem: Judges["folderProblem"]): string | null {
  if (folder === undefined) return null;
  if (!path.isAbsolute(folder)) throw new AppError("unprocessable", "The work folder must be an absolute path.");
  if (folder.includes("\0") || !existsSync(folder) || !statSync(folder).isDirectory())
    throw new AppError("unprocessable", `There is no folder ${folder}.`);
  // Where a link leads counts, not where it lies.
  const problem = folderProblem(realpathSync(folder));
  if (problem !== null) throw new AppError("unprocessable", `Agents cannot work there: ${problem}.`);
  return path.normalize(folder);
}

/** A task that cannot wait for the others as asked is not left behind. */
function depend(root: RunnerRoot, task: TaskFolder, dependsOn: readonly string[]): void {
  try {
    for (const taskId of dependsOn)
      if (findTask(root, task.projectId, taskId) === null)
        throw new AppError("unprocessable", `There is no task ${taskId} in ${task.projectId}.`);
    writeTaskConfig(root, task, { depends_on: dependsOn }, (taskId) => {
      const other = findTask(root, task.projectId, taskId);
      return other === null ? [] : readTaskConfig(root, other).depends_on;
    });
  } catch (error) {
    root.disk.remove(task.path);
    throw error;
  }
}

// `run-agent task create|show|state|delete`: the folder of a task.

import { AppError } from "../../../lib/app-error.ts";
import { createTask, findTask, type RunnerRoot, type TaskFolder } from "../../../runner/layout/runner-root.ts";
import { keepTaskName, readTaskConfig, writeTaskConfig } from "../../../runner/layout/task-config.ts";
import {
  keepTaskText,
  readTaskState,
  readTaskText,
  refuseHomeworkRun,
  writeTaskState,
} from "../../../runner/layout/task-files.ts";
import { requireText } from "../../../runner/layout/text.ts";
import { viewTask, viewTaskToAct } from "../../../runner/overview/task-view.ts";
import { findDriver } from "../../../runner/task/loop-file.ts";
import { parentOf } from "../agent-options.ts";
import { readGivenText, requireGivenText } from "../given-text.ts";
import type { AgentInvocation } from "../invocation.ts";
import { openRootFor, placeOf, taskOf } from "../place.ts";
import { taskJson } from "../task-text.ts";

export type CreateOptions = { readonly file?: string; readonly name?: string; readonly dependsOn?: readonly string[] };
export type StateOptions = { readonly file?: string };
export type DeleteOptions = { readonly yes?: true };

export async function createOne(
  given: AgentInvocation,
  words: readonly string[],
  options: CreateOptions,
): Promise<void> {
  const { output } = given;
  const text = await requireGivenText(given, { words, file: options.file, what: "an objective" });
  const plan = planTask(given, text);
  const { root } = plan;
  const task = makeTask(plan, options);
  output.say(`Created task ${task.taskId} in ${task.projectId}.`);
  output.data(taskJson(viewTask(root, task)), () => `${task.taskId}\n`);
}

export type TaskPlan = { readonly root: RunnerRoot; readonly projectId: string; readonly text: string };

/** Where a new task will be. Nothing is made yet. */
export function planTask(given: AgentInvocation, text: string): TaskPlan {
  if (given.flags.task !== null)
    throw new AppError(
      "invalid_request",
      "Leave out --task for a new objective. To say something to a task: run-agent bus post",
    );
  // A new project is made by naming it, so it need not be there yet.
  const root = openRootFor(given);
  // Which run calls is known before anything is made.
  parentOf(given, root, undefined);
  const projectId = given.flags.project ?? placeOf(given).ids.project;
  if (projectId === null) throw new AppError("invalid_request", "Name the project with --project.");
  requireText("The objective", text);
  if (text.trim() === "") throw new AppError("invalid_request", "The objective is empty. Say what is to be done.");
  return { root, projectId, text };
}

export function makeTask(
  { root, projectId, text }: TaskPlan,
  { name, dependsOn }: Pick<CreateOptions, "name" | "dependsOn">,
): TaskFolder {
  const task = createTask(root, projectId, name ?? text);
  keepTaskText(root, task, text);
  if (name !== undefined) keepTaskName(root, task, name);
  if (dependsOn !== undefined) depend(root, task, dependsOn);
  return task;
}

/** A task that cannot wait for the others as asked is not left behind. */
function depend(root: RunnerRoot, task: TaskFolder, dependsOn: readonly string[]): void {
  try {
    for (const taskId of dependsOn)
      if (findTask(root, task.projectId, taskId) === null)
        throw new AppError("not_found", `There is no task ${taskId} in ${task.projectId}.`);
    writeTaskConfig(root, task, { depends_on: dependsOn }, (taskId) => {
      const other = findTask(root, task.projectId, taskId);
      return other === null ? [] : readTaskConfig(root, other).depends_on;
    });
  } catch (error) {
    root.disk.remove(task.path);
    throw error;
  }
}

export async function showOne(given: AgentInvocation): Promise<void> {
  const { root, task } = taskOf(given);
  const text = readTaskText(root, task);
  const { depends_on: dependsOn } = readTaskConfig(root, task);
  given.output.data({ ...taskJson(viewTask(root, task)), text, depends_on: dependsOn }, () => given.output.text(text));
}

export async function showOrWriteState(
  given: AgentInvocation,
  words: readonly string[],
  options: StateOptions,
): Promise<void> {
  const { root, task } = taskOf(given);
  if (words.length > 0 || options.file !== undefined) {
    const text = await readGivenText(given, { words, file: options.file, what: "a state" });
    writeTaskState(root, task, text ?? "");
    given.output.say(`Wrote the state of ${task.taskId}.`);
    if (given.output.isJson) given.output.data({ task_id: task.taskId, state: text ?? "" }, () => "");
    return;
  }
  const read = readTaskState(root, task);
  if (read.kind === "unreadable") throw new AppError("unprocessable", read.why);
  const state = read.kind === "text" ? read.text : "";
  given.output.data({ task_id: task.taskId, state }, () => given.output.text(state));
  if (read.kind === "missing") given.output.say("No state was written yet.");
}

export async function deleteOne(given: AgentInvocation, { yes }: DeleteOptions): Promise<void> {
  const { host, output, flags } = given;
  // What is deleted is named, never guessed from where the command is called.
  if (flags.task === null) throw new AppError("invalid_request", "Name the task with --task.");
  const { root, task } = taskOf(given);
  refuseHomeworkRun(root, task, (id) => `Use homework discard ${id}, or homework undo ${id}.`);
  const view = viewTaskToAct(root, task);
  const active = view.runs.filter(({ isActive }) => isActive).length;
  if (active > 0 || findDriver(root, task) !== null)
    throw new AppError(
      "wrong_status",
      `Task ${task.taskId} is ${view.status}. Stop it before deleting it: run-agent stop -t ${task.taskId}`,
    );
  if (!yes) {
    if (!host.terminal.isInteractive) throw new AppError("invalid_request", `Deleting ${task.taskId} needs --yes.`);
    const answer = await host.terminal.ask(`Delete ${task.path} with ${view.runs.length} runs? [y/N] `, host.stop);
    if (!/^y(es)?$/i.test(answer?.trim() ?? "")) {
      output.say("Nothing was deleted.");
      return;
    }
  }
  root.disk.remove(task.path);
  output.say(`Deleted task ${task.taskId}.`);
  if (output.isJson) output.data({ task_id: task.taskId, deleted: true }, () => "");
}

// The files by which a task is talked about: TASK.md (what to do), TASK_STATE.md (where it stands), DONE (the claim that it is done),
// STOP-REQUESTED (a person wants it stopped; also in the folder of a single run) and HOMEWORK-RUN (it is the work of that run). Anything
// unclear about a stop counts as a stop.

import { AppError } from "../../lib/app-error.ts";
import type { StopRequest } from "./run-info.ts";
import { inRun, inTask, type RunFolder, type RunnerRoot, type TaskFolder } from "./runner-root.ts";
import { readText, requireText, smallTextMax, type TextRead, writeText } from "./text.ts";
import { toIso } from "./timestamps.ts";
import { readYaml, toYaml } from "./yaml-file.ts";

/** The objective. An empty one, one that is missing or one that is not text is an error. */
export function readTaskText(root: RunnerRoot, task: TaskFolder): string {
  const file = inTask(task, "task");
  const read = readText(root.disk, file);
  if (read.kind === "unreadable") throw new AppError("unprocessable", read.why);
  if (read.kind === "missing") throw new AppError("not_found", `${file} is missing. Write there what is to be done.`);
  return requireObjective(file, read.text);
}

/** Writes TASK.md on the first start; the one that is there stays. Returns what is there then. */
export function keepTaskText(root: RunnerRoot, task: TaskFolder, text: string): string {
  const file = inTask(task, "task");
  if (root.disk.kindOf(file) === null) writeText(root.disk, file, requireObjective(file, text));
  return readTaskText(root, task);
}

function requireObjective(file: string, text: string): string {
  if (text.trim() !== "") return text;
  throw new AppError("unprocessable", `${file} is empty. Write there what is to be done.`);
}

export const readTaskState = (root: RunnerRoot, task: TaskFolder): TextRead =>
  readText(root.disk, inTask(task, "state"), smallTextMax);

export const writeTaskState = (root: RunnerRoot, task: TaskFolder, text: string): void =>
  writeText(root.disk, inTask(task, "state"), text);

/** A file of any content. A folder or a link of that name is an error: it may be a mistake, and it may not. */
export function isDone(root: RunnerRoot, task: TaskFolder): boolean {
  const file = inTask(task, "done");
  const kind = root.disk.kindOf(file);
  if (kind === "folder" || kind === "other")
    throw new AppError(
      "unprocessable",
      `${file} is a ${kind === "folder" ? "folder" : "link or device"}; DONE must be a file. Remove it.`,
    );
  return kind === "file";
}

export function writeDone(root: RunnerRoot, task: TaskFolder): void {
  if (!isDone(root, task)) writeText(root.disk, inTask(task, "done"), "");
}

/** Null: DONE was not there. */
export const removeDone = (root: RunnerRoot, task: TaskFolder): boolean =>
  isDone(root, task) && root.disk.removeFile(inTask(task, "done"));

type Stoppable = TaskFolder | RunFolder;

const stopFile = (place: Stoppable): string => ("task" in place ? inRun(place, "stop") : inTask(place, "stop"));

/** Durable before it returns. The first request stays: it says who wanted it. */
export function requestStop(root: RunnerRoot, place: Stoppable, by: string, reason: string): StopRequest {
  const before = readStop(root, place);
  if (before !== null) return before;
  const request = { at: toIso(root.nanos()), by: requireText("by", by), reason: requireText("reason", reason) };
  writeText(root.disk, stopFile(place), toYaml(request));
  return request;
}

/** Null: no one asked. Something unreadable under that name still asks. */
export function readStop(root: RunnerRoot, place: Stoppable): StopRequest | null {
  const file = stopFile(place);
  const read = readYaml(root.disk, file);
  if (read.kind === "missing") return null;
  if (read.kind === "unreadable") return { at: unknown, by: unknown, reason: read.why };
  const { at, by, reason } = read.value;
  return { at: asText(at), by: asText(by), reason: asText(reason, `${file} does not say why.`) };
}

const unknown = "unknown";

const asText = (value: unknown, instead = unknown): string =>
  typeof value === "string" && value !== "" ? value : instead;

/** For a task that is resumed. False: no stop was requested. */
export const clearStop = (root: RunnerRoot, place: Stoppable): boolean => root.disk.removeFile(stopFile(place));

/** Marks the task as the work of a Homework run: Homework drives it, and `run-agent` neither starts nor deletes it. */
export function keepHomeworkRun(root: RunnerRoot, task: TaskFolder, runId: string): void {
  if (readHomeworkRun(root, task) !== runId) writeText(root.disk, inTask(task, "homeworkRun"), `${runId}\n`);
}

const runIdShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Null: the task is `run-agent`'s own. */
export function readHomeworkRun(root: RunnerRoot, task: TaskFolder): string | null {
  const read = readText(root.disk, inTask(task, "homeworkRun"), smallTextMax);
  const id = read.kind === "text" ? read.text.trim() : "";
  return runIdShape.test(id) ? id : null;
}

/** `instead`: what to do, as a sentence; it is given the id of the run. */
export function refuseHomeworkRun(root: RunnerRoot, task: TaskFolder, instead: (runId: string) => string): void {
  const runId = readHomeworkRun(root, task);
  if (runId !== null) throw new AppError("unprocessable", `This task is the work of a Homework run. ${instead(runId)}`);
}

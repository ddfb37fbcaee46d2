// A task as its folder shows it now: its runs with their processes looked at, its loop, its open questions, its last message. Reads only:
// a run whose process is gone is shown as ended and left as it is, because its own starter may be about to write down how it ended.

import { closeSync, constants, fstatSync } from "node:fs";
import type { AgentTaskStatus } from "../../domain/agent/task-status.ts";
import { AppError } from "../../lib/app-error.ts";
import { describeMachineFault } from "../../lib/machine-fault.ts";
import type { BusEntry } from "../bus/entry.ts";
import { isWaitingFor, listLeftQuestions, listOpenQuestions } from "../bus/questions.ts";
import { tailBus } from "../bus/read-bus.ts";
import { type Liveness, probeRun, reconcileRun } from "../layout/reconcile-run.ts";
import { type RunInfo, readRunInfo, type StopRequest, type UnknownRun } from "../layout/run-info.ts";
import {
  findTask,
  inRun,
  inTask,
  listRuns,
  type RunFolder,
  type RunnerRoot,
  type TaskFolder,
} from "../layout/runner-root.ts";
import { readTaskConfig, readTaskName } from "../layout/task-config.ts";
import { isDone, readHomeworkRun, readStop, readTaskState } from "../layout/task-files.ts";
import { readBeginning } from "../layout/text.ts";
import { parseStamp, toIso } from "../layout/timestamps.ts";
import { type LoopFacts, readLoop } from "./read-loop.ts";
import { describeTask, forecastRestart, type RestartForecast, type TaskState } from "./task-status.ts";

export type RunView = {
  readonly folder: RunFolder;
  readonly info: RunInfo | UnknownRun;
  readonly isActive: boolean;
};

export type TaskView = TaskState & {
  readonly task: TaskFolder;
  /** What a person called it, else the first line of TASK.md; empty where that cannot be read. */
  readonly title: string;
  readonly state: string;
  readonly createdAt: string;
  readonly isDone: boolean;
  readonly stop: StopRequest | null;
  /** The Homework run whose work the task is; null: the task is `run-agent`'s own. */
  readonly homeworkRun: string | null;
  readonly runs: readonly RunView[];
  /** Those that a person can still answer with effect, oldest first. */
  readonly questions: readonly BusEntry[];
  readonly restart: RestartForecast;
  readonly lastMessage: BusEntry | null;
  /** When anything was last written: output, a message, the start or end of a run. Empty: nothing was. */
  readonly lastActivity: string;
  /** What is wrong with the folder; empty: nothing is. */
  readonly problems: readonly string[];
};

/** Messages among which a question may still be open. */
const messagesLookedAt = 2_000;
const titleMax = 200;
/** Of TASK.md, for its title. */
const beginningBytes = 16 * 1024;

/** For a look: what cannot be read is among the problems. */
export const viewTask = (root: RunnerRoot, task: TaskFolder): TaskView => lookAt(root, task).view;

/** For what deletes, clears away or starts something: a task whose runs or loop cannot be read is an error. */
export function viewTaskToAct(root: RunnerRoot, task: TaskFolder): TaskView {
  const { view, isUnclear } = lookAt(root, task);
  if (isUnclear) throw new AppError("unprocessable", view.problems.join(" "));
  return view;
}

function lookAt(root: RunnerRoot, task: TaskFolder): { readonly view: TaskView; readonly isUnclear: boolean } {
  const problems: string[] = [];
  /** One broken file must not hide the rest of the task. */
  const attempt = <T>(look: () => T, otherwise: T): T => {
    try {
      return look();
    } catch (error) {
      const why = error instanceof AppError ? error.message : describeMachineFault(error);
      if (why === null) throw error;
      problems.push(why);
      return otherwise;
    }
  };
  const done = attempt(() => isDone(root, task), false);
  const stop = attempt(() => readStop(root, task), null);
  const readRuns = attempt(() => listRuns(root, task).map((folder) => viewRun(root, folder, done, stop)), null);
  const runs = readRuns ?? [];
  const messages = attempt(() => tailBus({ root, file: inTask(task, "bus") }, messagesLookedAt).entries, []);
  const missing = attempt(() => missingDependencies(root, task), []);
  const lastRun = runs.at(-1)?.info.status ?? null;
  const readFacts = attempt(() => readLoop(root, task), null);
  const loop = readFacts ?? { isDriven: false, run: null };
  const homeworkRun = attempt(() => readHomeworkRun(root, task), null);
  const state = describeTask({
    isDone: done,
    stop,
    activeRuns: runs.filter(({ isActive }) => isActive).length,
    lastRun: lastRun === "running" ? "unknown" : lastRun,
    isWaiting: runs.some(({ isActive, info }) => isActive && isWaitingFor(messages, info.run_id)),
    missing,
    loop,
    homeworkRun,
    nowMs: root.env.now(),
  });
  const lastMessage = messages.at(-1) ?? null;
  const view: TaskView = {
    ...state,
    task,
    title: (attempt(() => readTaskName(root, task), null) ?? readTitle(root, task)).slice(0, titleMax),
    state: attempt(() => readState(root, task), ""),
    createdAt: toIso(parseStamp(task.taskId.slice("task-".length)) ?? 0n),
    isDone: done,
    stop,
    homeworkRun,
    runs,
    questions: homeworkRun === null ? findQuestions(messages, state, loop, runs) : listOpenQuestions(messages),
    restart: homeworkRun === null ? forecastRestart(state, loop, countRestarts(runs)) : leftToHomework,
    lastMessage,
    lastActivity: latest([lastMessage?.ts ?? "", ...runs.slice(-1).flatMap((run) => timesOf(root, run))]),
    problems,
  };
  return { view, isUnclear: readRuns === null || readFacts === null };
}

function viewRun(root: RunnerRoot, folder: RunFolder, done: boolean, stop: StopRequest | null): RunView {
  const info = readRunInfo(root, folder);
  if (info.status !== "running") return { folder, info, isActive: false };
  const liveness: Liveness = probeRun(root, info);
  // The last sign of life stands in for an end that was not written down.
  const endTime = latest([info.start_time, changedAt(root, inRun(folder, "stdout"))]);
  const seen = reconcileRun(info, { liveness, isDone: done, stop, endTime });
  return { folder, info: seen, isActive: seen.status === "running" };
}

const leftToHomework: RestartForecast = { will_restart: "unknown", why: "Homework starts the agents of its runs." };

/** Statuses in which an answer has no effect any more. */
const over: readonly AgentTaskStatus[] = ["done", "stopped", "canceled"];

/**
 * Those of runs at work, of a loop that waits, and of the last run where no loop was started. What any other run asked and left when it
 * ended is history; so is everything once the task is over.
 */
function findQuestions(
  messages: readonly BusEntry[],
  { status, isAlive }: TaskState,
  { run: loop }: LoopFacts,
  runs: readonly RunView[],
): readonly BusEntry[] {
  if (over.includes(status) || (loop !== null && !isAlive && status !== "waiting")) return [];
  const asking = new Set(runs.filter(({ isActive }) => isActive).map(({ info }) => info.run_id));
  const last = runs.at(-1)?.info.run_id ?? "";
  if (loop === null && listLeftQuestions(messages, last).length > 0) asking.add(last);
  const waitedFor = new Set(status === "waiting" ? loop?.questionIds : []);
  return listOpenQuestions(messages).filter(
    ({ msg_id: id, run_id: run, meta }) =>
      run === "" || asking.has(run) || waitedFor.has(id) || (waitedFor.size > 0 && meta.question !== undefined),
  );
}

function countRestarts(runs: readonly RunView[]): number {
  const roots = runs.filter(({ info }) => info.status !== "unknown" && info.parent_run_id === "");
  return roots.filter(({ info }) => info.status !== "unknown" && info.previous_run_id !== "").length;
}

function missingDependencies(root: RunnerRoot, task: TaskFolder): readonly string[] {
  return readTaskConfig(root, task).depends_on.filter((taskId) => {
    const other = findTask(root, task.projectId, taskId);
    return other === null || !isDone(root, other) || !isAccepted(readLoop(root, other));
  });
}

/** Where a loop worked on it, DONE alone is what the agent says. */
const isAccepted = ({ run }: LoopFacts): boolean => run === null || run.status === "completed";

function readTitle(root: RunnerRoot, task: TaskFolder): string {
  const beginning = readBeginning(root.disk, inTask(task, "task"), beginningBytes);
  return (beginning.split("\n").find((each) => each.trim() !== "") ?? "")
    .replace(/^#+\s*/, "")
    .trim()
    .slice(0, titleMax)
    .toWellFormed();
}

function readState(root: RunnerRoot, task: TaskFolder): string {
  const read = readTaskState(root, task);
  return read.kind === "text" ? read.text.trim() : "";
}

function timesOf(root: RunnerRoot, { folder, info }: RunView): readonly string[] {
  const known = info.status === "unknown" ? [] : [info.start_time, info.end_time];
  return [...known, changedAt(root, inRun(folder, "stdout")), changedAt(root, inRun(folder, "stderr"))];
}

/** Empty: there is no such file, or it is not a file. */
function changedAt(root: RunnerRoot, file: string): string {
  try {
    if (root.disk.kindOf(file) !== "file") return "";
    const fd = root.disk.open(file, constants.O_RDONLY);
    try {
      return fstatSync(fd).mtime.toISOString();
    } finally {
      closeSync(fd);
    }
  } catch {
    return "";
  }
}

const latest = (times: readonly string[]): string =>
  times.reduce((last, each) => (msOf(each) > msOf(last) || last === "" ? each : last), "");

// biome-ignore lint/style/noRestrictedGlobals: reads a given time, not the clock
const msOf = (iso: string): number => (iso === "" ? 0 : Date.parse(iso));

// One task with all that its page shows: the runs with their lineage, also where children belong to other tasks, open questions, and
// whether it will be started again.

import { AppError } from "../../lib/app-error.ts";
import { isRecord, readJson } from "../../lib/json.ts";
import { inJob } from "../job/job-files.ts";
import type { RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import { inTask } from "../layout/runner-root.ts";
import { readTaskConfig } from "../layout/task-config.ts";
import { readText, smallTextMax } from "../layout/text.ts";
import type { RunView } from "../overview/task-view.ts";
import { listFiles } from "./allowed-files.ts";
import { describeMessage, describeRun, describeTaskView } from "./describe-task.ts";
import type { TaskBook } from "./task-book.ts";

const runsMax = 500;
const textMax = 256 * 1024;

export function describeDetail(
  root: RunnerRoot,
  book: TaskBook,
  task: TaskFolder,
  others: () => readonly TaskFolder[],
) {
  const view = book.view(task);
  const shown = view.runs.slice(-runsMax);
  const children = findChildren(
    shown,
    others()
      .filter(({ taskId }) => taskId !== task.taskId)
      .flatMap((one) => book.view(one).runs),
  );
  const runs = [...shown, ...children].toSorted((one, other) => (one.info.run_id < other.info.run_id ? -1 : 1));
  const read = readText(root.disk, inTask(task, "task"));
  const problems = read.kind === "unreadable" ? [...view.problems, read.why] : [...view.problems];
  return {
    ...describeTaskView(view),
    text: read.kind === "text" ? read.text.slice(0, textMax).toWellFormed() : "",
    folder: task.path,
    is_done: view.isDone,
    stop_requested: view.stop,
    depends_on: dependenciesOf(root, task),
    run_list: runs.map((run) => describeRun(root, run)),
    runs_left_out: view.runs.length - shown.length,
    questions: view.questions.map(describeMessage),
    files: listFiles(root, task),
    problems,
  };
}

/** Children of these runs, and theirs, in other tasks of the project. */
function findChildren(own: readonly RunView[], foreign: readonly RunView[]): readonly RunView[] {
  const known = new Set(own.map(({ info }) => info.run_id));
  const found: RunView[] = [];
  // Each look finds one more level; delegation has 16 at most.
  for (let level = 0; level < 16; level++) {
    const next = foreign.filter(
      ({ info }) => info.status !== "unknown" && known.has(info.parent_run_id) && !known.has(info.run_id),
    );
    if (next.length === 0) break;
    for (const run of next) known.add(run.info.run_id);
    found.push(...next.slice(0, runsMax));
  }
  return found;
}

function dependenciesOf(root: RunnerRoot, task: TaskFolder): string[] {
  try {
    return [...readTaskConfig(root, task).depends_on];
  } catch (error) {
    if (error instanceof AppError) return []; // Told among the task's problems.
    throw error;
  }
}

export function describeRunDetail(root: RunnerRoot, view: RunView) {
  const { info, folder } = view;
  const known = info.status === "unknown" ? null : info;
  return {
    ...describeRun(root, view),
    agent_version: known?.agent_version ?? null,
    chosen_because: known?.chosen_because ?? null,
    command_line: known?.commandline ?? null,
    work_folder: known?.cwd ?? null,
    folder: folder.path,
    host: known?.host ?? null,
    pid: known?.pid ?? null,
    usage: known?.usage ?? null,
    watch: readWatch(root, view),
    files: listFiles(root, folder),
  };
}

function readWatch(root: RunnerRoot, { folder }: RunView): { state: string; since: string | null } | null {
  const read = readText(root.disk, inJob(folder, "watch"), smallTextMax);
  const value = read.kind === "text" ? readJson(read.text) : null;
  if (!isRecord(value) || typeof value.state !== "string") return null;
  const { since_ms: since } = value;
  return { state: value.state.slice(0, 40), since: isTime(since) ? toIso(since) : null };
}

const isTime = (value: unknown): value is number => typeof value === "number" && value > 0 && value < 8.64e15;
// biome-ignore lint/style/noRestrictedGlobals: writes a given time; reads no clock
const toIso = (ms: number): string => new Date(ms).toISOString();

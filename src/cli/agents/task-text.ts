// Tasks and runs as words and as JSON, the same for every command.

import { duration } from "../../protocol/figures.ts";
import { nameAgent } from "../../runner/layout/run-info.ts";
import type { TaskStatus } from "../../runner/overview/task-status.ts";
import type { RunView, TaskView } from "../../runner/overview/task-view.ts";
import type { Output } from "../output.ts";

const colors = {
  new: "dim",
  blocked: "yellow",
  running: "cyan",
  waiting: "yellow",
  finishing: "cyan",
  done: "green",
  stopped: "yellow",
  failed: "red",
  ended: "yellow",
} as const satisfies Record<TaskStatus, string>;

export const paintStatus = (output: Output, status: TaskStatus): string => output.paint(colors[status], status);

export const agentName = (run: RunView | undefined): string =>
  run === undefined || run.info.status === "unknown" ? "-" : nameAgent(run.info);

/** `failed (1)`: the exit code says more than the word, where it is not the usual one. */
export const runStatus = ({ info }: RunView): string =>
  info.status === "failed" && info.exit_code > 0 ? `failed (${info.exit_code})` : info.status;

/** Of a run that has ended. */
export function runLength({ info }: RunView): string {
  if (info.status !== "completed" && info.status !== "failed") return "-";
  return duration(msOf(info.end_time) - msOf(info.start_time));
}

// biome-ignore lint/style/noRestrictedGlobals: reads a given time, not the clock
const msOf = (iso: string): number => Date.parse(iso);

/** One task in a list. */
export function taskJson(view: TaskView) {
  const { task, status, why, title, state, runs, lastActivity } = view;
  return {
    project_id: task.projectId,
    task_id: task.taskId,
    path: task.path,
    status,
    why,
    title,
    state,
    done: view.isDone,
    runs: runs.length,
    active_runs: runs.filter(({ isActive }) => isActive).length,
    last_run_id: runs.at(-1)?.info.run_id ?? null,
    last_activity: lastActivity === "" ? null : lastActivity,
    problems: view.problems,
  };
}

/** One task with all there is to know. */
export const viewJson = (view: TaskView) => ({
  ...taskJson(view),
  stop_requested: view.stop,
  last_message: view.lastMessage,
  runs: view.runs.map(({ info, isActive }) => ({ ...info, active: isActive })),
});

// Tasks, runs and messages as they go over the wire.

import { closeSync, constants, fstatSync } from "node:fs";
import type { BusEntry } from "../bus/entry.ts";
import { findSpeaker } from "../bus/questions.ts";
import { nameAgent } from "../layout/run-info.ts";
import { inRun, type RunFolder, type RunnerRoot } from "../layout/runner-root.ts";
import type { RunView, TaskView } from "../overview/task-view.ts";

export function describeRun(root: RunnerRoot, { folder, info, isActive }: RunView) {
  const common = {
    run_id: info.run_id,
    task_id: folder.task.taskId as string,
    project_id: folder.task.projectId as string,
    is_active: isActive,
    last_output_at: lastOutput(root, folder),
  };
  if (info.status === "unknown")
    return {
      ...common,
      status: "unknown" as const,
      parent_run_id: null,
      previous_run_id: null,
      agent: "",
      model: null,
      started_at: null,
      ended_at: null,
      exit_code: null,
      error: info.why,
      cost_usd: null,
      stop_requested: null,
    };
  return {
    ...common,
    status: info.status,
    parent_run_id: info.parent_run_id || null,
    previous_run_id: info.previous_run_id || null,
    agent: nameAgent(info),
    model: info.backend_model ?? null,
    started_at: info.start_time,
    ended_at: info.end_time || null,
    exit_code: info.status === "running" ? null : info.exit_code,
    error: info.error_summary ?? null,
    cost_usd: info.cost_usd ?? null,
    stop_requested: info.stop_requested ?? null,
  };
}

/** A task in a list, over HTTP and in a terminal. */
export function describeTaskView(view: TaskView) {
  const { task, runs } = view;
  const known = runs.flatMap(({ info }) => (info.status === "unknown" ? [] : [info]));
  const costs = known.flatMap(({ cost_usd: cost }) => (cost === undefined ? [] : [cost]));
  return {
    project_id: task.projectId as string,
    task_id: task.taskId as string,
    title: view.title,
    status: view.status,
    why: view.why,
    until: view.untilMs === null ? null : toIsoMs(view.untilMs),
    is_alive: view.isAlive,
    state: view.state.slice(0, stateMax).toWellFormed(),
    created_at: view.createdAt,
    last_activity: view.lastActivity === "" ? null : view.lastActivity,
    runs: runs.length,
    active_runs: runs.filter(({ isActive }) => isActive).length,
    agents: [...new Set(known.map(nameAgent))],
    cost_usd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    open_questions: view.questions.length,
    restart: view.restart,
    /** `homework serve` tells of it; the folder alone does not know the run. */
    homework_run: null,
  };
}

// biome-ignore lint/style/noRestrictedGlobals: writes a given time; reads no clock
const toIsoMs = (ms: number): string => new Date(ms).toISOString();

/** TASK_STATE.md is a few words; a page shows no more of it than this. */
const stateMax = 20_000;

export function describeMessage(entry: BusEntry) {
  return {
    msg_id: entry.msg_id,
    ts: entry.ts,
    type: entry.type,
    speaker: findSpeaker(entry),
    task_id: entry.task_id,
    run_id: entry.run_id,
    parents: entry.parents.map(({ msg_id, kind }) => ({ msg_id, kind })),
    body: entry.body,
    attachment: entry.attachment_path || null,
    links: entry.links.map(({ url, label }) => ({ url, label: label ?? null })),
  };
}

/** When the agent last printed something; null: it did not. */
function lastOutput(root: RunnerRoot, run: RunFolder): string | null {
  const times = (["stdout", "stderr"] as const).flatMap((file) => changedAt(root, inRun(run, file)) ?? []);
  return times.sort().at(-1) ?? null;
}

/** Null: there is no such file, or nothing was written to it. */
function changedAt({ disk }: RunnerRoot, file: string): string | null {
  try {
    if (disk.kindOf(file) !== "file") return null;
    const fd = disk.open(file, constants.O_RDONLY);
    try {
      const { mtime, size } = fstatSync(fd);
      return size === 0 ? null : mtime.toISOString();
    } finally {
      closeSync(fd);
    }
  } catch {
    // Removed between the look and the open, or not to be read: there is no time to tell.
    return null;
  }
}

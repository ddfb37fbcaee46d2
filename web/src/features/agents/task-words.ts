// How a task and a run of an agent look on the screen. The words of their states are the contract's.

import type { AgentProject, AgentRun, AgentTask } from "../../../../src/protocol/api.ts";
import { dollars } from "../../../../src/protocol/figures.ts";
import { tone } from "../../lib/tones.ts";

export type TaskStatus = AgentTask["status"];

export const taskStatusColors: Readonly<Record<TaskStatus, string>> = {
  new: tone.plain,
  blocked: tone.plain,
  starting: tone.atWork,
  running: tone.atWork,
  waiting: tone.needsYou,
  held: tone.plain,
  finishing: tone.atWork,
  done: tone.passed,
  stopped: tone.plain,
  failed: tone.failure,
  canceled: tone.plain,
  ended: tone.plain,
};

/** An agent works, or is about to. */
export const isAtWork = (status: TaskStatus): boolean => ["starting", "running", "finishing"].includes(status);

export const runStatusColors: Readonly<Record<AgentRun["status"], string>> = {
  running: tone.atWork,
  completed: tone.passed,
  failed: tone.failure,
  unknown: tone.plain,
};

/** `$0.0123`; null: no cost is known. */
export const costWords = (usd: number | null): string | null =>
  usd === null ? null : dollars(Math.round(usd * 1_000_000));

export type Heartbeat = { readonly words: string; readonly beat: "none" | "live" | "quiet" | "silent" };

const quietMs = 60_000;
const silentMs = 5 * 60_000;

/** How long ago an agent at work gave a sign of life. */
export function describeHeartbeat(at: string | null, nowMs: number): Heartbeat {
  if (at === null) return { words: "No output yet", beat: "none" };
  const ago = Math.max(0, nowMs - Date.parse(at));
  if (ago < quietMs) return { words: `Active ${Math.floor(ago / 1_000)}s ago`, beat: "live" };
  const minutes = Math.floor(ago / 60_000);
  if (ago < silentMs) return { words: `Quiet for ${minutes} min`, beat: "quiet" };
  return { words: `Silent for ${minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`}`, beat: "silent" };
}

/** The project of Homework runs is named after a user's id in the folder, which says nothing to a person. */
export const projectName = ({ kind, project_id: id }: Pick<AgentProject, "kind" | "project_id">): string =>
  kind === "homework_runs" ? "Homework runs" : id;

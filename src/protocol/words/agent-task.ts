// How the task of an agent stands, and how one of its runs does, in a word: the same on pages and in the terminal. Pure, and loaded
// whenever `run-agent` starts: nothing is imported but types.

import type { AgentTaskStatus } from "../../domain/agent/task-status.ts";
import type { AgentRun } from "../api.ts";

export const agentTaskWords: Readonly<Record<AgentTaskStatus, string>> = {
  new: "Not started",
  blocked: "Blocked",
  starting: "Starting",
  running: "Running",
  waiting: "Needs you",
  held: "On hold",
  finishing: "Finishing",
  done: "Done",
  stopped: "Stopped",
  failed: "Failed",
  canceled: "Canceled",
  ended: "Not done",
};

const runWords: Readonly<Record<AgentRun["status"], string>> = {
  running: "Running",
  completed: "Completed",
  failed: "Failed",
  unknown: "Unknown",
};

type Told = Pick<AgentRun, "status" | "exit_code"> & { readonly stop_requested: object | null };

/** `Failed (1)`: the exit code says more than the word, where it is not the usual one. A run that was told to stop has not failed. */
export function agentRunWord({ status, exit_code: code, stop_requested: stop }: Told): string {
  if (status === "failed" && stop !== null) return "Stopped";
  return status === "failed" && code !== null && code > 0 ? `${runWords.failed} (${code})` : runWords[status];
}

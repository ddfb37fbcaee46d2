// A run's status in words and colors, and the number a command ends with that followed it. Pure.

import type { RunSummary } from "../../protocol/api.ts";
import type { ExitName } from "../exit-code.ts";
import type { Output } from "../output.ts";

type RunStatus = RunSummary["status"];

const words: Readonly<Record<RunStatus, string>> = {
  queued: "queued",
  running: "running",
  waiting_on_user: "waits for you",
  completed: "completed",
  stopped: "stopped",
  failed: "failed",
  canceled: "canceled",
};

const styles: Readonly<Record<RunStatus, Parameters<Output["paint"]>[0]>> = {
  queued: "dim",
  running: "cyan",
  waiting_on_user: "yellow",
  completed: "green",
  stopped: "yellow",
  failed: "red",
  canceled: "dim",
};

const exits: Readonly<Record<RunStatus, ExitName>> = {
  // Following never ends at queued or running; a person who leaves by then gets `interrupted`.
  queued: "ok",
  running: "ok",
  completed: "ok",
  stopped: "run_stopped",
  failed: "run_failed",
  canceled: "run_canceled",
  waiting_on_user: "run_waiting",
};

export const statusWords = (status: RunStatus): string => words[status];
export const paintedStatus = (output: Output, status: RunStatus): string => output.paint(styles[status], words[status]);
export const exitOf = (status: RunStatus): ExitName => exits[status];

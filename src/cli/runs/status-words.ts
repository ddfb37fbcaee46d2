// A run's status in words and colors, and the number a command ends with that followed it. Pure.

import type { RunSummary } from "../../protocol/api.ts";
import type { ExitName } from "../exit-code.ts";
import type { Output } from "../output.ts";

type RunStatus = RunSummary["status"];

type Shown = {
  readonly words: string;
  readonly style: Parameters<Output["paint"]>[0];
  readonly exit: ExitName;
};

const shown: Readonly<Record<RunStatus, Shown>> = {
  // Following never ends at queued or running; a person who leaves by then gets `interrupted`.
  queued: { words: "queued", style: "dim", exit: "ok" },
  running: { words: "running", style: "cyan", exit: "ok" },
  waiting_on_user: { words: "waits for you", style: "yellow", exit: "run_waiting" },
  completed: { words: "completed", style: "green", exit: "ok" },
  stopped: { words: "stopped", style: "yellow", exit: "run_stopped" },
  failed: { words: "failed", style: "red", exit: "run_failed" },
  canceled: { words: "canceled", style: "dim", exit: "run_canceled" },
};

export const statusWords = (status: RunStatus): string => shown[status].words;
export const paintedStatus = (output: Output, status: RunStatus): string =>
  output.paint(shown[status].style, shown[status].words);
export const exitOf = (status: RunStatus): ExitName => shown[status].exit;

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
  waiting_on_user: { words: "needs you", style: "yellow", exit: "run_waiting" },
  completed: { words: "completed", style: "green", exit: "ok" },
  stopped: { words: "stopped", style: "yellow", exit: "run_stopped" },
  failed: { words: "failed", style: "red", exit: "run_failed" },
  canceled: { words: "canceled", style: "dim", exit: "run_canceled" },
};

export const statusWords = (status: RunStatus): string => shown[status].words;
type Told = Pick<RunSummary, "status" | "stop_reason" | "silences" | "is_undone" | "is_archived">;

/** A run that a person paused is not one that had to stop. With what became of it since: undone, or archived. */
export const runStatusWords = (run: Told): string =>
  [
    run.stop_reason?.type === "paused" ? "paused" : statusWords(run.status),
    ...(run.silences.length > 0 ? ["no answer"] : []),
    ...(run.is_undone ? ["undone"] : []),
    ...(run.is_archived ? ["archived"] : []),
  ].join(", ");
export const paintStatus = (output: Output, status: RunStatus, words: string): string =>
  output.paint(shown[status].style, words);
export const exitOf = (status: RunStatus): ExitName => shown[status].exit;

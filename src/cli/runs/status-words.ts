// A run's status in a terminal: its word, its color, and the number a command ends with that followed it. Pure.

import type { RunSummary } from "../../protocol/api.ts";
import { runStatusWord } from "../../protocol/words/run-status.ts";
import type { ExitName } from "../exit-code.ts";
import type { Output } from "../output.ts";

type RunStatus = RunSummary["status"];

type Shown = {
  readonly style: Parameters<Output["paint"]>[0];
  readonly exit: ExitName;
};

const shown: Readonly<Record<RunStatus, Shown>> = {
  // Following never ends at queued or running; a person who leaves by then gets `interrupted`.
  queued: { style: "dim", exit: "ok" },
  running: { style: "cyan", exit: "ok" },
  waiting_on_user: { style: "yellow", exit: "run_waiting" },
  completed: { style: "green", exit: "ok" },
  stopped: { style: "yellow", exit: "run_stopped" },
  failed: { style: "red", exit: "run_failed" },
  canceled: { style: "dim", exit: "run_canceled" },
};

/** `isPaused`: see the contract's words. */
export const statusWord = (status: RunStatus, isPaused = false): string =>
  runStatusWord(status, isPaused).toLowerCase();

type Told = Pick<RunSummary, "status" | "stop_reason" | "silences" | "is_undone" | "is_archived">;

/** With what became of it since: undone, or archived. */
export const runStatusWords = (run: Told): string =>
  [
    statusWord(run.status, run.stop_reason?.type === "paused"),
    ...(run.silences.length > 0 ? ["no answer"] : []),
    ...(run.is_undone ? ["undone"] : []),
    ...(run.is_archived ? ["archived"] : []),
  ].join(", ");
export const paintStatus = (output: Output, status: RunStatus, words: string): string =>
  output.paint(shown[status].style, words);
export const exitOf = (status: RunStatus): ExitName => shown[status].exit;

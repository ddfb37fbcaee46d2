// A run that says "running" while its process is gone, as readers show it. They do not write that down: its shim may be about to, and
// where the shim is gone as well, `settle-job.ts` does, under a lock.

import { answersSignals, isAlive } from "../../files/process-identity.ts";
import type { RunInfo, StopRequest } from "./run-info.ts";
import type { RunnerRoot } from "./runner-root.ts";

/** Elsewhere: the process belongs to another host, so this one cannot tell. */
export type Liveness = "alive" | "dead" | "elsewhere";

export type Reality = {
  readonly liveness: Liveness;
  /** The task's DONE is there. */
  readonly isDone: boolean;
  readonly stop: StopRequest | null;
  readonly endTime: string;
};

/** The record as it should read; the same object where it is right already. */
export function reconcileRun(info: RunInfo, { liveness, isDone, stop, endTime }: Reality): RunInfo {
  if (info.status !== "running" || liveness !== "dead") return info;
  const ended = { ...info, end_time: endTime, ...(stop === null ? {} : { stop_requested: stop }) };
  if (isDone) return { ...ended, status: "completed", exit_code: 0 };
  const why = stop === null ? "its end was not recorded" : `it was stopped: ${stop.reason}`;
  return {
    ...ended,
    status: "failed",
    exit_code: -1,
    error_summary: info.error_summary ?? `The process is gone; ${why}.`,
  };
}

/** Looks for exactly this process, or its shim; where its start is not known, for any process with its pid. */
export function probeRun(root: RunnerRoot, info: RunInfo): Liveness {
  if (info.host !== undefined && info.host !== root.host) return "elsewhere";
  const { pid, process_started: started, shim_pid: shimPid, shim_started: shimStarted = "" } = info;
  if (shimPid !== undefined && isAlive({ pid: shimPid, started: shimStarted })) return "alive";
  const isThere = started === undefined ? answersSignals(pid) : isAlive({ pid, started });
  return isThere ? "alive" : "dead";
}

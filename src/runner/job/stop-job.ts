// Stops a run: the request is on the disk first, then the shim is told, which asks the agent and everything it has started to end, waits
// for the grace, and kills the rest. Where the shim is gone or does not answer, its work is done here. Doing it again does no harm.

import { isAlive, type ProcessIdentity, signal } from "../../files/process-identity.ts";
import { readRunInfo } from "../layout/run-info.ts";
import type { RunFolder } from "../layout/runner-root.ts";
import { requestStop } from "../layout/task-files.ts";
import { endProcesses } from "./end-processes.ts";
import { agentOf, type JobDeps, type JobResult } from "./job.ts";
import { tagOf } from "./job-files.ts";
import { makeFamily } from "./members.ts";
import { settleJob } from "./settle-job.ts";

export type StopOptions = {
  readonly by: string;
  readonly reason: string;
  /** How long the shim may take: the run's own grace, and the time to write everything down. */
  readonly patienceMs?: number;
};

export type Stopped =
  | { readonly kind: "stopped"; readonly result: JobResult }
  /** The shim of the other host, or the one that is about to start, will see the request. */
  | { readonly kind: "requested" };

const patienceMs = 30_000;
const lookEveryMs = 25;
const leftoverGraceMs = 1_000;

export async function stopJob(deps: JobDeps, run: RunFolder, options: StopOptions): Promise<Stopped> {
  const { root } = deps;
  const before = readRunInfo(root, run);
  const fault = before.status === "running" || before.status === "unknown" ? tryRequest(deps, run, options) : null;
  const until = root.env.now() + (options.patienceMs ?? patienceMs);
  let told: ProcessIdentity | null = null;
  for (;;) {
    const settled = await settleJob(deps, run, told);
    switch (settled.kind) {
      case "ended":
        await sweep(deps, run);
        if (fault !== null) throw fault.error;
        return { kind: "stopped", result: settled.result };
      case "elsewhere":
        return { kind: "requested" };
      case "unknown":
        // Its record is gone, and no shim is there: what carries its tag is ended, and that is written down.
        told = { pid: root.self.pid, started: "gone" };
        break;
      case "running":
        if (settled.shim === null && root.env.now() >= until) return { kind: "requested" };
        told = tell(settled.shim, told, root.env.now() >= until) ?? told;
        await root.env.sleep(lookEveryMs);
    }
  }
}

/** On a full disk the run is stopped all the same, and the caller is told that the request could not be kept. */
function tryRequest(
  { root }: JobDeps,
  run: RunFolder,
  { by, reason }: StopOptions,
): { readonly error: unknown } | null {
  try {
    requestStop(root, run, by, reason);
    return null;
  } catch (error) {
    return { error };
  }
}

/** A shim that does not end although it was told to is killed; the next look does its work. */
function tell(shim: ProcessIdentity | null, told: ProcessIdentity | null, isLate: boolean): ProcessIdentity | null {
  if (shim === null) return null;
  if (isLate && isAlive(shim)) signal(shim, "SIGKILL");
  else if (shim.pid !== told?.pid || shim.started !== told.started) signal(shim, "SIGTERM");
  return shim;
}

/** A run that has ended should have left nothing; this makes sure. */
async function sweep({ root, table }: JobDeps, run: RunFolder): Promise<void> {
  const info = readRunInfo(root, run);
  const agent = info.status === "unknown" ? null : agentOf(info);
  await endProcesses(makeFamily(tagOf(run), agent), { ...root, table, ask: "SIGTERM", graceMs: leftoverGraceMs });
}

// A look at a run that says "running": is someone still waiting for its agent? Where the shim is gone (killed, out of memory, power
// failure), what the agent left is ended and the end is written down, once, by the one that holds the lock.

import { isAlive, type ProcessIdentity } from "../../files/process-identity.ts";
import { type RunInfo, readRunInfo, type UnknownRun } from "../layout/run-info.ts";
import type { RunFolder } from "../layout/runner-root.ts";
import { isDone, readStop } from "../layout/task-files.ts";
import { endProcesses } from "./end-processes.ts";
import { finishJob } from "./finish-job.ts";
import { agentOf, type JobDeps, type JobResult, shimOf } from "./job.ts";
import { lockRun, readResult, tagOf, toResult } from "./job-files.ts";
import { makeFamily } from "./members.ts";

export type Settled =
  | { readonly kind: "ended"; readonly result: JobResult }
  | { readonly kind: "running"; readonly shim: ProcessIdentity | null }
  /** It belongs to another host, which alone can tell. */
  | { readonly kind: "elsewhere" }
  /** Its record is missing or cannot be read, and it was never seen to start. */
  | { readonly kind: "unknown"; readonly why: string };

/** Shorter than for a stop: an agent whose output is no longer read does not get far. */
const graceMs = 2_000;

/** `shim` is what a handle says: it holds where the agent has removed the record. */
export async function settleJob(deps: JobDeps, run: RunFolder, shim: ProcessIdentity | null = null): Promise<Settled> {
  // A shim ends after it has written the end: one that was seen gone has done so by the second look, without a lock, which a full disk refuses.
  const first = look(deps, run, shim);
  const seen = first === "lost" ? look(deps, run, shim) : first;
  if (seen !== "lost") return seen;
  return lockRun(deps.root, run, async () => {
    const again = look(deps, run, shim);
    return again === "lost" ? { kind: "ended", result: await recordLoss(deps, run) } : again;
  });
}

function look({ root, table }: JobDeps, run: RunFolder, known: ProcessIdentity | null): Settled | "lost" {
  const info = readRunInfo(root, run);
  if (info.status === "completed" || info.status === "failed")
    return { kind: "ended", result: readResult(root, run) ?? toResult(info) };
  if (info.status === "running" && info.host !== undefined && info.host !== root.host) return { kind: "elsewhere" };
  const named = info.status === "running" ? shimOf(info) : known;
  if (named !== null && isAlive(named)) return { kind: "running", shim: named };
  // Nothing is named yet: the starter is at it, or its shim is about to take the run.
  if (named === null && isStarterAlive(info)) return { kind: "running", shim: null };
  const tag = tagOf(run);
  const unnamed = table().find(({ marks }) => marks.shim === tag);
  if (unnamed) return { kind: "running", shim: { pid: unnamed.pid, started: unnamed.started } };
  return info.status === "unknown" && known === null ? { kind: "unknown", why: info.why } : "lost";
}

const isStarterAlive = (info: RunInfo | UnknownRun): boolean =>
  info.status === "running" && isAlive({ pid: info.pid, started: info.process_started ?? "" });

async function recordLoss(deps: JobDeps, run: RunFolder): Promise<JobResult> {
  const { root } = deps;
  const info = readRunInfo(root, run);
  const known = info.status === "running" ? info : undefined;
  const agent = known ? agentOf(known) : null;
  const { found, left } = await endProcesses(makeFamily(tagOf(run), agent), {
    ...root,
    table: deps.table,
    ask: "SIGTERM",
    graceMs,
  });
  const stop = readStop(root, run);
  const wasStarted = known === undefined || known.shim_pid !== undefined;
  const result: JobResult = {
    run_id: run.runId,
    verdict: isTaskDone(deps, run)
      ? { kind: "ok" }
      : { kind: "transient", why: describeLoss(wasStarted, found), notBeforeMs: null },
    exit_code: isTaskDone(deps, run) ? 0 : -1,
    signal: null,
    stop,
    timeout: null,
    session: null,
    tokens: null,
    cost_usd: null,
    session_totals: null,
    notes: left.length === 0 ? [] : [`Processes that could not be ended: ${left.map(({ pid }) => pid).join(", ")}.`],
  };
  return finishJob({ ...deps, log: () => {} }, run, known, { result, text: "", stderr: "", isAgain: true });
}

function describeLoss(wasStarted: boolean, found: number): string {
  if (!wasStarted) return "The process that should have started the agent is gone. The agent was not started.";
  const what = found === 0 ? "No process of the agent was left." : `Processes of the agent that were ended: ${found}.`;
  return `The process that waited for the agent is gone, so its end is not known. ${what}`;
}

function isTaskDone({ root }: JobDeps, run: RunFolder): boolean {
  try {
    return isDone(root, run.task);
  } catch {
    return false;
  }
}

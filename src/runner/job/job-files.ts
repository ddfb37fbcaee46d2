// The files of a job in its run folder beside those that everyone reads, and the keys under which runs of a task were started.

import { createHash } from "node:crypto";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { readJson } from "../../lib/json.ts";
import { object, text, tryFit } from "../../lib/shape.ts";
import { requireRunId } from "../layout/ids.ts";
import { lockFile } from "../layout/lock-file.ts";
import type { RunInfo } from "../layout/run-info.ts";
import { findTask, inTask, type RunFolder, type RunnerRoot, type TaskFolder } from "../layout/runner-root.ts";
import { readText, smallTextMax } from "../layout/text.ts";
import { type JobHandle, type JobResult, resultShape } from "./job.ts";

export const jobFiles = {
  result: "result.json",
  taken: "result-taken.json",
  watch: "watch.json",
  /** How far its agent has read the bus. */
  busSeen: "bus-seen.json",
  /** How far it has polled the bus, by filter. */
  busPolled: "bus-polled.json",
  log: "shim-log.txt",
  own: "own",
  home: "home",
  temp: "tmp",
} as const;

export const inJob = (run: RunFolder, file: keyof typeof jobFiles): string => path.join(run.path, jobFiles[file]);

const keysFolder = "job-keys";
/** Outside of the run's folder: its agent may be removing that. */
const locksFolder = "job-locks";
/** Longer than ending the processes of a run, or starting one, can take. */
const lockWaitMs = 120_000;

/** In the environment of every process of the run. It follows from the folder, so it is known when the folder is gone. */
export function tagOf(run: RunFolder): string {
  return `${run.runId}-${createHash("sha256").update(run.path).digest("hex").slice(0, 16)}`;
}

/** Null: the run has no result yet, or its file was spoiled. */
export function readResult(root: RunnerRoot, run: RunFolder): JobResult | null {
  const read = readText(root.disk, inJob(run, "result"), smallTextMax);
  const result = read.kind === "text" ? tryFit(resultShape, readJson(read.text)) : null;
  return result?.run_id === run.runId ? result : null;
}

export const writeResult = (root: RunnerRoot, run: RunFolder, result: JobResult): void =>
  root.disk.replace(inJob(run, "result"), `${JSON.stringify(result, null, 2)}\n`);

/** What the record tells where the result itself is missing: an older program wrote it, or the agent removed it. */
export function toResult(info: RunInfo & { readonly status: "completed" | "failed" }): JobResult {
  const { usage } = info;
  return {
    run_id: info.run_id,
    verdict:
      info.status === "completed"
        ? { kind: "ok" }
        : { kind: "failed", why: info.error_summary ?? `It ended with exit code ${info.exit_code}.` },
    exit_code: info.exit_code,
    signal: null,
    stop: info.stop_requested ?? null,
    timeout: null,
    session: null,
    tokens: usage
      ? {
          input: usage.input_tokens,
          cacheRead: usage.cache_read_tokens,
          cacheWrite: usage.cache_write_tokens,
          output: usage.output_tokens,
          reasoning: usage.reasoning_tokens,
        }
      : null,
    cost_usd: info.cost_usd ?? null,
    session_totals: null,
    notes: [],
  };
}

/** An agent can remove the folder of its own run, or put something else in its place. */
export function restoreFolder({ disk }: RunnerRoot, run: RunFolder): void {
  const kind = disk.kindOf(run.path);
  if (kind === "folder") return;
  if (kind !== null) disk.move(run.path, `${run.path}.replaced`);
  disk.makeFolder(run.path);
}

const takenShape = object({ by: text });

/** Of all who ask, one gets true, and the same again whenever it asks: a crash right after taking loses nothing. */
export async function takeResult(root: RunnerRoot, run: RunFolder, by: string): Promise<boolean> {
  const file = inJob(run, "taken");
  return lockFile(root, file, lockWaitMs, async () => {
    const read = readText(root.disk, file, smallTextMax);
    if (read.kind === "missing") root.disk.replace(file, JSON.stringify({ by }));
    return read.kind === "missing" || (read.kind === "text" && tryFit(takenShape, readJson(read.text))?.by === by);
  });
}

/** The run of a handle, also where the agent has removed its folder. */
export function locateJob(root: RunnerRoot, handle: JobHandle): RunFolder {
  const task = findTask(root, handle.project_id, handle.task_id);
  if (task === null)
    throw new AppError("not_found", `The folder of task ${handle.task_id} in ${handle.project_id} is gone.`);
  return locateRun(task, handle.run_id);
}

export function locateRun(task: TaskFolder, runId: string): RunFolder {
  const checked = requireRunId(runId);
  return { task, runId: checked, path: path.join(inTask(task, "runs"), checked) };
}

const keyFile = (task: TaskFolder, key: string): string =>
  path.join(task.path, keysFolder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`);

const keyShape = object({ key: text, run_id: text });

/** The run that was started under this key; null: none was. */
export function findKey(root: RunnerRoot, task: TaskFolder, key: string): string | null {
  const read = readText(root.disk, keyFile(task, key), smallTextMax);
  const kept = read.kind === "text" ? tryFit(keyShape, readJson(read.text)) : null;
  return kept?.key === key ? kept.run_id : null;
}

/** Before anything of the run can start. */
export const keepKey = (root: RunnerRoot, task: TaskFolder, key: string, runId: string): void =>
  root.disk.replace(keyFile(task, key), JSON.stringify({ key, run_id: runId }));

/** Only one process at a time settles a run. */
export const lockRun = <T>(root: RunnerRoot, run: RunFolder, work: () => Promise<T>): Promise<T> =>
  lockFile(root, path.join(run.task.path, locksFolder, run.runId), lockWaitMs, work);

/** Only one process at a time looks for a key and starts what is missing. */
export const lockKey = <T>(root: RunnerRoot, task: TaskFolder, key: string, work: () => Promise<T>): Promise<T> =>
  lockFile(root, keyFile(task, key), lockWaitMs, work);

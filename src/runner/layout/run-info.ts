// `run-info.yaml`, version 1: what is known about one agent run. Written whole by a rename; whatever reads and then writes holds the
// file's lock. Readers ignore keys they do not know and keep them when they write; a file that is missing, torn, of another run or of
// a later version is a run of status "unknown". Paths in it are for people: our own code takes them from the folder.

import { existsSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { AppError } from "../../lib/app-error.ts";
import { lockFile } from "./lock-file.ts";
import { inRun, type RunFolder, type RunnerRoot } from "./runner-root.ts";
import { readText, writeText } from "./text.ts";
import { readYaml, toYaml } from "./yaml-file.ts";

const latestVersion = 1;
const lockWaitMs = 5_000;

const name = z.string().min(1);
const time = z.iso.datetime({ offset: true });
const count = z.int().nonnegative();
/** An optional key with something else in it counts as missing. */
const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const usageSchema = z.object({
  input_tokens: count,
  cache_read_tokens: count,
  cache_write_tokens: count,
  output_tokens: count,
  reasoning_tokens: count,
});

const stopSchema = z.object({ at: z.string(), by: z.string(), reason: z.string() });

const baseSchema = z.object({
  version: z.int().positive().default(latestVersion),
  run_id: name,
  project_id: name,
  task_id: name,
  /** Empty for the root run of a task. */
  parent_run_id: z.string().default(""),
  /** Empty for the first run of a restart chain. */
  previous_run_id: z.string().default(""),
  agent: name,
  pid: z.int().positive(),
  pgid: z.int().positive(),
  /** When the process started, in the words of its host: tells it from a later one with the same pid. */
  process_started: optional(z.string()),
  /** Our own process that waits for the agent. While it is alive the run is, also before and after the agent. */
  shim_pid: optional(z.int().positive()),
  shim_started: optional(z.string()),
  /** Where pid means something. */
  host: optional(z.string()),
  /** An external process is never signalled by us. */
  process_ownership: z.enum(["managed", "external"]).catch("managed"),
  start_time: time,
  cwd: z.string(),
  prompt_path: z.string(),
  output_path: z.string(),
  stdout_path: z.string(),
  stderr_path: z.string(),
  commandline: optional(z.string()),
  backend_provider: optional(z.string()),
  backend_model: optional(z.string()),
  backend_endpoint: optional(z.string()),
  agent_version: optional(z.string()),
  error_summary: optional(z.string()),
  usage: optional(usageSchema),
  cost_usd: optional(z.number().nonnegative()),
  /** Why this backend and not another. */
  chosen_because: optional(z.string()),
  /** How many runs stand above it: 0 for one that a person started. */
  depth: optional(z.int().nonnegative()),
  /** A copy of the STOP-REQUESTED that ended the run. */
  stop_requested: optional(stopSchema),
});

const runningSchema = baseSchema.extend({
  status: z.literal("running"),
  end_time: z.literal(""),
  exit_code: z.literal(-1),
});
const endedSchema = baseSchema.extend({
  status: z.enum(["completed", "failed"]),
  end_time: time,
  exit_code: z.int(),
});
const infoSchema = z.discriminatedUnion("status", [runningSchema, endedSchema]);

export type StopRequest = Readonly<z.output<typeof stopSchema>>;
export type RunningRun = Readonly<z.output<typeof runningSchema>>;
export type EndedRun = Readonly<z.output<typeof endedSchema>>;
export type RunInfo = RunningRun | EndedRun;
/** What stands in for a run whose file tells nothing. */
export type UnknownRun = {
  readonly status: "unknown";
  readonly run_id: string;
  readonly task_id: string;
  readonly project_id: string;
  /** Only a file that is missing or torn may be written anew. */
  readonly cause: "missing" | "torn" | "foreign" | "newer";
  readonly why: string;
};

/** What the starter of a run says about it; the rest follows from the folder. */
export type NewRun = Pick<RunningRun, "agent" | "pid" | "pgid" | "cwd"> &
  Partial<Omit<RunningRun, "version" | "status" | "end_time" | "exit_code" | "run_id" | "project_id" | "task_id">>;

export function readRunInfo(root: RunnerRoot, run: RunFolder): RunInfo | UnknownRun {
  return readRaw(root, run).info;
}

type RawRun = { readonly info: RunInfo | UnknownRun; readonly raw: Readonly<Record<string, unknown>> };

function readRaw(root: RunnerRoot, run: RunFolder): RawRun {
  const file = inRun(run, "info");
  const read = readYaml(file, readText(root.disk, file));
  if (read.kind === "missing") return { info: unknownRun(run, "missing", `${file} is missing.`), raw: {} };
  if (read.kind === "unreadable") return { info: unknownRun(run, "torn", read.why), raw: {} };
  return { info: parseRunInfo(run, read.value), raw: read.value };
}

function parseRunInfo(run: RunFolder, raw: Readonly<Record<string, unknown>>): RunInfo | UnknownRun {
  const file = inRun(run, "info");
  if (typeof raw.version === "number" && raw.version > latestVersion)
    return unknownRun(run, "newer", `${file} has version ${raw.version}; this program knows version ${latestVersion}.`);
  const parsed = infoSchema.safeParse(withStatus(raw));
  if (!parsed.success) {
    const { path: key = [], message = "" } = parsed.error.issues[0] ?? {};
    return unknownRun(run, "torn", `${file} is incomplete: ${key.join(".") || "status"}: ${message}.`);
  }
  if (parsed.data.run_id !== run.runId) return unknownRun(run, "foreign", `${file} describes another run.`);
  return parsed.data;
}

/** Older files have no status; end and exit code tell it. */
function withStatus(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const end = raw.end_time ?? "";
  // Programs written in Go put their zero time there while the run is running.
  const isRunning = end === "" || (typeof end === "string" && end.startsWith("0001-01-01"));
  if (isRunning) return { ...raw, status: "running", end_time: "", exit_code: -1 };
  return raw.status === undefined ? { ...raw, status: raw.exit_code === 0 ? "completed" : "failed" } : raw;
}

const unknownRun = ({ task, runId }: RunFolder, cause: UnknownRun["cause"], why: string): UnknownRun => ({
  status: "unknown",
  run_id: runId,
  task_id: task.taskId,
  project_id: task.projectId,
  cause,
  why,
});

/** The first record of a run. The prompt and both output files must be there: readers follow these paths at once. */
export function createRunInfo(root: RunnerRoot, run: RunFolder, given: NewRun): RunningRun {
  const info = runningSchema.parse({
    version: latestVersion,
    run_id: run.runId,
    project_id: run.task.projectId,
    task_id: run.task.taskId,
    host: root.host,
    start_time: toTime(root),
    prompt_path: inRun(run, "prompt"),
    output_path: inRun(run, "output"),
    stdout_path: inRun(run, "stdout"),
    stderr_path: inRun(run, "stderr"),
    process_ownership: "managed",
    ...given,
    status: "running",
    end_time: "",
    exit_code: -1,
  });
  checkPaths(info);
  writeText(root.disk, inRun(run, "info"), toYaml(info));
  return info;
}

/**
 * Read, changed and written under the lock. Null from `change` leaves the file as it is. An agent can delete or tear the record of its
 * own run: `lastKnown` then takes its place.
 */
export async function updateRunInfo(
  root: RunnerRoot,
  run: RunFolder,
  change: (info: RunInfo) => RunInfo | null,
  lastKnown?: RunInfo,
): Promise<RunInfo | UnknownRun> {
  return lockFile(root, inRun(run, "info"), lockWaitMs, async () => {
    const { info: found, raw } = readRaw(root, run);
    const info = isLost(found) ? (lastKnown ?? found) : found;
    const next = info.status === "unknown" ? null : change(info);
    if (next === null) return found;
    writeText(root.disk, inRun(run, "info"), toYaml({ ...raw, ...infoSchema.parse(next) }));
    return next;
  });
}

const isLost = (info: RunInfo | UnknownRun): boolean =>
  info.status === "unknown" && (info.cause === "missing" || info.cause === "torn");

export type RunEnd = { readonly exitCode: number; readonly isSuccess: boolean } & Partial<
  Pick<RunInfo, "error_summary" | "usage" | "cost_usd" | "stop_requested">
>;

/** Writes down the end of a run, once: a run that has ended stays as it is. */
export function endRun(
  root: RunnerRoot,
  run: RunFolder,
  end: RunEnd,
  lastKnown?: RunInfo,
): Promise<RunInfo | UnknownRun> {
  const { exitCode, isSuccess, ...more } = end;
  const change = (info: RunInfo): RunInfo | null =>
    info.status === "running"
      ? {
          ...info,
          ...more,
          status: isSuccess ? "completed" : "failed",
          end_time: laterTime(root, info),
          exit_code: exitCode,
        }
      : null;
  return updateRunInfo(root, run, change, lastKnown);
}

const toTime = (root: RunnerRoot): string => isoTime(root.env.now());

/** Now, or the start where the clock was set back meanwhile. */
function laterTime(root: RunnerRoot, { start_time: start }: RunInfo): string {
  const now = toTime(root);
  return msOf(start) > msOf(now) ? start : now;
}

// biome-ignore lint/style/noRestrictedGlobals: writes a given time; reads no clock
const isoTime = (ms: number): string => new Date(ms).toISOString();
// biome-ignore lint/style/noRestrictedGlobals: reads a given time, not the clock
const msOf = (iso: string): number => Date.parse(iso);

function checkPaths(info: RunningRun): void {
  const { cwd, prompt_path: prompt, stdout_path: stdout, stderr_path: stderr, output_path: output } = info;
  for (const file of [cwd, prompt, stdout, stderr, output])
    if (!path.isAbsolute(file) || path.normalize(file) !== file)
      throw new AppError("invalid_request", `${file} must be an absolute path without "." and "..".`);
  const missing = [cwd, prompt, stdout, stderr].filter((file) => !existsSync(file));
  if (missing.length > 0)
    throw new AppError("not_found", `The run cannot be recorded: ${missing.join(", ")} is missing.`);
}

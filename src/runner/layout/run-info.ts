// `run-info.yaml`, version 1: what is known about one agent run. Written whole by a rename; whatever reads and then writes holds the
// file's lock. Readers ignore keys they do not know and keep them when they write; a file that is missing, torn, of another run or of
// a later version is a run of status "unknown". Paths in it are for people: our own code takes them from the folder.

import { existsSync } from "node:fs";
import path from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { isRecord } from "../../lib/json.ts";
import {
  amount,
  count,
  lenient,
  matching,
  mustFit,
  name,
  object,
  oneOf,
  ordinal,
  orElse,
  type ReadBy,
  type Shape,
  text,
  whole,
} from "../../lib/shape.ts";
import { lockFile } from "./lock-file.ts";
import { inRun, type RunFolder, type RunnerRoot } from "./runner-root.ts";
import { type TextRead, writeText } from "./text.ts";
import { readYamlText, toMapping, toYaml } from "./yaml-file.ts";

const latestVersion = 1;
const lockWaitMs = 5_000;

// biome-ignore lint/style/noRestrictedGlobals: reads a given time, not the clock
const msOf = (iso: string): number => Date.parse(iso);

const time: Shape<string> = (value) => {
  const fit = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/, "a time")(value);
  return fit.ok && Number.isNaN(msOf(fit.value)) ? { ok: false, at: "", why: "there is no such time" } : fit;
};
/** An optional key with something else in it counts as missing. */
const maybe = <T>(shape: Shape<T>) => lenient(shape, undefined);

const usageShape = object({
  input_tokens: count,
  cache_read_tokens: count,
  cache_write_tokens: count,
  output_tokens: count,
  reasoning_tokens: count,
});

const stopShape = object({ at: text, by: text, reason: text });

const baseFields = {
  version: orElse(ordinal, latestVersion),
  run_id: name,
  project_id: name,
  task_id: name,
  /** Empty for the root run of a task. */
  parent_run_id: orElse(text, ""),
  /** Empty for the first run of a restart chain. */
  previous_run_id: orElse(text, ""),
  /** The kind of agent: claude, command, … */
  agent: name,
  /** As the settings call it, where that is another name. */
  agent_name: maybe(text),
  pid: ordinal,
  pgid: ordinal,
  /** When the process started, in the words of its host: tells it from a later one with the same pid. */
  process_started: maybe(text),
  /** Our own process that waits for the agent. While it is alive the run is, also before and after the agent. */
  shim_pid: maybe(ordinal),
  shim_started: maybe(text),
  /** Where pid means something. */
  host: maybe(text),
  /** An external process is never signalled by us. */
  process_ownership: lenient(oneOf("managed", "external"), "managed" as const),
  start_time: time,
  cwd: text,
  prompt_path: text,
  output_path: text,
  stdout_path: text,
  stderr_path: text,
  commandline: maybe(text),
  backend_provider: maybe(text),
  backend_model: maybe(text),
  backend_endpoint: maybe(text),
  agent_version: maybe(text),
  error_summary: maybe(text),
  usage: maybe(usageShape),
  cost_usd: maybe(amount),
  /** Why this backend and not another. */
  chosen_because: maybe(text),
  /** How many runs stand above it: 0 for one that a person started. */
  depth: maybe(count),
  /** How deep the agents below it may go: what whoever started the first run had set. */
  depth_max: maybe(count),
  /** A copy of the STOP-REQUESTED that ended the run. */
  stop_requested: maybe(stopShape),
};

const runningShape = object({ ...baseFields, status: oneOf("running"), end_time: oneOf(""), exit_code: oneOf(-1) });
const endedShape = object({ ...baseFields, status: oneOf("completed", "failed"), end_time: time, exit_code: whole });
const infoShape: Shape<RunInfo> = (value) =>
  isRecord(value) && value.status === "running" ? runningShape(value) : endedShape(value);

export type StopRequest = Readonly<ReadBy<typeof stopShape>>;
export type RunningRun = Readonly<ReadBy<typeof runningShape>>;
export type EndedRun = Readonly<ReadBy<typeof endedShape>>;
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

/**
 * By root and file, the record that was read last: whatever waits for a run looks at it many times a second, and parsing it takes a
 * hundred times as long as reading it.
 */
const lastRead = new WeakMap<RunnerRoot, Map<string, { readonly text: string; readonly parsed: RawRun }>>();
/** Records of a page of runs. */
const rememberedMax = 500;

function readRaw(root: RunnerRoot, run: RunFolder): RawRun {
  const file = inRun(run, "info");
  const read = readYamlText(root.disk, file);
  const records = lastRead.get(root) ?? new Map();
  lastRead.set(root, records);
  const known = records.get(file);
  if (read.kind === "text" && known?.text === read.text) return known.parsed;
  const parsed = parseRaw(run, file, read);
  if (records.size >= rememberedMax) records.clear();
  if (read.kind === "text") records.set(file, { text: read.text, parsed });
  return parsed;
}

function parseRaw(run: RunFolder, file: string, found: TextRead): RawRun {
  const read = toMapping(file, found);
  if (read.kind === "missing") return { info: unknownRun(run, "missing", `${file} is missing.`), raw: {} };
  if (read.kind === "unreadable") return { info: unknownRun(run, "torn", read.why), raw: {} };
  return { info: parseRunInfo(run, read.value), raw: read.value };
}

function parseRunInfo(run: RunFolder, raw: Readonly<Record<string, unknown>>): RunInfo | UnknownRun {
  const file = inRun(run, "info");
  if (typeof raw.version === "number" && raw.version > latestVersion)
    return unknownRun(run, "newer", `${file} has version ${raw.version}; this program knows version ${latestVersion}.`);
  const fit = infoShape(withStatus(raw));
  if (!fit.ok) return unknownRun(run, "torn", `${file} is incomplete: ${fit.at}: ${fit.why}.`);
  if (fit.value.run_id !== run.runId) return unknownRun(run, "foreign", `${file} describes another run.`);
  return fit.value;
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
  const info = mustFit(runningShape, {
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
    writeText(root.disk, inRun(run, "info"), toYaml({ ...raw, ...mustFit(infoShape, next) }));
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
function checkPaths(info: RunningRun): void {
  const { cwd, prompt_path: prompt, stdout_path: stdout, stderr_path: stderr, output_path: output } = info;
  for (const file of [cwd, prompt, stdout, stderr, output])
    if (!path.isAbsolute(file) || path.normalize(file) !== file)
      throw new AppError("invalid_request", `${file} must be an absolute path without "." and "..".`);
  const missing = [cwd, prompt, stdout, stderr].filter((file) => !existsSync(file));
  if (missing.length > 0)
    throw new AppError("not_found", `The run cannot be recorded: ${missing.join(", ")} is missing.`);
}

/** For people. */
export const nameAgent = ({ agent, agent_name: given }: Pick<RunInfo, "agent" | "agent_name">): string =>
  given ?? agent;

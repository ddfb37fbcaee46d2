// All that happens to a task, as one stream of events: its runs, its messages, and the log of one run. A reader that comes back names the
// cursor of the last event it has, and misses nothing that is still in the files.

import { openBus } from "../bus/bus.ts";
import { followBus } from "../bus/read-bus.ts";
import type { ProjectFolder, RunFolder, RunnerRoot, TaskFolder } from "../layout/runner-root.ts";
import type { TaskView } from "../overview/task-view.ts";
import { describeMessage } from "./describe-task.ts";
import { type LogPage, type LogStream, readLog } from "./log-lines.ts";
import { mergeStreams } from "./merge-streams.ts";

export type StreamEvent = { readonly name: string; readonly data: unknown; readonly id: string | null };

export type StreamRequest = {
  /** The last message one has; left out: those from now on. */
  readonly since?: string | undefined;
  readonly run?: RunFolder | undefined;
  /** Where to begin in the log; left out: at its end. */
  readonly stdout?: number | undefined;
  readonly stderr?: number | undefined;
};

type Part =
  | { readonly kind: "bus"; readonly event: Omit<StreamEvent, "id">; readonly since: string | null }
  | { readonly kind: "log"; readonly event: Omit<StreamEvent, "id">; readonly stream: LogStream; readonly next: number }
  | { readonly kind: "task"; readonly event: Omit<StreamEvent, "id"> };

const lookEveryMs = 1_000;
const logEveryMs = 250;
const linesMax = 1_000;

export async function* streamTask(
  root: RunnerRoot,
  task: TaskFolder,
  view: (task: TaskFolder) => TaskView,
  request: StreamRequest,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const { run } = request;
  const cursor = { since: request.since ?? null, stdout: request.stdout ?? null, stderr: request.stderr ?? null };
  const parts = mergeStreams<Part>([
    followMessages(root, task, request.since, signal),
    followState(root, task, view, signal),
    ...(run === undefined
      ? []
      : (["stdout", "stderr"] as const).map((stream) => followLog(root, run, stream, request[stream], signal))),
  ]);
  for await (const part of parts) {
    if (part.kind === "bus" && part.since !== null) cursor.since = part.since;
    if (part.kind === "log") cursor[part.stream] = part.next;
    yield { ...part.event, id: formatCursor(cursor) };
  }
}

export async function* streamBus(
  root: RunnerRoot,
  place: ProjectFolder | TaskFolder,
  since: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  for await (const part of followMessages(root, place, since, signal))
    if (part.kind === "bus")
      yield { ...part.event, id: part.since === null ? null : formatCursor({ since: part.since }) };
}

/** `m=…;s=12;e=0`: the last message, and how far the two outputs of the run were read. */
function formatCursor(cursor: {
  readonly since: string | null;
  readonly stdout?: number | null;
  readonly stderr?: number | null;
}): string {
  const parts = [
    cursor.since === null ? null : `m=${encodeURIComponent(cursor.since)}`,
    typeof cursor.stdout === "number" ? `s=${cursor.stdout}` : null,
    typeof cursor.stderr === "number" ? `e=${cursor.stderr}` : null,
  ];
  return parts.filter((part) => part !== null).join(";");
}

/** What of a cursor can be used; anything else in it is passed over. */
export function parseCursor(text: string): Pick<StreamRequest, "since" | "stdout" | "stderr"> {
  const values = new Map(
    text
      .slice(0, 1_000)
      .split(";")
      .map((part) => [part.slice(0, 1), part.slice(2)] as const),
  );
  const numberOf = (name: string) => {
    const value = values.get(name) ?? "";
    return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  };
  return { since: decode(values.get("m")), stdout: numberOf("s"), stderr: numberOf("e") };
}

function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined || text === "" ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

async function* followMessages(
  root: RunnerRoot,
  place: ProjectFolder | TaskFolder,
  since: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  const bus = openBus(root, place);
  for await (const read of followBus(bus, { since: since === undefined ? "end" : { id: since }, signal })) {
    for (const entry of read.entries)
      yield { kind: "bus", event: { name: "bus_message", data: describeMessage(entry) }, since: entry.msg_id };
    for (const damage of read.damages) yield { kind: "bus", event: { name: "bus_damage", data: damage }, since: null };
  }
}

async function* followState(
  root: RunnerRoot,
  task: TaskFolder,
  view: (task: TaskFolder) => TaskView,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  let last: string | null = null;
  let known: ReadonlyMap<string, string> | null = null;
  // A task that was deleted has nothing more to tell.
  while (!signal.aborted && root.disk.kindOf(task.path) === "folder") {
    const seen = view(task);
    const runs = new Map(seen.runs.map(({ info }) => [info.run_id, info.status] as const));
    if (known !== null) for (const event of compareRuns(known, runs)) yield { kind: "task", event };
    known = runs;
    const mark = JSON.stringify([seen.status, seen.why, seen.state, seen.stop, [...runs]]);
    const active = seen.runs.filter(({ isActive }) => isActive).length;
    if (mark !== last)
      yield { kind: "task", event: { name: "task_changed", data: { status: seen.status, active_runs: active } } };
    last = mark;
    await root.env.sleep(lookEveryMs, signal).catch(() => {});
  }
}

function* compareRuns(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Generator<Omit<StreamEvent, "id">> {
  for (const [runId, status] of after) {
    if (!before.has(runId)) yield { name: "run_start", data: { run_id: runId } };
    if (status !== "running" && (before.get(runId) ?? "running") === "running")
      yield { name: "run_end", data: { run_id: runId, status } };
  }
}

async function* followLog(
  root: RunnerRoot,
  run: RunFolder,
  stream: LogStream,
  from: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  const event = (page: LogPage) => ({ name: "log", data: { run_id: run.runId as string, page } });
  let at = from ?? readLog(root, run, { stream, lines: 1 }).next;
  let openText = "";
  while (!signal.aborted) {
    const page = readLog(root, run, { stream, from: at, lines: linesMax });
    if (page.size < at) {
      at = 0;
      yield { kind: "log", event: { name: "log_restart", data: { run_id: run.runId, stream } }, stream, next: 0 };
      continue;
    }
    const open = page.lines.at(-1);
    const hasNews = page.next > at || (open?.is_open === true && open.text !== openText);
    openText = open?.is_open ? open.text : "";
    at = page.next;
    if (hasNews) yield { kind: "log", event: event(page), stream, next: page.next };
    else await root.env.sleep(logEveryMs, signal).catch(() => {});
  }
}

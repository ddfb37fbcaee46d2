// The shim: a process of ours that starts one agent, waits for it and writes down its end. It outlives whatever started it. It takes
// the run in run-info first; a run that has ended, or has a shim, is left alone, so an agent is never started twice.

import { type ProcessIdentity, signal } from "../../files/process-identity.ts";
import { unreachable } from "../../lib/assert.ts";
import type { Backend, Verdict } from "../backends/backend.ts";
import { openBus } from "../bus/bus.ts";
import type { RunningRun, StopRequest } from "../layout/run-info.ts";
import { updateRunInfo } from "../layout/run-info.ts";
import type { RunFolder } from "../layout/runner-root.ts";
import { readStop, requestStop } from "../layout/task-files.ts";
import { toIso } from "../layout/timestamps.ts";
import { type AgentExit, type AgentProcess, startAgent } from "./agent-process.ts";
import { type Ended, endProcesses } from "./end-processes.ts";
import { finishJob } from "./finish-job.ts";
import { type Ear, openEar } from "./hear-agent.ts";
import { countUsage, type JobDeps, type JobOrder, type JobResult } from "./job.ts";
import { inJob } from "./job-files.ts";
import { describeExit, postStart, postWarning, toExitCode } from "./job-messages.ts";
import { type Family, makeFamily } from "./members.ts";
import { makeSampler, sampleEveryMs } from "./sample-job.ts";
import { judgeWatch, type Observed, type Watched, type WatchState } from "./watch-job.ts";

export type ShimDeps = JobDeps & {
  readonly backend: Backend;
  /** Aborted when this process was asked to end. */
  readonly asked: AbortSignal;
  readonly log: (line: string) => void;
};

/** How the waiting ended. */
type Cut =
  | { readonly kind: "exited" }
  | { readonly kind: "stopped"; readonly stop: StopRequest }
  | { readonly kind: "timed_out"; readonly end: NonNullable<Watched["end"]> };

/** What is left behind hears SIGHUP: tools clean up, and a `run-agent job` in the background lets go of its run. */
const leftBehindGraceMs = 1_000;
/** Even a process that no signal ends does not keep the run open. */
const exitWaitMs = 10_000;
/** Bytes that are in the pipe when the last writer is gone arrive at once; a writer without our tag is not waited for. */
const drainWaitMs = 2_000;
/** Stop requests come with a signal; this is for those that could not send one. */
const stopPollMs = 1_000;

export async function runShim(deps: ShimDeps, run: RunFolder, order: JobOrder): Promise<JobResult | null> {
  const info = await takeRun(deps, run);
  if (info === null) {
    deps.log("The run has a shim already, or has ended. Nothing was started.");
    return null;
  }
  const stop = readStop(deps.root, run);
  if (stop !== null)
    return finishJob(deps, run, info, {
      result: notStarted(run, { kind: "failed", why: stop.reason }, stop),
      text: "",
      stderr: "",
    });
  const ear = openEar(deps.root, run, deps.backend.reader());
  const started = await startAgent(deps.root, run, order, ear.hear);
  if (typeof started === "string") {
    ear.end();
    return finishJob(deps, run, info, {
      result: notStarted(run, { kind: "refused", why: started }, null),
      text: "",
      stderr: "",
    });
  }
  return superviseAgent(deps, run, order, ear, started, info);
}

/** Null: it is not this process's to work on. */
async function takeRun({ root }: ShimDeps, run: RunFolder): Promise<RunningRun | null> {
  const { pid, started } = root.self;
  const taken = await updateRunInfo(root, run, (info) =>
    info.status === "running" && info.shim_pid === undefined
      ? { ...info, shim_pid: pid, shim_started: started, pid, pgid: pid, process_started: started }
      : null,
  );
  return taken.status === "running" && taken.shim_pid === pid && taken.shim_started === started ? taken : null;
}

async function superviseAgent(
  deps: ShimDeps,
  run: RunFolder,
  order: JobOrder,
  ear: Ear,
  agent: AgentProcess,
  taken: RunningRun,
): Promise<JobResult> {
  const { root } = deps;
  const { pid, started } = agent.identity;
  const family = makeFamily(order.tag, agent.identity, true);
  const info: RunningRun = { ...taken, pid, pgid: pid, process_started: started };
  let exited: AgentExit | null = null;
  const exit = agent.exit.then((value) => {
    exited = value;
    return value;
  });
  await attempt(deps, "run-info.yaml", () =>
    updateRunInfo(
      root,
      run,
      (now) => (now.status === "running" ? { ...now, pid, pgid: pid, process_started: started } : null),
      info,
    ),
  );
  // A bus that others hold must not keep the agent from being watched.
  const begun = attempt(deps, "START", () =>
    postStart(openBus(root, run.task), run, order.agent_name ?? order.backend),
  );
  const cut = await watchAgent(deps, { run, order, ear, family, exit });
  if (cut.kind !== "exited" && deps.backend.cancelsItself) await askFirst(deps, order, agent.identity, exit);
  const ended = await endProcesses(family, {
    ...deps.root,
    table: deps.table,
    ask: cut.kind === "exited" ? "SIGHUP" : "SIGTERM",
    graceMs: cut.kind === "exited" ? leftBehindGraceMs : order.limits.graceMs,
  });
  await waitAtMost(deps, exit, exitWaitMs);
  await waitAtMost(deps, agent.drained, drainWaitMs);
  agent.close();
  await begun;
  return conclude(deps, run, order, { info, ear, cut, exit: exited, ended });
}

/** The first process alone hears of it, so that it can end its agent in good order. */
async function askFirst(
  deps: ShimDeps,
  order: JobOrder,
  agent: ProcessIdentity,
  exit: Promise<unknown>,
): Promise<void> {
  try {
    signal(agent, "SIGTERM");
  } catch (error) {
    deps.log(`SIGTERM: ${error instanceof Error ? error.message : String(error)}`);
  }
  await waitAtMost(deps, exit, order.limits.graceMs);
}

type Watching = {
  readonly run: RunFolder;
  readonly order: JobOrder;
  readonly ear: Ear;
  readonly family: Family;
  readonly exit: Promise<AgentExit>;
};

async function watchAgent(deps: ShimDeps, { run, order, ear, family, exit }: Watching): Promise<Cut> {
  const { root, asked } = deps;
  const everyMs = sampleEveryMs(order.limits);
  const bus = openBus(root, run.task);
  const sample = makeSampler(
    { family, self: root.self, table: deps.table, bus, runId: run.runId, everyMs },
    root.env.now(),
  );
  const gone = new AbortController();
  void exit.then(() => gone.abort());
  const woken = AbortSignal.any([gone.signal, asked]);
  let state: WatchState = "active";
  let dueMs = root.env.now() + everyMs;
  while (!gone.signal.aborted) {
    const stop = findStop(deps, run);
    if (stop !== null) return { kind: "stopped", stop };
    await root.env.sleep(Math.min(stopPollMs, everyMs), woken).catch(() => {});
    if (gone.signal.aborted || (root.env.now() < dueMs && dueMs - root.env.now() <= everyMs)) continue;
    dueMs = root.env.now() + everyMs;
    const watched = tryWatch(deps, () => sample({ nowMs: root.env.now(), outputBytes: ear.bytes() }), order);
    if (watched === null) continue;
    if (watched.end !== null) {
      await attempt(deps, "WARNING", () => postWarning(bus, run, watched.end?.why ?? ""));
      return { kind: "timed_out", end: watched.end };
    }
    if (watched.state !== state) await noteState(deps, run, watched.state);
    state = watched.state;
  }
  return { kind: "exited" };
}

/** Null: it could not be looked, as where too many files are open. */
function tryWatch({ log }: ShimDeps, look: () => Observed, { limits }: JobOrder): Watched | null {
  try {
    return judgeWatch(look(), limits);
  } catch (error) {
    log(`watching: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

/** A disk that cannot be read or written does not keep a signal from being obeyed. */
function findStop({ root, asked, log }: ShimDeps, run: RunFolder): StopRequest | null {
  const [by, reason] = ["a signal", "the shim of the run was asked to end"] as const;
  try {
    const stop = readStop(root, run);
    return stop !== null || !asked.aborted ? stop : requestStop(root, run, by, reason);
  } catch (error) {
    log(`STOP-REQUESTED: ${error instanceof Error ? error.message : String(error)}`);
    return asked.aborted ? { at: toIso(root.nanos()), by, reason } : null;
  }
}

/** For readers: since when the run is in this state. */
async function noteState(deps: ShimDeps, run: RunFolder, state: WatchState): Promise<void> {
  const { root } = deps;
  await attempt(deps, "watch.json", async () =>
    root.disk.replace(inJob(run, "watch"), JSON.stringify({ state, since_ms: root.env.now() })),
  );
  if (state !== "stuck") return;
  const body = "The run has printed nothing for a long time, although something is at work.";
  await attempt(deps, "WARNING", () => postWarning(openBus(root, run.task), run, body));
}

type Gone = {
  readonly info: RunningRun;
  readonly ear: Ear;
  readonly cut: Cut;
  /** Null: no signal has ended it. */
  readonly exit: AgentExit | null;
  readonly ended: Ended;
};

function conclude(
  deps: ShimDeps,
  run: RunFolder,
  order: JobOrder,
  { info, ear, cut, exit, ended }: Gone,
): Promise<JobResult> {
  const { exitCode, signal } = exit ?? { exitCode: null, signal: null };
  const { heard, stderr, notes } = ear.end();
  const judge = (): Verdict =>
    deps.backend.judge(
      { exitCode, signal, wasTimedOut: cut.kind === "timed_out", heard, stderr, timeZone: order.timeZone },
      deps.root.env.now(),
    );
  const result: JobResult = {
    run_id: run.runId,
    verdict: toVerdict(cut, judge, exit),
    exit_code: toExitCode(exitCode, signal),
    signal,
    stop: cut.kind === "stopped" ? cut.stop : null,
    timeout: cut.kind === "timed_out" ? cut.end.cause : null,
    session: heard.session,
    ...countUsage(heard, order.sessionBefore),
    notes: [...notes, ...describeLeft(ended)],
  };
  return finishJob(deps, run, info, { result, text: heard.text, stderr });
}

function toVerdict(cut: Cut, judge: () => Verdict, exit: AgentExit | null): Verdict {
  switch (cut.kind) {
    case "stopped":
      return { kind: "failed", why: `Stopped: ${cut.stop.reason}` };
    case "timed_out": {
      const verdict = judge();
      // The backend may know why it was silent: a limit, a login that has ended.
      return verdict.kind === "ok" || verdict.kind === "failed" ? { kind: "failed", why: cut.end.why } : verdict;
    }
    case "exited": {
      const verdict = judge();
      if (verdict.kind === "ok" || verdict.why !== "" || exit === null) return verdict;
      return { ...verdict, why: describeExit(exit.exitCode, exit.signal) };
    }
    default:
      return unreachable(cut);
  }
}

const describeLeft = ({ left }: Ended): readonly string[] =>
  left.length === 0 ? [] : [`Processes that could not be ended: ${left.map(({ pid }) => pid).join(", ")}.`];

const notStarted = (run: RunFolder, verdict: Verdict, stop: StopRequest | null): JobResult => ({
  run_id: run.runId,
  verdict,
  exit_code: -1,
  signal: null,
  stop,
  timeout: null,
  session: null,
  tokens: null,
  cost_usd: null,
  session_totals: null,
  notes: [],
});

async function waitAtMost({ root }: ShimDeps, work: Promise<unknown>, ms: number): Promise<void> {
  const done = new AbortController();
  await Promise.race([work, root.env.sleep(ms, done.signal).catch(() => {})]);
  done.abort();
}

/** What fails here is told of and does not end the run: the agent is at work. */
async function attempt(deps: ShimDeps, what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    deps.log(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

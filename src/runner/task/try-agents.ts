// The agent run of one iteration, and others in its place while the provider or the machine is at fault: after a short pause, with another
// agent, or not before a limit ends. Every try is in the journal, so another attempt goes on where this one broke off.

import { takenOverKey } from "../../domain/agent/taken-over.ts";
import type { ProviderFault } from "../../domain/run/iteration-result.ts";
import { assert, unreachable } from "../../lib/assert.ts";
import type { EffectResult, Interruption, IterationInput, Journal, LastingEffect } from "../../runs/ports/engine.ts";
import { agentLane, type EntryHead } from "../../runs/ports/run-store.ts";
import type { Verdict } from "../backends/backend.ts";
import { openBus } from "../bus/bus.ts";
import { byRunner } from "../bus/questions.ts";
import type { JobHandle, JobRequest, JobResult } from "../job/job.ts";
import { agentEffect } from "../job/job-effect.ts";
import { locateJob } from "../job/job-files.ts";
import { readRunInfo } from "../layout/run-info.ts";
import { isDone, readStop } from "../layout/task-files.ts";
import { agentNameOf, type PoolChoice } from "./agent-pool.ts";
import type { AgentIterationDeps, AgentWork } from "./agent-work.ts";
import { findPrevious, viewForPrompt } from "./prompt-view.ts";
import { settleUsage } from "./settle-usage.ts";
import { stopTask } from "./stop-task.ts";

/** A try as the journal keeps it. */
export type TriedJob = {
  readonly agent: string;
  readonly job: JobResult;
  /** When its end was seen. */
  readonly atMs: number;
  /** It had ended before anyone waited for it: what was done to it then is over, like a stop that was taken back. */
  readonly wasOver: boolean;
};

export type Tried =
  | { readonly kind: "ended"; readonly tried: TriedJob }
  /** The task was done before an agent had to be started. */
  | { readonly kind: "not_needed" }
  /** Its result belongs to another run of the loop, or is gone. */
  | { readonly kind: "uncertain" };

/** After the last short pause the provider is left alone for so long; the gate makes it longer each time. */
const outageMs = 60_000;
/** A hold every quarter of an hour for two months; more is a fault of ours. */
const triesMax = 6_000;

type Held = Extract<Interruption, { readonly kind: "held" | "aborted" }>;

type Given<Writes> = {
  readonly deps: AgentIterationDeps;
  readonly work: AgentWork;
  readonly input: IterationInput;
  readonly journal: Journal<Writes>;
};

export async function tryAgents<Writes>(given: Given<Writes>): Promise<Tried | Held> {
  const { deps, work, journal } = given;
  const isTaskDone = () => isDone(deps.jobs.root, work.task);
  let quick = 0;
  for (let n = 0; n < triesMax; n++) {
    const isKnown = journal.recall(`agent:${n}`) !== null;
    // Without a choice no agent was started. With one, the key of the try decides (`makeEffect`).
    if (isTaskDone() && !journal.has(`choose:${n}`)) return { kind: "not_needed" };
    const ended = await runTry(given, n, { isKnown, quick });
    if (ended.kind !== "ended" || isTaskDone()) return ended;
    const next = await judgeTry(deps, work, ended.tried, { isKnown: isKnown || ended.tried.wasOver, quick });
    if (next.kind !== "again") return next;
    quick = next.quick;
  }
  assert(false, `an iteration has at most ${triesMax} tries`);
}

type TryState = { readonly isKnown: boolean; readonly quick: number };

async function runTry<Writes>(given: Given<Writes>, n: number, { isKnown, quick }: TryState): Promise<Tried | Held> {
  const { deps, work, journal } = given;
  const { root } = deps.jobs;
  const { env } = root;
  const choice = await chooseAgent(work, journal, n);
  if (!isKnown && !isDone(root, work.task)) {
    const { notBeforeMs } = choice;
    if (notBeforeMs !== null && notBeforeMs > env.now()) return hold(notBeforeMs, choice.because);
    if (quick > 0) await env.sleep(work.retryPausesMs[quick - 1] ?? 0, journal.signal);
  }
  const ended = await startOrAdopt(given, choice, n);
  if (ended.kind === "uncertain") return ended;
  if (ended.result === null) return { kind: "not_needed" };
  await count(work, journal, ended.result, n);
  return { kind: "ended", tried: ended.result };
}

function chooseAgent<Writes>({ pool }: AgentWork, journal: Journal<Writes>, n: number): Promise<PoolChoice> {
  return journal.once(`choose:${n}`, async () => {
    const { name, because, notBeforeMs } = await pool.choose();
    const result: PoolChoice = { name, because, notBeforeMs };
    return { result, summary: `chose ${name}: ${because}`, artifacts: [], isBookkeeping: true };
  });
}

const hold = (untilMs: number, why: string): Held => ({ kind: "held", fault: { kind: "hold", untilMs, why } });

type Next = { readonly kind: "again"; readonly quick: number } | Tried | Held;

const again = (quick = 0): Next => ({ kind: "again", quick });

/** `isKnown`: an attempt before this one has seen this end, and what it led to may be over. */
async function judgeTry(
  { jobs }: AgentIterationDeps,
  work: AgentWork,
  tried: TriedJob,
  state: TryState,
): Promise<Next> {
  const { stop, verdict } = tried.job;
  if (stop !== null) {
    if (state.isKnown && readStop(jobs.root, work.task) === null) return again();
    await work.onStopped(stop);
    return { kind: "aborted" };
  }
  switch (verdict.kind) {
    case "ok":
    case "failed":
      return { kind: "ended", tried };
    case "refused":
      // A run that was resumed is tried again: someone has mended it.
      if (state.isKnown || work.pool.hasOther(tried.agent)) return again();
      return { kind: "held", fault: toFault(tried.agent, verdict.why) };
    case "transient":
      return waitOrRetry(work, tried, verdict, { quick: state.quick, nowMs: jobs.root.env.now() });
    default:
      return unreachable(verdict);
  }
}

function waitOrRetry(
  { pool, retryPausesMs }: AgentWork,
  { agent, atMs }: TriedJob,
  { why, notBeforeMs }: Extract<Verdict, { kind: "transient" }>,
  { quick, nowMs }: { readonly quick: number; readonly nowMs: number },
): Next {
  if (notBeforeMs !== null) return notBeforeMs <= nowMs || pool.hasOther(agent) ? again() : hold(notBeforeMs, why);
  if (quick < retryPausesMs.length) return again(quick + 1);
  return atMs + outageMs <= nowMs ? again() : hold(atMs + outageMs, why);
}

const quotaWords = /\b(?:quota|credit|billing|payment|balance|402)\b/i;

const toFault = (agent: string, why: string): ProviderFault =>
  quotaWords.test(why)
    ? { kind: "quota", why: `${agent}: ${why}. Add credit or choose another agent, then resume the task` }
    : { kind: "auth", why: `${agent}: ${why}. Sign in or set its token, then resume the task` };

/** Money, tokens and the agent's standing: once for each try, whichever attempt sees its end. */
async function count<Writes>(work: AgentWork, journal: Journal<Writes>, tried: TriedJob, n: number): Promise<void> {
  const { tokens, cost_usd: cost, verdict, stop } = tried.job;
  const call = { key: `usage:${n}`, role: "agent", model: tried.agent, lane: agentLane, messages: work.said().length };
  if (tokens !== null || cost !== null) await settleUsage(journal, call, tried.job);
  // Being stopped says nothing about an agent.
  if (stop !== null) return;
  await journal.once(`standing:${n}`, async () => {
    await work.pool.record(tried.agent, verdict);
    return { result: null, summary: `${tried.agent}: ${verdict.kind}`, artifacts: [], isBookkeeping: true };
  });
}

function startOrAdopt<Writes>(
  given: Given<Writes>,
  choice: PoolChoice,
  n: number,
): Promise<EffectResult<TriedJob | null>> {
  const entry = { key: `agent:${n}`, lane: agentLane, tool: "agent", args: null };
  return given.journal.startOrAdopt(entry, makeEffect(given, choice, entry), (tried) => {
    if (tried === null) return { did: "DONE was there: no agent was started", error: null };
    const { verdict, stop } = tried.job;
    return {
      did: stop === null ? `${choice.name} ${verdictWords[verdict.kind]}` : `${choice.name} was stopped by ${stop.by}`,
      error: verdict.kind === "ok" ? null : verdict.why,
    };
  });
}

const verdictWords: Readonly<Record<Verdict["kind"], string>> = {
  ok: "has finished its turn",
  failed: "has failed",
  refused: "was refused by its provider",
  transient: "could not go on",
};

type Started = JobHandle & { readonly key: string };
/** `run_id` null: nothing was started, since the task was done. */
type TryHandle = Started | { readonly run_id: null; readonly key: string };

const isStartedTry = (handle: TryHandle): handle is Started => handle.run_id !== null;

/** The try's key decides: a run under it counts, also where it has ended since with DONE; without one, DONE keeps it from starting. */
function makeEffect<Writes>(
  given: Given<Writes>,
  choice: PoolChoice,
  entry: EntryHead,
): LastingEffect<TryHandle, TriedJob | null> {
  const { deps, work, input } = given;
  const { root } = deps.jobs;
  const stop = { by: "run-agent task", reason: "the task was stopped" };
  const effect = agentEffect(deps.jobs, toRequest(deps, work, input, choice), { stop });
  let isStarted = false;
  return {
    ...(effect.find === undefined ? {} : { find: effect.find }),
    start: async (key) => {
      if (isDone(root, work.task)) return { run_id: null, key };
      isStarted = true;
      return effect.start(key);
    },
    adopt: async (handle, signal) => {
      if (!isStartedTry(handle)) return { kind: "done", result: null };
      if (work.hooks?.isInReach(handle) === false) return { kind: "uncertain" };
      const wasOver = !isStarted && readRunInfo(root, locateJob(root, handle)).status !== "running";
      if (!isStarted && !wasOver) await tellAdopted(given, entry, handle);
      const ended = await whileWatched(work, handle, signal, () => effect.adopt(handle, signal));
      if (ended.kind === "uncertain") return ended;
      const job = work.hooks?.judgeEnd(ended.result) ?? ended.result;
      return { kind: "done", result: { agent: choice.name, job, atMs: root.env.now(), wasOver } };
    },
    // With all that the agent has started, also what outlives it.
    stop: async (handle) => {
      if (!isStartedTry(handle)) return;
      const below = await stopTask(deps.jobs, work.task, stop, () => effect.stop(handle));
      await below.end();
    },
  };
}

async function whileWatched<T>(
  { hooks }: AgentWork,
  handle: JobHandle,
  signal: AbortSignal,
  wait: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const watch = hooks?.watch(handle, AbortSignal.any([signal, over.signal]));
  try {
    return await wait();
  } finally {
    over.abort();
    await watch;
  }
}

/** Another attempt of the iteration found the agent at work: to people nothing was cut off. */
async function tellAdopted<Writes>(
  { deps, work: { task }, journal }: Given<Writes>,
  entry: EntryHead,
  handle: Started,
): Promise<void> {
  const { root } = deps.jobs;
  await journal.once({ ...entry, key: `${takenOverKey}${entry.key}` }, async () => ({
    result: null,
    summary: "Took over the agent, which works on",
    artifacts: [],
  }));
  await openBus(root, task).post({
    type: "SUPERVISOR_RESTART",
    run_id: handle.run_id,
    body: `The loop of the task was started again and has adopted run ${handle.run_id}.`,
    meta: { ...byRunner, pid: String(root.self.pid) },
  });
}

function toRequest(
  deps: AgentIterationDeps,
  work: AgentWork,
  input: IterationInput,
  choice: PoolChoice,
): Omit<JobRequest, "key"> {
  const { task, workFolder, limits, parentRunId, depth, depthMax } = work;
  const chosen = work.pool.find(choice.name);
  const { name: _, ...agent } = chosen;
  const previous = findPrevious(deps.jobs.root, task, parentRunId);
  return {
    task,
    workFolder,
    limits,
    ...agent,
    session: null,
    prompt: (run) => deps.writePrompt(viewForPrompt(deps.jobs.root, work, input, run, previous)),
    ...(parentRunId === null ? {} : { parentRunId }),
    ...(previous === null ? {} : { previousRunId: previous.runId }),
    facts: {
      ...agentNameOf(chosen),
      chosen_because: choice.because,
      depth,
      depth_max: depthMax,
      ...(agent.model === null ? {} : { backend_model: agent.model }),
    },
  };
}

// The agent run of one iteration, and others in its place while the provider or the machine is at fault: after a short pause, with another
// agent, or not before a limit ends. Every try is in the journal, so another attempt goes on where this one broke off.

import type { ProviderFault } from "../../domain/run/iteration-result.ts";
import { assert } from "../../lib/assert.ts";
import type { EffectResult, Interruption, IterationInput, Journal, LastingEffect } from "../../runs/ports/engine.ts";
import { openBus } from "../bus/bus.ts";
import type { JobHandle, JobRequest, JobResult } from "../job/job.ts";
import { agentEffect } from "../job/job-effect.ts";
import { locateJob } from "../job/job-files.ts";
import { readRunInfo } from "../layout/run-info.ts";
import { isDone, readStop } from "../layout/task-files.ts";
import type { AgentIterationDeps, AgentWork } from "./agent-iteration.ts";
import type { PoolChoice } from "./agent-pool.ts";
import { findPrevious, viewForPrompt } from "./prompt-view.ts";

/** A try as the journal keeps it. */
export type TriedJob = {
  readonly agent: string;
  readonly job: JobResult;
  /** When its end was seen. */
  readonly atMs: number;
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

export async function tryAgents<Writes>(
  deps: AgentIterationDeps,
  work: AgentWork,
  input: IterationInput,
  journal: Journal<Writes>,
): Promise<Tried | Held> {
  const { root } = deps.jobs;
  let quick = 0;
  for (let n = 0; n < triesMax; n++) {
    const known = journal.recall<TriedJob>(`agent:${n}`)?.result ?? null;
    if (known === null && isDone(root, work.task)) return { kind: "not_needed" };
    const choice = await chooseAgent(work, journal, n);
    if (known === null) {
      if ((choice.notBeforeMs ?? 0) > root.env.now()) return hold(choice.notBeforeMs ?? 0, choice.because);
      await root.env.sleep(quick === 0 ? 0 : (work.retryPausesMs[quick - 1] ?? 0), journal.signal);
    }
    const ended = await startOrAdopt(deps, work, input, journal, choice, n);
    if (ended.kind === "uncertain") return ended;
    const tried = ended.result;
    await count(work, journal, tried, n);
    if (isDone(root, work.task)) return { kind: "ended", tried };
    const next = await judgeTry(deps, work, tried, { isKnown: known !== null, quick });
    if (next.kind !== "again") return next;
    quick = next.quick;
  }
  assert(false, `an iteration has at most ${triesMax} tries`);
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

/** `isKnown`: an attempt before this one has seen this end, and what it led to may be over. */
async function judgeTry(
  { jobs }: AgentIterationDeps,
  work: AgentWork,
  tried: TriedJob,
  { isKnown, quick }: { readonly isKnown: boolean; readonly quick: number },
): Promise<Next> {
  const { stop, verdict } = tried.job;
  const nowMs = jobs.root.env.now();
  if (stop !== null) {
    if (isKnown && readStop(jobs.root, work.task) === null) return { kind: "again", quick: 0 };
    await work.onStopped(stop);
    return { kind: "aborted" };
  }
  if (verdict.kind === "ok" || verdict.kind === "failed") return { kind: "ended", tried };
  const hasOther = work.pool.hasOther(tried.agent);
  if (verdict.kind === "refused") {
    // A run that was resumed is tried again: someone has mended it.
    if (isKnown || hasOther) return { kind: "again", quick: 0 };
    return { kind: "held", fault: toFault(tried.agent, verdict.why) };
  }
  if (verdict.notBeforeMs !== null) {
    const isOver = verdict.notBeforeMs <= nowMs || hasOther;
    return isOver ? { kind: "again", quick: 0 } : hold(verdict.notBeforeMs, verdict.why);
  }
  if (quick < work.retryPausesMs.length) return { kind: "again", quick: quick + 1 };
  const untilMs = tried.atMs + outageMs;
  return untilMs <= nowMs ? { kind: "again", quick: 0 } : hold(untilMs, verdict.why);
}

const quotaWords = /\b(?:quota|credit|billing|payment|balance|402)\b/i;

const toFault = (agent: string, why: string): ProviderFault =>
  quotaWords.test(why)
    ? { kind: "quota", why: `${agent}: ${why}. Add credit or choose another agent, then resume the task` }
    : { kind: "auth", why: `${agent}: ${why}. Sign in or set its token, then resume the task` };

/** Money, tokens and the agent's standing: once for each try, whichever attempt sees its end. */
async function count<Writes>(work: AgentWork, journal: Journal<Writes>, tried: TriedJob, n: number): Promise<void> {
  const { tokens, cost_usd: cost, verdict, stop } = tried.job;
  if (tokens !== null || cost !== null)
    await journal.ask({ key: `usage:${n}`, role: "agent", model: tried.agent, reservedMicroUsd: 0 }, async () => ({
      result: null,
      usage: {
        costMicroUsd: Math.ceil((cost ?? 0) * 1_000_000 - 1e-6),
        inputTokens: Math.round((tokens?.input ?? 0) + (tokens?.cacheRead ?? 0) + (tokens?.cacheWrite ?? 0)),
        cachedTokens: Math.round(tokens?.cacheRead ?? 0),
        writtenTokens: Math.round(tokens?.cacheWrite ?? 0),
        outputTokens: Math.round(tokens?.output ?? 0),
        pricedBy: cost === null ? "unpriced" : "provider",
      },
      isKept: true,
      did: "counted what the agent has used",
    }));
  // Being stopped says nothing about an agent.
  if (stop !== null) return;
  await journal.once(`standing:${n}`, async () => {
    await work.pool.record(tried.agent, verdict);
    return { result: null, summary: `${tried.agent}: ${verdict.kind}`, artifacts: [], isBookkeeping: true };
  });
}

function startOrAdopt<Writes>(
  deps: AgentIterationDeps,
  work: AgentWork,
  input: IterationInput,
  journal: Journal<Writes>,
  choice: PoolChoice,
  n: number,
): Promise<EffectResult<TriedJob>> {
  return journal.startOrAdopt(`agent:${n}`, makeEffect(deps, work, input, choice), ({ job: { verdict, stop } }) => {
    const why = verdict.kind === "ok" ? null : verdict.why;
    return { did: stop === null ? `${choice.name}: ${verdict.kind}` : `stopped by ${stop.by}`, error: why };
  });
}

type Handle = JobHandle & { readonly key: string };

function makeEffect(
  deps: AgentIterationDeps,
  work: AgentWork,
  input: IterationInput,
  choice: PoolChoice,
): LastingEffect<Handle, TriedJob> {
  const { root } = deps.jobs;
  const effect = agentEffect(deps.jobs, toRequest(deps, work, input, choice), {
    stop: { by: "run-agent task", reason: "the task was stopped" },
  });
  let isStarted = false;
  return {
    ...effect,
    start: (key) => {
      isStarted = true;
      return effect.start(key);
    },
    adopt: async (handle, signal) => {
      if (!isStarted) await tellAdopted(deps, work, handle);
      const ended = await effect.adopt(handle, signal);
      if (ended.kind === "uncertain") return ended;
      return { kind: "done", result: { agent: choice.name, job: ended.result, atMs: root.env.now() } };
    },
  };
}

/** Only where it still runs: an end that is written down needs no supervisor. */
async function tellAdopted({ jobs: { root } }: AgentIterationDeps, { task }: AgentWork, handle: Handle): Promise<void> {
  if (readRunInfo(root, locateJob(root, handle)).status !== "running") return;
  await openBus(root, task).post({
    type: "SUPERVISOR_RESTART",
    run_id: handle.run_id,
    body: `The loop of the task was started again and has adopted run ${handle.run_id}.`,
    meta: { by: "run-agent", pid: String(root.self.pid) },
  });
}

function toRequest(
  deps: AgentIterationDeps,
  work: AgentWork,
  input: IterationInput,
  choice: PoolChoice,
): Omit<JobRequest, "key"> {
  const { task, workFolder, limits, parentRunId, depth } = work;
  const { backend, model, baseUrl, token, program } = work.pool.find(choice.name);
  const previous = findPrevious(deps.jobs.root, task, parentRunId);
  return {
    task,
    workFolder,
    limits,
    backend,
    model,
    baseUrl,
    token,
    program,
    session: null,
    prompt: (run) => deps.writePrompt(viewForPrompt(deps.jobs.root, work, input, run, previous)),
    ...(parentRunId === null ? {} : { parentRunId }),
    ...(previous === null ? {} : { previousRunId: previous.runId }),
    facts: { chosen_because: choice.because, depth, ...(model === null ? {} : { backend_model: model }) },
  };
}

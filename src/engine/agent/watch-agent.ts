// An agent that works for a run, watched while it does: it is ended where the file guard finds something that needs the user's word, and
// where it waits for an answer that only the user can give. Both become questions of the run.

import type { Tx } from "../../db/database.ts";
import { type GuardFinding, guardFiles } from "../../domain/agent/file-guard.ts";
import { takenOverKey } from "../../domain/agent/taken-over.ts";
import { openBus } from "../../runner/bus/bus.ts";
import { isWaitingFor } from "../../runner/bus/questions.ts";
import { tailBus } from "../../runner/bus/read-bus.ts";
import type { JobHandle } from "../../runner/job/job.ts";
import { locateJob } from "../../runner/job/job-files.ts";
import { stopJob } from "../../runner/job/stop-job.ts";
import { readRunInfo, type StopRequest } from "../../runner/layout/run-info.ts";
import type { TriedJob, TryHandle } from "../../runner/task/try-agents.ts";
import { findLinksOut, listChanges } from "../../runner/work/work-folder.ts";
import type { EffectResult, Journal, LastingEffect } from "../../runs/ports/engine.ts";
import { agentLane, type EntryHead } from "../../runs/ports/run-store.ts";
import type { AgentDeps } from "./agent-deps.ts";
import type { AgentPlace } from "./agent-place.ts";

export type Watching = {
  readonly deps: AgentDeps;
  readonly place: AgentPlace;
  /** Allowed by the user, these questions of the guard included that were just answered. */
  readonly allowed: readonly string[];
  /** Told who ended the agent, where it was not the platform. */
  readonly onStopped: (stop: StopRequest) => void;
};

const platform = "homework";
const lookBack = 200;
/** A look at a large repository takes its time; the machine is for the agent. */
const restFactor = 10;

/** The journal of the iteration, in which every agent is watched. */
export function watchedJournal(journal: Journal<Tx>, watching: Watching, messages: number): Journal<Tx> {
  return {
    signal: journal.signal,
    has: (key) => journal.has(key),
    recall: (key) => journal.recall(key),
    once: (entry, work) => journal.once(entry, work),
    write: (entry, work) => journal.write(entry, work),
    ask: (call, ask) => journal.ask({ ...call, lane: agentLane, messages }, ask),
    effect: (entry, isRepeatable, act, tell) => journal.effect(entry, isRepeatable, act, tell),
    hear: (entry, shown) => journal.hear(entry, shown),
    startOrAdopt: (entry, effect, tell) => {
      const head = ofAgent(entry);
      const tellTakenOver = () => noteTakenOver(journal, head);
      return journal.startOrAdopt(head, watched(effect, watching, tellTakenOver), tell);
    },
  };
}

/** Another attempt of the iteration found the agent at work: to the user nothing was cut off. */
const noteTakenOver = (journal: Journal<Tx>, { key, ...head }: EntryHead): Promise<null> =>
  journal.once({ ...head, key: `${takenOverKey}${key}` }, async () => ({
    result: null,
    summary: "Took over the agent, which works on",
    artifacts: [],
  }));

const ofAgent = (entry: string | EntryHead): EntryHead =>
  typeof entry === "string" ? { key: entry, lane: agentLane, tool: "agent", args: null } : entry;

function watched<Handle, T>(
  effect: LastingEffect<Handle, T>,
  watching: Watching,
  tellTakenOver: () => Promise<unknown>,
): LastingEffect<Handle, T> {
  const { root } = watching.deps.jobs;
  let isStarted = false;
  return {
    ...effect,
    start: (key) => {
      isStarted = true;
      return effect.start(key);
    },
    adopt: async (handle, signal) => {
      // The iteration's effects are agent runs (`tryAgents`).
      const job = handle as unknown as TryHandle;
      if (job.run_id === null) return effect.adopt(handle, signal);
      // That host is gone, or the place would not have been opened here.
      if (job.host !== root.host) return { kind: "uncertain" };
      if (!isStarted && readRunInfo(root, locateJob(root, job)).status === "running") await tellTakenOver();
      const over = new AbortController();
      const watch = watchJob(watching, job, AbortSignal.any([signal, over.signal]));
      try {
        return mildEnd(await effect.adopt(handle, signal), watching);
      } finally {
        over.abort();
        await watch;
      }
    },
  };
}

/** What the platform itself ended is no failure of the agent, and what a person ended is told as a question, not obeyed in silence. */
function mildEnd<T>(ended: EffectResult<T>, { onStopped }: Watching): EffectResult<T> {
  if (ended.kind !== "done") return ended;
  const tried = ended.result as unknown as TriedJob;
  const { stop } = tried.job;
  if (stop === null) return ended;
  if (stop.by !== platform) onStopped(stop);
  const verdict = stop.by === platform ? ({ kind: "ok" } as const) : tried.job.verdict;
  const mild: TriedJob = { ...tried, job: { ...tried.job, stop: null, verdict } };
  return { kind: "done", result: mild as unknown as T };
}

/** Never rejects: a look that fails is made again. */
async function watchJob(watching: Watching, handle: JobHandle, signal: AbortSignal): Promise<void> {
  const { deps } = watching;
  const { env } = deps;
  let waitingSinceMs: number | null = null;
  let restMs = deps.times.watchEveryMs;
  while (!signal.aborted) {
    await env.sleep(restMs, signal).catch(() => {});
    if (signal.aborted) return;
    const beganMs = env.now();
    try {
      const isWaiting = hasQuestion(watching, handle);
      waitingSinceMs = isWaiting ? (waitingSinceMs ?? env.now()) : null;
      if (waitingSinceMs !== null && env.now() - waitingSinceMs >= deps.times.questionGraceMs)
        return await end(watching, handle, "it waits for an answer of the run's user");
    } catch {
      // The agent may be writing its messages just now.
    }
    try {
      const findings = await findBreaches(watching);
      if (findings.length > 0) return await end(watching, handle, "the file guard needs the word of the run's user");
    } catch {
      // The agent may be moving files about just now.
    }
    restMs = Math.max(deps.times.watchEveryMs, (env.now() - beganMs) * restFactor);
  }
}

async function findBreaches({ place: { work }, allowed }: Watching): Promise<readonly GuardFinding[]> {
  const changes = await listChanges(work);
  return guardFiles(changes, findLinksOut(work, changes), allowed);
}

function hasQuestion({ deps: { jobs }, place: { task } }: Watching, { run_id: runId }: JobHandle): boolean {
  return isWaitingFor(tailBus(openBus(jobs.root, task), lookBack).entries, runId);
}

async function end({ deps: { jobs } }: Watching, handle: JobHandle, reason: string): Promise<void> {
  await stopJob(jobs, locateJob(jobs.root, handle), { by: platform, reason });
}

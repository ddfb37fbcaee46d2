// The loop: one job is one iteration. Take the run, work through the journal, decide and commit. A crash anywhere leaves a
// job that someone else takes, and a journal of what need not be done again.

import type { BreakerLimits } from "../domain/run/breakers.ts";
import type { Proof } from "../domain/run/checks.ts";
import { conclude } from "../domain/run/conclude.ts";
import { toIterationError } from "../domain/run/fingerprint.ts";
import type { IterationResult, WorkedIteration } from "../domain/run/iteration-result.ts";
import type { RunningRun } from "../domain/run/run.ts";
import { AppError } from "../lib/app-error.ts";
import type { Limits } from "../runs/carry-out.ts";
import { type Committed, commitIteration } from "../runs/commit-iteration.ts";
import type { Engine, EngineResult, Prover } from "../runs/engine-port.ts";
import type { IterationJob, RunStore, TakenRun } from "../runs/ports.ts";
import { takeRun, withClaimedTime } from "../runs/take-run.ts";
import { CallRefused, ClaimLost, type JournalFacts, StepJournal } from "./journal.ts";

export type LoopDeps<Writes> = {
  readonly store: RunStore<Writes>;
  readonly engine: Engine<Writes>;
  readonly prover: Prover<Writes>;
  readonly newId: () => string;
  readonly now: () => number;
  readonly workerName: string;
  readonly breakers: BreakerLimits;
  readonly limits: Limits;
  /** Told what this worker has, so that it can give signs of life. */
  readonly onTaken?: (taken: TakenRun) => void;
};

/** What was decided; null where there was nothing to do. */
export async function runIterationJob<Writes>(
  deps: LoopDeps<Writes>,
  job: IterationJob,
  signal: AbortSignal,
): Promise<Committed | null> {
  const taken = await takeRun(deps.store, job, deps.workerName, deps.limits);
  if (taken === null) return null;
  deps.onTaken?.(taken);
  const result = await iterate(deps, taken, signal);
  return commitIteration(deps.store, taken.claim, result, deps.breakers, deps.limits);
}

async function iterate<Writes>(deps: LoopDeps<Writes>, taken: TakenRun, signal: AbortSignal): Promise<IterationResult> {
  const { run, claim, signals } = taken;
  const journal = new StepJournal(deps.store, taken, signal, deps);
  const input = { run, attempt: claim.attempt, signals };
  let hasFailed = false;
  const result = await deps.engine.iterate(input, journal).catch((thrown: unknown) => {
    hasFailed = true;
    return failed(run, thrown, signal);
  });
  const { artifacts, hasBegun } = journal.facts();
  const wasHeard = hasBegun || (result.kind === "worked" && !hasFailed);
  if (result.kind === "provider_fault") return { ...result, artifacts, wasHeard };
  const proven = await deps.prover.prove(run, result, journal);
  if (proven.kind === "provider_fault") return { ...proven, artifacts: journal.facts().artifacts, wasHeard };
  const worked = { ...withFacts(run, result, proven.proofs, journal.facts()), wasHeard, narrative: null };
  return { ...worked, narrative: await narrativeOf(deps, run, worked, journal) };
}

/** Asked for before the end is committed, so that it is paid for and kept like everything else of the run. */
async function narrativeOf<Writes>(
  { engine, store, breakers }: LoopDeps<Writes>,
  { id, fence }: RunningRun,
  result: WorkedIteration,
  journal: StepJournal<Writes>,
): Promise<string | null> {
  if (engine.narrate === undefined) return null;
  const locked = await store.transaction((tx) => tx.lockRun(id));
  if (locked === null || locked.run.fence !== fence || locked.run.state.status !== "running") return null;
  const run = withClaimedTime(locked) as RunningRun;
  const { decision } = conclude(run, result, breakers);
  if (decision.kind !== "complete" && decision.kind !== "stop") return null;
  const status = decision.kind === "complete" ? "completed" : "stopped";
  const { proofs, summary } = result;
  return engine.narrate({ run, status, why: decision.why, proofs, summary }, journal);
}

/** What the platform saw, beside what the engine says. */
function withFacts(
  run: RunningRun,
  result: Extract<EngineResult, { kind: "worked" }>,
  proofs: readonly Proof[],
  { artifacts, wasRefused }: JournalFacts,
): Omit<WorkedIteration, "wasHeard" | "narrative"> {
  const wasGreen = new Set(run.lastProofs.filter(({ isGreen }) => isGreen).map(({ checkId }) => checkId));
  const turned = proofs.filter(({ checkId, isGreen }) => isGreen && !wasGreen.has(checkId)).length;
  const progress = { entitiesWritten: artifacts.length, checksTurnedGreen: turned };
  return { ...result, proofs, artifacts, progress, wasRefused };
}

/** An engine that throws has failed its iteration: breakers count that. Losing the claim or the database is not its doing. */
function failed(run: RunningRun, thrown: unknown, signal: AbortSignal): EngineResult {
  if (thrown instanceof ClaimLost || signal.aborted || isOurs(thrown)) throw thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const isRefused = thrown instanceof CallRefused;
  return {
    kind: "worked",
    summary: isRefused ? message : `It failed: ${message.slice(0, 500)}`,
    claim: null,
    closing: null,
    isSilent: true,
    heard: 0,
    questions: [],
    plan: run.plan,
    proposed: null,
    actions: null,
    error: isRefused ? null : toIterationError(message),
    hasToolMiss: false,
  };
}

const isOurs = (thrown: unknown) => thrown instanceof AppError && thrown.code === "database_unavailable";

// The loop: one job is one iteration. Take the run, work through the journal, decide and commit. A crash anywhere leaves a
// job that someone else takes, and a journal of what need not be done again.

import type { ArtifactRef } from "../domain/plan/plan.ts";
import type { BreakerLimits } from "../domain/run/breakers.ts";
import type { Proof } from "../domain/run/checks.ts";
import { conclude } from "../domain/run/conclude.ts";
import { toIterationError } from "../domain/run/fingerprint.ts";
import type {
  IterationError,
  IterationResult,
  ProgressFacts,
  ProviderFault,
  WorkedIteration,
} from "../domain/run/iteration-result.ts";
import { assumeNew, findNewStates } from "../domain/run/progress.ts";
import type { RunningRun } from "../domain/run/run.ts";
import type { Limits } from "../runs/carry-out.ts";
import { type Committed, commitIteration } from "../runs/commit-iteration.ts";
import { CallRefused, isEndOfWork, StepJournal } from "../runs/journal.ts";
import type { Engine, EngineResult, Proven, Prover } from "../runs/ports/engine.ts";
import type { IterationJob, RunStore, TakenRun } from "../runs/ports/run-store.ts";
import { takeRun, withClaimedTime } from "../runs/take-run.ts";

export type LoopDeps<Writes> = {
  readonly store: RunStore<Writes>;
  readonly engine: Engine<Writes>;
  readonly prover: Prover<Writes>;
  readonly newId: () => string;
  /** The clock that holds are counted by. */
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
    return failed(run, thrown, signal, journal.facts().hasBegun ? signals.length : 0);
  });
  const { hasBegun, isUnanswered } = journal.facts();
  const wasHeard = !isUnanswered && (hasBegun || (result.kind === "worked" && !hasFailed));
  const heldBy = (fault: ProviderFault): IterationResult => {
    return { kind: "provider_fault", fault, atMs: deps.now(), artifacts: journal.facts().artifacts, wasHeard };
  };
  if (result.kind === "provider_fault") return heldBy(result.fault);
  const proven = await prove(deps, run, result, journal);
  if (proven.kind === "provider_fault") return heldBy(proven.fault);
  const { artifacts, wasRefused } = journal.facts();
  const progress = await readProgress(deps, run, artifacts);
  const worked: WorkedIteration = {
    ...result,
    error: result.error ?? proven.error,
    proofs: proven.proofs,
    artifacts,
    progress,
    wasRefused,
    wasHeard,
    narrative: null,
  };
  return { ...worked, narrative: await narrativeOf(deps, run, worked, journal) };
}

type Worked = Extract<EngineResult, { kind: "worked" }>;
type Looked =
  | { readonly kind: "proven"; readonly proofs: readonly Proof[]; readonly error: IterationError | null }
  | Extract<Proven, { kind: "provider_fault" }>;

/** Checks that cannot be run at all prove nothing and fail the iteration; its worker lives on. */
async function prove<Writes>(
  { prover }: LoopDeps<Writes>,
  run: RunningRun,
  result: Worked,
  journal: StepJournal<Writes>,
): Promise<Looked> {
  try {
    const proven = await prover.prove(run, result, journal);
    return proven.kind === "proven" ? { ...proven, error: null } : proven;
  } catch (thrown) {
    if (isEndOfWork(thrown, journal.signal)) throw thrown;
    return { kind: "proven", proofs: [], error: toIterationError(`The checks could not be run: ${messageOf(thrown)}`) };
  }
}

async function readProgress<Writes>(
  { prover }: LoopDeps<Writes>,
  run: RunningRun,
  artifacts: readonly ArtifactRef[],
): Promise<ProgressFacts> {
  const contents = prover.readStates
    ? await prover.readStates(run, artifacts)
    : assumeNew(run.state.iteration, artifacts);
  return findNewStates(run.best, contents);
}

/**
 * Asked for before the end is committed, so that it is paid for and kept like everything else of the run. Without it the report
 * is made of the facts.
 */
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
  const { decision, step } = conclude(run, result, breakers);
  if (decision.kind !== "complete" && decision.kind !== "stop") return null;
  // As it will be committed: with what this iteration promised and said at its end.
  const ending: RunningRun = { ...step.run, state: run.state };
  const status = decision.kind === "complete" ? "completed" : "stopped";
  const { proofs, summary } = result;
  try {
    return await engine.narrate({ run: ending, status, why: decision.why, proofs, summary }, journal);
  } catch (thrown) {
    if (isEndOfWork(thrown, journal.signal)) throw thrown;
    return null;
  }
}

/** An engine that throws has failed its iteration: breakers count that. Losing the claim or the database is not its doing. */
function failed(run: RunningRun, thrown: unknown, signal: AbortSignal, heard: number): EngineResult {
  if (isEndOfWork(thrown, signal)) throw thrown;
  const message = messageOf(thrown);
  const isRefused = thrown instanceof CallRefused;
  return {
    kind: "worked",
    summary: isRefused ? message : `It failed: ${message.slice(0, 500)}`,
    claim: null,
    closing: null,
    isSilent: true,
    heard,
    questions: [],
    plan: run.plan,
    proposed: null,
    actions: null,
    error: isRefused ? null : toIterationError(message),
    hasToolMiss: false,
  };
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

// One iteration between taking a run and committing it: the engine works, the checks are run, and a run that is about to end gets
// its narrative. What interrupts any of them is data here; a bug of an engine fails its iteration and never its worker.

import type { ArtifactRef } from "../domain/plan/plan.ts";
import type { Proof } from "../domain/run/checks/check.ts";
import { toIterationError } from "../domain/run/gate/fingerprint.ts";
import { assumeNew, findNewStates } from "../domain/run/gate/progress.ts";
import type {
  IterationError,
  IterationResult,
  ProgressFacts,
  ProviderFault,
  WorkedIteration,
} from "../domain/run/iteration-result.ts";
import type { RunningRun } from "../domain/run/run.ts";
import { AppError } from "../lib/app-error.ts";
import { unreachable } from "../lib/assert.ts";
import { StoredJournal } from "../runs/journal.ts";
import type { LoopStore } from "../runs/loop-store.ts";
import type { Engine, EngineFor, InstalledEngine, Interruption, Prover, Worked } from "../runs/ports/engine.ts";
import type { Lease, TakenRun } from "../runs/ports/run-store.ts";

export type WorkDeps<Writes> = {
  readonly runs: LoopStore<Writes>;
  readonly engineFor: EngineFor<Writes>;
  readonly newId: () => string;
  /** The clock that holds are counted by. */
  readonly now: () => number;
};

/** Nothing may be committed: the lease is gone, or another attempt goes on. */
export type Unfinished = Extract<Interruption, { readonly kind: "lost" | "aborted" }>;
type Held = Extract<Interruption, { readonly kind: "held" }>;

export async function workOn<Writes>(
  deps: WorkDeps<Writes>,
  taken: TakenRun,
  signal: AbortSignal,
): Promise<IterationResult | Unfinished> {
  const { run } = taken;
  const journal = new StoredJournal(deps.runs, taken, signal, deps);
  const found = deps.engineFor(run);
  const installed = "missing" in found ? notInstalled<Writes>(found.missing) : found;
  const iterated = await iterate(installed, taken, journal);
  if (iterated.kind === "lost" || iterated.kind === "aborted") return iterated;
  const { hasBegun, isUnanswered } = journal.facts();
  const wasHeard = !isUnanswered && (hasBegun || (iterated.kind === "worked" && iterated.isWhole));
  const hold = (fault: ProviderFault): IterationResult => {
    return { kind: "provider_fault", fault, atMs: deps.now(), artifacts: journal.facts().artifacts, wasHeard };
  };
  if (iterated.kind === "held") return hold(iterated.fault);
  const proven = await prove(installed.prover, run, iterated.worked, journal);
  if (proven.kind === "held") return hold(proven.fault);
  if (proven.kind !== "proven") return proven;
  const { artifacts, wasRefused } = journal.facts();
  const worked: WorkedIteration = {
    ...iterated.worked,
    error: iterated.worked.error ?? proven.error,
    proofs: proven.proofs,
    artifacts,
    progress: proven.progress,
    wasRefused,
    wasHeard,
    narrative: null,
  };
  const narrated = await narrate(deps.runs, installed.engine, taken.lease, worked, journal);
  return typeof narrated === "object" && narrated !== null ? narrated : { ...worked, narrative: narrated };
}

/** Created before the engine was taken away from this installation: every iteration says what to do, until a breaker stops the run. */
const notInstalled = <Writes>(why: string): InstalledEngine<Writes> => ({
  engine: { iterate: () => Promise.reject(new Error(why)) },
  prover: { prove: async () => ({ kind: "proven", proofs: [] }) },
  workFolder: null,
});

type Iterated =
  /** `isWhole`: the engine itself came to the end of it. */
  { readonly kind: "worked"; readonly worked: Worked; readonly isWhole: boolean } | Held | Unfinished;

async function iterate<Writes>(
  { engine, workFolder }: InstalledEngine<Writes>,
  { run, lease, messages }: TakenRun,
  journal: StoredJournal<Writes>,
): Promise<Iterated> {
  const brokenOff = (summary: string, error: IterationError | null): Iterated => {
    const heard = journal.facts().hasBegun ? messages.length : 0;
    return { kind: "worked", worked: { ...nothingDone(run), summary, error, heard }, isWhole: false };
  };
  const input = { run, attempt: lease.attempt, messages, workFolder };
  const result = await engine.iterate(input, journal).catch(toBug(journal.signal));
  switch (result.kind) {
    case "worked":
      return { kind: "worked", worked: result, isWhole: true };
    case "refused":
      // The journal remembers it, and the gate stops the run for its cost.
      return brokenOff(result.why, null);
    case "bug":
      return brokenOff(`It failed: ${result.message.slice(0, 500)}`, toIterationError(result.message));
    case "held":
    case "lost":
    case "aborted":
      return result;
    default:
      return unreachable(result);
  }
}

const nothingDone = (run: RunningRun): Omit<Worked, "summary" | "error" | "heard"> => ({
  kind: "worked",
  claim: null,
  closing: null,
  wasCutOff: true,
  questions: [],
  plan: run.plan,
  proposed: null,
  actions: null,
  hasToolMiss: false,
});

type Looked =
  | {
      readonly kind: "proven";
      readonly proofs: readonly Proof[];
      readonly progress: ProgressFacts;
      readonly error: IterationError | null;
    }
  | Held
  | Unfinished;

/** Checks that cannot be run at all prove nothing and fail the iteration; its worker lives on. */
async function prove<Writes>(
  prover: Prover<Writes>,
  run: RunningRun,
  worked: Worked,
  journal: StoredJournal<Writes>,
): Promise<Looked> {
  const look = async (): Promise<Looked> => {
    const proven = await prover.prove(run, worked, journal);
    if (proven.kind === "held" || proven.kind === "lost" || proven.kind === "aborted") return proven;
    const progress = await readProgress(prover, run, journal.facts().artifacts);
    return { kind: "proven", proofs: proven.kind === "proven" ? proven.proofs : [], progress, error: null };
  };
  const looked = await look().catch(toBug(journal.signal));
  if (looked.kind !== "bug") return looked;
  const error = toIterationError(`The checks could not be run: ${looked.message}`);
  return { kind: "proven", proofs: [], progress: findNewStates(run.best, []), error };
}

async function readProgress<Writes>(
  prover: Prover<Writes>,
  run: RunningRun,
  artifacts: readonly ArtifactRef[],
): Promise<ProgressFacts> {
  const contents = prover.readStates
    ? await prover.readStates(run, artifacts)
    : assumeNew(run.state.iteration, artifacts);
  return findNewStates(run.best, contents);
}

/**
 * Asked for before the end is committed, so that it is paid for and kept like everything else of the run. A run that has come to its
 * end does not wait for words: where they cannot be had, the report is made of the facts (record 0029).
 */
async function narrate<Writes>(
  runs: LoopStore<Writes>,
  engine: Engine<Writes>,
  lease: Lease,
  result: WorkedIteration,
  journal: StoredJournal<Writes>,
): Promise<string | null | Unfinished> {
  if (engine.narrate === undefined) return null;
  const ending = await runs.foresee(lease, result);
  if (ending === "lost") return { kind: "lost" };
  if (ending === null) return null;
  const narrated = await engine.narrate(ending, journal).catch(toBug(journal.signal));
  switch (narrated.kind) {
    case "narrated":
      return narrated.text;
    case "held":
    case "refused":
    case "bug":
      return null;
    case "lost":
    case "aborted":
      return narrated;
    default:
      return unreachable(narrated);
  }
}

type Bug = { readonly kind: "bug"; readonly message: string };

/** What an engine threw although it should not. That the store cannot be reached is not its doing: the job is given back. */
const toBug =
  (signal: AbortSignal) =>
  (thrown: unknown): Bug | Extract<Interruption, { kind: "aborted" }> => {
    if (signal.aborted) return { kind: "aborted" };
    if (thrown instanceof AppError && thrown.code === "database_unavailable") throw thrown;
    return { kind: "bug", message: thrown instanceof Error ? thrown.message : String(thrown) };
  };

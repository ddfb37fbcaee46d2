// The loop: one job is one iteration. Take the run, work through the journal, decide and commit. A crash anywhere leaves a
// job that someone else takes, and a journal of what need not be done again.

import type { BreakerLimits } from "../domain/run/breakers.ts";
import type { Limits } from "../runs/carry-out.ts";
import { type Committed, commitIteration } from "../runs/commit-iteration.ts";
import type { Engine, Prover } from "../runs/engine-port.ts";
import type { IterationJob, RunStore, TakenRun } from "../runs/ports.ts";
import { takeRun } from "../runs/take-run.ts";
import { workOn } from "./work-on.ts";

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

/** What was decided; `aborted`: the iteration is left to another attempt; null where there was nothing to do. */
export type EndedJob = Committed | "aborted" | null;

export async function runIterationJob<Writes>(
  deps: LoopDeps<Writes>,
  job: IterationJob,
  signal: AbortSignal,
): Promise<EndedJob> {
  const taken = await takeRun(deps.store, job, deps.workerName, deps.limits);
  if (taken === null) return null;
  deps.onTaken?.(taken);
  const result = await workOn(deps, taken, signal);
  if (result.kind === "lost" || result.kind === "aborted") return result.kind;
  return commitIteration(deps.store, taken.claim, result, deps.breakers, deps.limits);
}

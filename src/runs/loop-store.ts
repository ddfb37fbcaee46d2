// The narrow waist: all that the loop asks of whatever keeps runs. PostgreSQL, the memory of simulations and a folder of files
// stand behind it, and one suite (test/contract/loop-store.test.ts) holds for all of them. It says nothing of transactions.

import { conclude } from "../domain/run/conclude.ts";
import type { BreakerLimits } from "../domain/run/gate/breakers.ts";
import type { IterationResult, WorkedIteration } from "../domain/run/iteration-result.ts";
import type { RunningRun } from "../domain/run/run.ts";
import type { Limits } from "./carry-out.ts";
import { type Committed, commitIteration } from "./commit-iteration.ts";
import type { Ending } from "./ports/engine.ts";
import type { IterationJob, JournalStore, Lease, RunStore, TakenRun } from "./ports/run-store.ts";
import { takeRun, withLeasedTime } from "./take-run.ts";

export type LoopStore<Writes> = JournalStore<Writes> & {
  /** The lease of what is due, with all that was done of it before; null: there is nothing to do for this job any more. */
  readonly take: (job: IterationJob) => Promise<TakenRun | null>;
  /** How the run would end if this were committed now; null: it would go on. */
  readonly foresee: (lease: Lease, result: WorkedIteration) => Promise<Ending | "lost" | null>;
  /** Decides, and keeps everything that follows from it or nothing. */
  readonly commit: (lease: Lease, result: IterationResult) => Promise<Committed>;
};

export type LoopRules = {
  /** Who has the lease, for people. */
  readonly workerName: string;
  readonly breakers: BreakerLimits;
  readonly limits: Limits;
};

/** The waist over the transactions of a store. */
export function loopStore<Writes>(
  store: RunStore<Writes>,
  { workerName, breakers, limits }: LoopRules,
): LoopStore<Writes> {
  return {
    ...store,
    take: (job) => takeRun(store, job, workerName, limits),
    foresee: async ({ runId, fence }, result) => {
      const locked = await store.transaction((tx) => tx.lockRun(runId));
      if (locked === null || locked.run.fence !== fence || locked.run.state.status !== "running") return "lost";
      return findEnding(withLeasedTime(locked) as RunningRun, result, breakers);
    },
    commit: (lease, result) => commitIteration(store, lease, result, breakers, limits),
  };
}

function findEnding(run: RunningRun, result: WorkedIteration, breakers: BreakerLimits): Ending | null {
  const { decision, move } = conclude(run, result, breakers);
  if (decision.kind !== "complete" && decision.kind !== "stop") return null;
  return {
    // As it will be committed: with what this iteration promised and said at its end.
    run: { ...move.run, state: run.state },
    status: decision.kind === "complete" ? "completed" : "stopped",
    why: decision.why,
    proofs: result.proofs,
    summary: result.summary,
  };
}

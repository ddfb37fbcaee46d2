// The loop: one job is one iteration. Take the run, work through the journal, decide and commit. A crash anywhere leaves a
// job that someone else takes, and a journal of what need not be done again.

import type { Committed } from "../runs/commit-iteration.ts";
import type { IterationJob, TakenRun } from "../runs/ports/run-store.ts";
import { type WorkDeps, workOn } from "./work-on.ts";

export type LoopDeps<Writes> = WorkDeps<Writes> & {
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
  const taken = await deps.runs.take(job);
  if (taken === null) return null;
  deps.onTaken?.(taken);
  const result = await workOn(deps, taken, signal);
  if (result.kind === "lost" || result.kind === "aborted") return result.kind;
  return deps.runs.commit(taken.lease, result);
}

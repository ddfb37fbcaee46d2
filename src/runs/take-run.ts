// A worker takes the run of a job: the fence goes up in the same transaction that records the attempt. What earlier
// attempts did comes along, so that none of it is done again.

import type { UserId } from "../domain/identity/identity.ts";
import { addSpent, nothingSpent } from "../domain/run/budget/budget.ts";
import { cancel } from "../domain/run/commands.ts";
import type { Run } from "../domain/run/run.ts";
import { take } from "../domain/run/take.ts";
import { carryOut, type Limits } from "./carry-out.ts";
import type { IterationJob, LockedRun, RunTransactions, RunTx, TakenRun } from "./ports/run-store.ts";

/** Null: there is nothing to do for this job; it has been acknowledged. */
export async function takeRun(
  store: RunTransactions,
  job: IterationJob,
  workerName: string,
  limits: Limits,
): Promise<TakenRun | null> {
  const taken = await store.transaction((tx) => takeLocked(tx, job, workerName, limits));
  if (taken === null || !("endsFor" in taken)) return taken;
  await store.transaction((tx) => endRun(tx, job, taken.endsFor, limits));
  return null;
}

/** Its workers died too often, or its user's account is shut: the run has to end, in a transaction that locks its user first. */
type ToEnd = { readonly endsFor: UserId };

async function takeLocked(
  tx: RunTx,
  job: IterationJob,
  workerName: string,
  limits: Limits,
): Promise<TakenRun | ToEnd | null> {
  const locked = await tx.lockRun(job.runId);
  if (locked === null) return acknowledged(tx, job);
  if (locked.isOwnerShut && cancel(locked.run).isDone) return { endsFor: locked.run.userId };
  const attempt = locked.attempts + 1;
  const isRepeated = attempt > 1;
  const journal = isRepeated ? await tx.readJournal(job.runId, job.iteration) : [];
  const hasBegun = journal.length > 0;
  const taken = take(asLeft(locked), job.iteration, attempt, hasBegun);
  if (taken.kind === "stale") return acknowledged(tx, job);
  if (taken.kind === "given_up") return { endsFor: locked.run.userId };
  const { run, effects } = taken;
  await carryOut(tx, locked.run, { run, effects }, limits, { lease: "begin", leasedBy: workerName });
  if (isRepeated) await tx.giveUpCalls(run.id);
  const isHeard = locked.run.unreadMessages > 0 || isRepeated;
  const messages = isHeard ? await tx.takeUpMessages(run.id, job.iteration, !hasBegun) : [];
  const { id: runId, userId, fence } = run;
  return { lease: { runId, userId, iteration: job.iteration, attempt, fence, job }, run, messages, journal };
}

async function acknowledged(tx: RunTx, job: IterationJob): Promise<null> {
  await tx.acknowledge(job);
  return null;
}

async function endRun(tx: RunTx, job: IterationJob, userId: UserId, limits: Limits): Promise<void> {
  await tx.lockUser(userId);
  const locked = await tx.lockRun(job.runId);
  if (locked === null) return;
  if (locked.isOwnerShut) {
    const canceled = cancel(withLeasedTime(locked));
    if (canceled.isDone) await carryOut(tx, locked.run, canceled.move, limits, { lease: "release", leasedBy: null });
    return;
  }
  const taken = take(asLeft(locked), job.iteration, locked.attempts + 1);
  if (taken.kind !== "given_up") return; // Someone else was quicker; the next delivery sees how it stands.
  await carryOut(tx, locked.run, taken.move, limits, { lease: "release", leasedBy: null });
}

/** As its last worker left it: one that did not let go of it has died, or is frozen. */
const asLeft = (locked: LockedRun): Run =>
  locked.isLeased ? { ...withLeasedTime(locked), deaths: locked.run.deaths + 1 } : locked.run;

/** What the last attempt took until its worker was last heard of. */
export const withLeasedTime = ({ run, leasedMs }: LockedRun): Run => withRunningTime(run, leasedMs);

export function withRunningTime(run: Run, runningMs: number): Run {
  return { ...run, spent: addSpent(run.spent, { ...nothingSpent, runningMs }) };
}

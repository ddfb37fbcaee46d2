// Commits an iteration: everything in one transaction, and only while the fence is still ours. What the iteration leads to
// is decided in here, on the locked run, so that money, time and messages are those of this moment.

import { conclude } from "../domain/run/conclude.ts";
import type { BreakerLimits } from "../domain/run/gate/breakers.ts";
import type { Decision } from "../domain/run/gate/exit-gate.ts";
import type { IterationResult } from "../domain/run/iteration-result.ts";
import type { RunningRun } from "../domain/run/run.ts";
import { carryOut, type Limits, needsUserLock } from "./carry-out.ts";
import type { Lease, LockedRun, RunTransactions, RunTx } from "./ports/run-store.ts";
import { withLeasedTime, withRunningTime } from "./take-run.ts";

export type Committed = Decision | "lost";

export async function commitIteration(
  store: RunTransactions,
  lease: Lease,
  result: IterationResult,
  breakers: BreakerLimits,
  limits: Limits,
): Promise<Committed> {
  const commit = (isUserLocked: boolean) =>
    store.transaction(async (tx) => {
      if (isUserLocked) await tx.lockUser(lease.userId);
      return commitLocked(tx, lease, result, breakers, limits, isUserLocked);
    });
  const committed = await commit(false);
  // Most iterations go on; only one that ends a run gives its slot away and has to begin with the user.
  return committed === "needs_user_lock" ? ((await commit(true)) as Committed) : committed;
}

async function commitLocked(
  tx: RunTx,
  lease: Lease,
  result: IterationResult,
  breakers: BreakerLimits,
  limits: Limits,
  isUserLocked: boolean,
): Promise<Committed | "needs_user_lock"> {
  const locked = await tx.lockRun(lease.runId);
  if (locked === null || locked.run.fence !== lease.fence || locked.run.state.status !== "running") return "lost";
  const { decision, move } = conclude(await withSpentTime(tx, locked, lease, result), result, breakers);
  if (needsUserLock(move) && !isUserLocked) return "needs_user_lock";
  if (!(await tx.acknowledge(lease.job))) return "lost";
  await carryOut(tx, locked.run, move, limits, { lease: "release", leasedBy: null });
  return decision;
}

/** Tries of a provider that is held for lead to nothing and are not the run's doing: they cost it no running time. */
async function withSpentTime(tx: RunTx, locked: LockedRun, lease: Lease, result: IterationResult): Promise<RunningRun> {
  const isHeld = result.kind === "provider_fault" && result.fault.kind === "hold";
  const run = isHeld
    ? withRunningTime(locked.run, Math.min(locked.leasedMs, await tx.workedMs(lease)))
    : withLeasedTime(locked);
  return run as RunningRun;
}

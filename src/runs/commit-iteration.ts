// Commits an iteration: everything in one transaction, and only while the fence is still ours. What the iteration leads to
// is decided in here, on the locked run, so that money, time and messages are those of this moment.

import type { BreakerLimits } from "../domain/run/breakers.ts";
import { conclude } from "../domain/run/conclude.ts";
import type { Decision } from "../domain/run/exit-gate.ts";
import type { IterationResult } from "../domain/run/iteration-result.ts";
import type { RunningRun } from "../domain/run/run.ts";
import { carryOut, type Limits, needsUserLock } from "./carry-out.ts";
import type { Claim, LockedRun, RunTransactions, RunTx } from "./ports/run-store.ts";
import { withClaimedTime, withRunningTime } from "./take-run.ts";

export type Committed = Decision | "lost";

export async function commitIteration(
  store: RunTransactions,
  claim: Claim,
  result: IterationResult,
  breakers: BreakerLimits,
  limits: Limits,
): Promise<Committed> {
  const commit = (isUserLocked: boolean) =>
    store.transaction(async (tx) => {
      if (isUserLocked) await tx.lockUser(claim.userId);
      return commitLocked(tx, claim, result, breakers, limits, isUserLocked);
    });
  const committed = await commit(false);
  // Most iterations go on; only one that ends a run gives its slot away and has to begin with the user.
  return committed === "needs_user_lock" ? ((await commit(true)) as Committed) : committed;
}

async function commitLocked(
  tx: RunTx,
  claim: Claim,
  result: IterationResult,
  breakers: BreakerLimits,
  limits: Limits,
  isUserLocked: boolean,
): Promise<Committed | "needs_user_lock"> {
  const locked = await tx.lockRun(claim.runId);
  if (locked === null || locked.run.fence !== claim.fence || locked.run.state.status !== "running") return "lost";
  const { decision, step } = conclude(await withSpentTime(tx, locked, claim, result), result, breakers);
  if (needsUserLock(step) && !isUserLocked) return "needs_user_lock";
  if (!(await tx.acknowledge(claim.job))) return "lost";
  await carryOut(tx, locked.run, step, limits, { claim: "release", claimedBy: null });
  return decision;
}

/** Tries of a provider that is held for lead to nothing and are not the run's doing: they cost it no running time. */
async function withSpentTime(tx: RunTx, locked: LockedRun, claim: Claim, result: IterationResult): Promise<RunningRun> {
  const isHeld = result.kind === "provider_fault" && result.fault.kind === "hold";
  const run = isHeld
    ? withRunningTime(locked.run, Math.min(locked.claimedMs, await tx.workedMs(claim)))
    : withClaimedTime(locked);
  return run as RunningRun;
}

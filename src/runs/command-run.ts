// What a person does to a run, as a transaction: of a command and a commit that meet, exactly one comes first, and the
// other sees it.

import type { UserId } from "../domain/identity/identity.ts";
import { type Answered, pause } from "../domain/run/commands.ts";
import type { Run, RunId } from "../domain/run/run.ts";
import { carryOut, type Limits } from "./carry-out.ts";
import type { LockedRun, RunTx } from "./ports/run-store.ts";
import { withLeasedTime } from "./take-run.ts";

export type Commanded =
  | { readonly outcome: "done"; readonly run: Run }
  /** It said no; `run` is how it stands. */
  | { readonly outcome: "refused"; readonly why: string; readonly run: Run }
  | { readonly outcome: "missing" };

export async function commandRun(
  tx: RunTx,
  userId: UserId,
  runId: RunId,
  command: (run: Run) => Answered,
  limits: Limits,
): Promise<Commanded> {
  await tx.lockUser(userId);
  const locked = await tx.lockRun(runId);
  if (locked === null || locked.run.userId !== userId) return { outcome: "missing" };
  const answer = command(locked.run);
  if (!answer.isDone) return { outcome: "refused", why: answer.why, run: locked.run };
  const { run, effects } = answer.move;
  const isTakenAway = run.fence !== locked.run.fence;
  const after = isTakenAway ? { ...run, spent: withLeasedTime(locked).spent } : run;
  await carryOut(tx, locked.run, { run: after, effects }, limits, {
    lease: isTakenAway ? "release" : "keep",
    leasedBy: null,
  });
  if (locked.run.state.status === "waiting_on_user") await restWithTask(tx, after, limits);
  // A user who acts on a run has seen what it told; what this very command leads to is news.
  if (!effects.some(({ kind }) => kind === "notify_user")) await tx.readNotification(run);
  return { outcome: "done", run: await asItIs(tx, locked, after) };
}

/** It has its answer and would go on, but its task rests: so does the run, until the task goes on. */
async function restWithTask(tx: RunTx, { id }: Run, limits: Limits): Promise<void> {
  const locked = await tx.lockRun(id);
  if (locked?.run.state.status !== "queued" || (await tx.isTaskAtWork(locked.run))) return;
  const paused = pause(locked.run, "Its task rests");
  if (paused.isDone) await carryOut(tx, locked.run, paused.move, limits, { lease: "release", leasedBy: null });
}

/** Admission may have given this very run a slot. */
async function asItIs(tx: RunTx, { run }: LockedRun, after: Run): Promise<Run> {
  return after.state.status === "queued" ? ((await tx.lockRun(run.id))?.run ?? after) : after;
}

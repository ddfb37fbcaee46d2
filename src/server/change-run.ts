// What a person does to one of their runs, as a route carries it out: the run is found as its user, changed as the platform in the same
// transaction, and the audit log says so.

import { asPlatform, type Tx } from "../db/database.ts";
import type { AuditAction } from "../domain/identity/audit.ts";
import type { Actor, UserId } from "../domain/identity/identity.ts";
import type { Answered } from "../domain/run/commands.ts";
import type { BreakerLimits } from "../domain/run/gate/breakers.ts";
import type { Run, RunId } from "../domain/run/run.ts";
import type { Run as WireRun } from "../protocol/api.ts";
import type { Limits } from "../runs/carry-out.ts";
import { type Commanded, commandRun } from "../runs/command-run.ts";
import type { RunTx } from "../runs/ports/run-store.ts";
import { writeAudit } from "../store/identity/audit-store.ts";
import type { RunJobs } from "../store/run/run-jobs.ts";
import { inRunTx } from "../store/run/run-store.ts";
import { findRunView, lastEventSeq } from "../store/run-view/run-view-store.ts";
import { refused, toWireRun } from "./run-wire.ts";
import { foundOrThrow, missing } from "./wire.ts";

export type ChangeDeps = {
  readonly jobs: RunJobs;
  readonly limits: Limits;
  /** When workers stop a run; for warnings. */
  readonly breakers: BreakerLimits;
};

export type CommandRequest = {
  readonly tx: Tx;
  readonly actor: Actor;
  readonly params: { readonly runId: string };
};

export const viewOf = async (tx: Tx, runId: string) => foundOrThrow(await findRunView(tx, runId), "run");

export const command = (
  deps: ChangeDeps,
  request: CommandRequest,
  action: AuditAction,
  decide: (run: Run) => Answered,
): Promise<WireRun> =>
  changeRun(deps, request, action, (runs, _, { userId, runId }) =>
    commandRun(runs, userId, runId, decide, deps.limits),
  );

type Whose = { readonly userId: UserId; readonly runId: RunId };

export async function changeRun(
  deps: ChangeDeps,
  { tx, actor, params }: CommandRequest,
  action: AuditAction,
  change: (runs: RunTx, platform: Tx, whose: Whose) => Promise<Commanded>,
): Promise<WireRun> {
  const runId = params.runId as RunId;
  if ((await lastEventSeq(tx, runId)) === null) throw missing("run");
  const whose = { userId: actor.userId, runId };
  const answer = await asPlatform(tx, (platform) =>
    inRunTx(platform, deps.jobs, (runs) => change(runs, platform, whose)),
  );
  if (answer.outcome === "missing") throw missing("run");
  const view = await viewOf(tx, runId);
  if (answer.outcome === "refused") throw refused(answer.why, view, deps.breakers);
  await writeAudit(tx, { actorId: actor.userId, action, target: `run:${runId}` });
  return toWireRun(view, deps.breakers);
}

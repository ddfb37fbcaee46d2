// Staged writes of a run: looking at them, and saying yes or no to each. They are found as the run's user; what is decided is
// written as the platform, in the same transaction as the run's answer.

import { asPlatform } from "../../db/database.ts";
import type { RunId } from "../../domain/run/run.ts";
import { AppError } from "../../lib/app-error.ts";
import { unreachable } from "../../lib/assert.ts";
import { routes } from "../../protocol/api.ts";
import { type DecidedRun, decideForRun } from "../../runs/answer-run.ts";
import { findWrite, listWrites, stagedWrites } from "../../store/change/change-set-store.ts";
import { writeAudit } from "../../store/identity/audit-store.ts";
import { inRunTx } from "../../store/run/run-store.ts";
import { findRunView, lastEventSeq } from "../../store/run-view/run-view-store.ts";
import { listedMax, toWireWrite } from "../change-wire.ts";
import { mountUser, type UserRequest } from "../mount.ts";
import { refused, toWireRun } from "../run-wire.ts";
import { foundOrThrow, missing, toWirePage } from "../wire.ts";
import type { RunDeps } from "./run-routes.ts";

export function mountChangeRoutes(deps: RunDeps): void {
  mountUser(deps, routes.changes.list, async ({ tx, params: { runId }, query }) => {
    if ((await lastEventSeq(tx, runId)) === null) throw missing("run");
    return toWirePage(await listWrites(tx, runId, query), (write) => toWireWrite(write, listedMax));
  });

  mountUser(deps, routes.changes.get, async ({ tx, params: { runId, changeId } }) =>
    toWireWrite(foundOrThrow(await findWrite(tx, runId, changeId), "change"), Number.POSITIVE_INFINITY),
  );

  mountUser(deps, routes.changes.decide, (request) => decide(deps, request));
}

async function decide(deps: RunDeps, { tx, actor, params, body }: UserRequest<typeof routes.changes.decide>) {
  const runId = params.runId as RunId;
  if ((await lastEventSeq(tx, runId)) === null) throw missing("run");
  const decisions = body.decisions.map(({ change_id: id, decision, note }) => ({ id, decision, note }));
  const whose = { userId: actor.userId, runId };
  const decided = await asPlatform(tx, (platform) =>
    inRunTx(platform, deps.jobs, (runs) => decideForRun(runs, stagedWrites(platform), whose, decisions, deps.limits)),
  );
  const view = foundOrThrow(await findRunView(tx, runId), "run");
  const problem = problemOf(decided);
  if (problem instanceof AppError) throw problem;
  if (problem !== null) throw refused(problem, view, deps.breakers);
  const details = { approved: countOf(decisions, "approve"), rejected: countOf(decisions, "reject") };
  await writeAudit(tx, { actorId: actor.userId, action: "run_changes_decided", target: `run:${runId}`, details });
  return { run: toWireRun(view, deps.breakers), pending: decided.outcome === "done" ? decided.pending : 0 };
}

const countOf = (decisions: readonly { readonly decision: string }[], which: string) =>
  decisions.filter(({ decision }) => decision === which).length;

/** A sentence: the run says no. Nothing of the request was kept then. */
function problemOf(decided: DecidedRun): AppError | string | null {
  switch (decided.outcome) {
    case "done":
      return null;
    case "missing_run":
      return missing("run");
    case "missing":
      return missing(`change ${decided.id} of this run`);
    case "refused":
      return decided.why;
    case "decided_otherwise":
      return `The change ${decided.id} is ${decided.state} already`;
    default:
      return unreachable(decided);
  }
}

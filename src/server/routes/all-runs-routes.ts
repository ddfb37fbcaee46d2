// The runs of everyone, as those who manage the installation see and end them.

import type { UserId } from "../../domain/identity/identity.ts";
import { cancel } from "../../domain/run/commands.ts";
import type { RunId } from "../../domain/run/run.ts";
import { AppError } from "../../lib/app-error.ts";
import { routes } from "../../protocol/api.ts";
import { someRun } from "../../protocol/routes/identity.ts";
import type { Limits } from "../../runs/carry-out.ts";
import { commandRun } from "../../runs/command-run.ts";
import { writeAudit } from "../../store/identity/audit-store.ts";
import type { RunJobs } from "../../store/run/run-jobs.ts";
import { inRunTx } from "../../store/run/run-store.ts";
import { findAnyRun, listAllRuns, type SomeRun } from "../../store/run-view/all-runs-store.ts";
import { type MountDeps, mountUser } from "../mount.ts";
import { foundOrThrow, toWirePage, wireOf } from "../wire.ts";

type AllRunsDeps = MountDeps & { readonly jobs: RunJobs; readonly limits: Limits };

const wire = wireOf(someRun);
const toWire = (run: SomeRun) => wire({ ...run, costUsd: run.costMicroUsd / 1_000_000 });

export function mountAllRuns(deps: AllRunsDeps): void {
  mountUser(deps, routes.identity.allRuns, async ({ tx, query }) => toWirePage(await listAllRuns(tx, query), toWire));

  mountUser(deps, routes.identity.cancelAnyRun, async ({ tx, actor, params }) => {
    const { userId } = foundOrThrow(await findAnyRun(tx, params.anyRunId), "run");
    const runId = params.anyRunId as RunId;
    const answer = await inRunTx(tx, deps.jobs, (runs) =>
      commandRun(runs, userId as UserId, runId, cancel, deps.limits),
    );
    if (answer.outcome === "refused") throw new AppError("wrong_status", answer.why);
    const details = { owner: userId };
    await writeAudit(tx, { actorId: actor.userId, action: "run_canceled", target: `run:${runId}`, details });
    return toWire(foundOrThrow(await findAnyRun(tx, runId), "run"));
  });
}

// Who may not write in a project starts no work there, and work that is under way stops once its user may not write any more: at once,
// and in words that say what to do, instead of being refused by the database write by write.

import type { Tx } from "../db/database.ts";
import { pauseOutcome } from "../domain/homr/commands/outcome-commands.ts";
import { includesRole, type UserId } from "../domain/identity/identity.ts";
import { rest } from "../domain/run/commands.ts";
import { listProjects } from "../domain/run/describe-config.ts";
import type { Run, RunScope } from "../domain/run/run.ts";
import { AppError } from "../lib/app-error.ts";
import { commandOutcome } from "../outcomes/command-outcome.ts";
import { commandRun } from "../runs/command-run.ts";
import { findProject } from "../store/entity/project-store.ts";
import { lockWorkIn } from "../store/identity/open-work-store.ts";
import { inOutcomeTx } from "../store/outcome/outcome-store.ts";
import { inRunTx } from "../store/run/run-store.ts";
import type { ShutDeps } from "./shut-account.ts";

/** Tools that only look, by how they are named; those of other programs are not among them. */
const looking = /^(get|list|search|read|web)(_|$)/;

const onlyLooks = ({ allowedTools }: Run["permission"]): boolean =>
  allowedTools?.every((name) => looking.test(name)) ?? false;

/** In one project, and in several if none of them can be written to. A run that only looks needs no more than a viewer. */
export async function refuseUnwritable(tx: Tx, run: Pick<Run, "scope" | "permission">): Promise<void> {
  if (run.scope.kind === "global" || onlyLooks(run.permission)) return;
  await refuseViewer(tx, run.scope);
}

export async function refuseViewer(tx: Tx, scope: RunScope): Promise<void> {
  const names: string[] = [];
  for (const id of listProjects(scope)) {
    const project = await findProject(tx, id);
    if (project !== null && includesRole(project.role, "editor")) return;
    names.push(project === null ? "a project that you no longer belong to" : `“${project.name}”`);
  }
  const where = names.join(", ");
  throw new AppError(
    "forbidden",
    `You may not write in ${where}: ask an owner of the project for the role editor, or work in another project`,
  );
}

/**
 * The role of a member was lowered or taken, in a transaction of the platform's: their outcomes in that project rest, and so do runs
 * that have no other project to write to.
 */
export async function restWork(tx: Tx, deps: ShutDeps, userId: UserId, project: { id: string; name: string }) {
  const { outcomes, runs } = await lockWorkIn(tx, userId, project.id);
  const { now, newId } = deps.env;
  const world = { nowMs: now(), newId: () => newId() };
  const why = `You may no longer write in “${project.name}”. Ask an owner of the project for the role editor, then resume`;
  for (const outcomeId of outcomes)
    await inOutcomeTx(tx, deps.jobs, (open) =>
      commandOutcome(open, userId, outcomeId, (state, at) => pauseOutcome(state, at, why), {
        limits: deps.limits,
        world,
      }),
    );
  await inRunTx(tx, deps.jobs, async (open) => {
    for (const runId of runs) await commandRun(open, userId, runId, (run) => rest(run, why), deps.limits);
  });
}

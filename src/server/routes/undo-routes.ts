// Taking back what a run wrote, and bringing that back. Only a run that is not at work can be undone, and one that could still go on is ended by it:
// whatever it would do next was planned on things that are not there any more.

import { asPlatform, type Tx } from "../../db/database.ts";
import type { Actor } from "../../domain/identity/identity.ts";
import { cancel } from "../../domain/run/commands.ts";
import { isTerminal, type Run, type RunId } from "../../domain/run/run.ts";
import { tellConflicts } from "../../domain/undo/tell-conflicts.ts";
import { type Conflict, isNothingLeft, refOf, type Thing, type UndoPlan } from "../../domain/undo/undo-plan.ts";
import { AppError } from "../../lib/app-error.ts";
import { routes, type Undone } from "../../protocol/api.ts";
import { undoNamedMax, undoThing } from "../../protocol/routes/undo-shapes.ts";
import { commandRun } from "../../runs/command-run.ts";
import { restoreRun } from "../../store/change/restore-store.ts";
import { readUndo, undoRun } from "../../store/change/undo-store.ts";
import { writeAudit } from "../../store/identity/audit-store.ts";
import { inRunTx } from "../../store/run/run-store.ts";
import { findRunView, type RunView } from "../../store/run-view/run-view-store.ts";
import { mountUser } from "../mount.ts";
import { refused } from "../run-wire.ts";
import { foundOrThrow, missing, wireOf } from "../wire.ts";
import type { RunDeps } from "./run-routes.ts";

export function mountUndoRoutes(deps: RunDeps): void {
  mountUser(deps, routes.runs.undo, async ({ tx, actor, params: { runId }, query, body }) => {
    const view = foundOrThrow(await findRunView(tx, runId), "run");
    const choice = { skip: new Set(body.skip), force: new Set(body.force) };
    const looked = await readUndo(tx, runId, choice);
    // Nothing to take back is no reason to end a run either.
    if (query.dry_run || isNothingLeft(looked)) return toWireUndone(view, looked, query.dry_run);
    const before = await holdStill(deps, tx, actor, view);
    const plan = await undoRun(tx, runId, choice);
    if (plan.conflicts.length > 0) throw inConflict(before, plan);
    const { remove, restore, kept, skipped } = plan;
    const details = { removed: remove.length, restored: restore.length, kept: kept.length, skipped: skipped.length };
    await writeAudit(tx, { actorId: actor.userId, action: "run_undone", target: `run:${runId}`, details });
    return toWireUndone(before, plan, false);
  });

  mountUser(deps, routes.runs.restore, async ({ tx, actor, params: { runId } }) => {
    const { run } = foundOrThrow(await findRunView(tx, runId), "run");
    const { restored, left } = await restoreRun(tx, runId);
    if (restored.length > 0) {
      const details = { restored: restored.length, left: left.length };
      await writeAudit(tx, { actorId: actor.userId, action: "run_restored", target: `run:${runId}`, details });
    }
    return { run_id: run.id, restored: some(restored, toWireThing), left: some(left, toWireThing) };
  });
}

const isAtWork = ({ state }: Run) => state.status === "queued" || state.status === "running";

/** The run as it was; locked, ended, and nothing goes on with it until we are done. */
async function holdStill(deps: RunDeps, tx: Tx, { userId }: Actor, view: RunView): Promise<RunView> {
  const runId = view.run.id as RunId;
  if (isAtWork(view.run)) throw refused("The run is at work: pause or cancel it first", view, deps.breakers);
  const answer = await asPlatform(tx, (platform) =>
    inRunTx(platform, deps.jobs, (runs) =>
      commandRun(
        runs,
        userId,
        runId,
        (run) => (isAtWork(run) ? { isDone: false, why: "It goes on meanwhile" } : cancel(run)),
        deps.limits,
      ),
    ),
  );
  if (answer.outcome === "missing") throw missing("run");
  if (answer.outcome === "done" || isTerminal(answer.run.state.status)) return view;
  const meanwhile = foundOrThrow(await findRunView(tx, runId), "run");
  throw refused("The run is at work: pause or cancel it first", meanwhile, deps.breakers);
}

function inConflict(view: RunView, plan: UndoPlan): AppError {
  const { conflicts } = toWireUndone(view, plan, false);
  const told = tellConflicts(plan.conflicts.map(({ thing, reason }) => ({ ref: refOf(thing), reason })));
  const message = `${told}: name each in skip or force`;
  return new AppError("undo_conflict", message, { details: { conflicts: conflicts.items, count: conflicts.count } });
}

const thingOf = wireOf(undoThing);
const toWireThing = (thing: Thing) => thingOf({ ...thing, ref: refOf(thing) });

const some = <T, Item>(things: readonly T[], toItem: (thing: T) => Item) => ({
  count: things.length,
  items: things.slice(0, undoNamedMax).map(toItem),
});

const toWireUndone = ({ run }: RunView, plan: UndoPlan, isDryRun: boolean): Undone => ({
  run_id: run.id,
  dry_run: isDryRun,
  ends_run: !isTerminal(run.state.status),
  removed: some(plan.remove, toWireThing),
  restored: some(plan.restore, toWireThing),
  kept: some(plan.kept, toWireThing),
  skipped: some(plan.skipped, toWireThing),
  conflicts: some(plan.conflicts, toWireConflict),
});

const toWireConflict = ({ thing, reason, trace, by, canForce }: Conflict) => ({
  thing: toWireThing(thing),
  reason,
  who: trace && {
    user_id: trace.userId,
    name: trace.userName,
    run_id: trace.runId,
    at: trace.at,
    op: trace.op,
  },
  by: by && toWireThing(by),
  can_force: canForce,
  message: reasons[reason],
});

const reasons: Readonly<Record<Conflict["reason"], string>> = {
  changed_since: "It was changed since",
  in_use: "Something that stays holds on to it",
  place_taken: "Another link stands in its place",
  would_loop: "The document would be below itself",
  no_access: "You may not write there any more",
};

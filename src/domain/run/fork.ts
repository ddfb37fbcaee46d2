// A new run that begins where another one was after an iteration: its plan, its promises and its checks as they were then;
// nothing spent, and nothing of what came after.

import type { Plan } from "../plan/plan.ts";
import type { Check } from "./checks/check.ts";
import type { RaisedBudget } from "./commands.ts";
import type { Promised } from "./effects.ts";
import { newRun } from "./new-run.ts";
import type { Run, RunId } from "./run.ts";
import { changeModels, type RunModels } from "./run-models.ts";

/** `promised`: null for an iteration of a version that did not keep it. */
export type ForkPoint = { readonly iteration: number; readonly plan: Plan; readonly promised: Promised | null };

export type ForkChanges = {
  readonly objective?: string | undefined;
  readonly budget?: RaisedBudget;
  /** Role by role; null: those of the installation. */
  readonly models?: RunModels | null | undefined;
};

export function fork(old: Run, id: RunId, at: ForkPoint, { objective, budget, models }: ForkChanges): Run {
  const { userId, foreignTexts, scope, context, timeZone, engine, workFolder, permission, isJudged, followsRunId } =
    old;
  const { deliverables, checks } = at.promised ?? promisedOf(old, at.iteration);
  const why = `It goes on from iteration ${at.iteration} of run ${old.id}`;
  return newRun({
    ...{
      id,
      userId,
      foreignTexts,
      scope,
      context,
      timeZone,
      engine,
      workFolder,
      permission,
      isJudged,
      deliverables,
      checks,
      followsRunId,
    },
    objective: objective ?? old.objective,
    models: changeModels(old.models, models),
    budget: { ...old.budget, ...budget },
    plan: at.plan,
    guidance: { next: "replan", why },
    forkedFrom: { runId: old.id, iteration: at.iteration },
  });
}

/** The last iteration left what the run has now. Of an earlier one only the user's criteria and the platform's own are certain. */
function promisedOf({ state, deliverables, checks }: Run, iteration: number): Promised {
  if (iteration >= state.iteration) return { deliverables, checks };
  const isCertain = ({ givenBy, target }: Check) => givenBy === "user" || target.kind === "plan_complete";
  return { deliverables: [], checks: checks.filter(isCertain).map((check) => ({ ...check, deliverableId: null })) };
}

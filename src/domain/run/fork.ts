// A new run that begins where another one was after an iteration: its plan, its promises and its checks; nothing spent.

import type { Plan } from "../plan/plan.ts";
import type { RaisedBudget } from "./commands.ts";
import { newRun } from "./new-run.ts";
import type { Run, RunId } from "./run.ts";
import { changeModels, type RunModels } from "./run-models.ts";

export type ForkPoint = { readonly iteration: number; readonly plan: Plan };

export type ForkChanges = {
  readonly objective?: string | undefined;
  readonly budget?: RaisedBudget;
  /** Role by role; null: those of the installation. */
  readonly models?: RunModels | null | undefined;
};

export function fork(old: Run, id: RunId, at: ForkPoint, { objective, budget, models }: ForkChanges): Run {
  const {
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
  } = old;
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

// A new run that follows up one that has ended: what is wanted now, in the same place and under the same rules. It takes over no plan
// and no promises: what the run before it did is told to its planner (src/prompts/run-before.ts).

import { type ForeignText, keepWithinLimits } from "../policy/foreign-text.ts";
import { planCheck } from "./checks/adopt.ts";
import type { Check } from "./checks/check.ts";
import type { Answered, RaisedBudget } from "./commands.ts";
import { newRun } from "./new-run.ts";
import { isAttemptOver, type Permission, type Run, type RunId } from "./run.ts";
import { changeModels, type RunModels } from "./run-models.ts";

export type Wanted = {
  readonly objective: string;
  /** Beside those that the run before it was given. */
  readonly foreignTexts?: readonly ForeignText[];
  /** The user's own. */
  readonly checks?: readonly Check[];
  readonly budget?: RaisedBudget;
  readonly permission?: Partial<Permission>;
  /** Role by role; null: those of the installation. */
  readonly models?: RunModels | null | undefined;
};

export function followUp(old: Run, id: RunId, wanted: Wanted): Answered<Run> {
  if (!isAttemptOver(old.state)) return { isDone: false, why: whyNot(old) };
  const { userId, scope, context, timeZone, engine, workFolder, isJudged } = old;
  const run = newRun({
    ...{ id, userId, scope, context, timeZone, engine, workFolder, isJudged },
    objective: wanted.objective,
    foreignTexts: keepWithinLimits([...(wanted.foreignTexts ?? []), ...old.foreignTexts]),
    permission: { ...old.permission, ...wanted.permission },
    models: changeModels(old.models, wanted.models),
    budget: { ...old.budget, ...wanted.budget },
    checks: [...(wanted.checks ?? []), planCheck],
    followsRunId: old.id,
  });
  return { isDone: true, move: run };
}

const whyNot = ({ state }: Run): string =>
  state.status === "stopped"
    ? "The run is paused. Resume it, or cancel it before you follow up."
    : "The run is still going. Add guidance instead.";

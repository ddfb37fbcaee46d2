// What the planner promises first becomes part of the run: deliverables, and checks for them. Afterwards they are fixed: what
// a later iteration proposes is ignored, so that no planner can lower the bar it has to pass.

import type { Check, Deliverable } from "./checks.ts";
import type { Proposal } from "./iteration-result.ts";
import type { RunningRun } from "./run.ts";

/** More than anyone reads; a planner that promises more gets the first ones. */
const deliverablesMax = 20;
const checksMax = 50;

/** Every run has it from its beginning. */
export const planCheck: Check = {
  id: "plan_complete",
  deliverableId: null,
  target: { kind: "plan_complete" },
  givenBy: "platform",
};

export function adopt(run: RunningRun, proposed: Proposal | null): RunningRun {
  const isPromised = run.deliverables.length > 0 || run.checks.some(({ givenBy }) => givenBy === "planner");
  if (isPromised || proposed === null) return run;
  const { deliverables, checks } = proposed;
  return {
    ...run,
    deliverables: byId<Deliverable>(deliverables).slice(0, deliverablesMax),
    checks: byId<Check>([...run.checks, ...checks.map(asPlanners)]).slice(0, checksMax),
  };
}

/** A planner cannot pass its own check off as the user's. */
const asPlanners = (check: Check): Check => ({ ...check, givenBy: "planner" });

/** The first of each id stays: what the user gave cannot be replaced. */
function byId<T extends { readonly id: string }>(items: readonly T[]): readonly T[] {
  return [...new Map(items.toReversed().map((item) => [item.id, item])).values()].toReversed();
}

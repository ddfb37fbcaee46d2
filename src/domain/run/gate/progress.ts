// Progress is a net change of state: a step further than it ever was, content that was never there before, less remaining work
// than ever, a check green for the first time. Reading is never progress, and neither is going back and forth.

import type { ArtifactRef, Plan, StepStatus } from "../../plan/plan.ts";
import type { ProgressFacts, WorkedIteration } from "../iteration-result.ts";
import type { RunningRun } from "../run.ts";
import type { Best } from "./best.ts";

export function hasProgressed({ best }: RunningRun, result: WorkedIteration): boolean {
  return (
    result.progress.entitiesWritten > 0 ||
    result.proofs.some(({ isGreen, checkId }) => isGreen && !best.green.includes(checkId)) ||
    advancedSteps(best, result.plan).length > 0 ||
    remainsLess(best, result)
  );
}

const remainsLess = ({ remaining }: Best, { claim }: WorkedIteration): boolean =>
  claim !== null && remaining !== null && claim.remainingWork.length < remaining;

/** A failed step has been tried: trying it again gets it no further. */
const rank: Readonly<Record<StepStatus, number>> = { pending: 0, in_progress: 1, failed: 1, done: 2, dropped: 2 };
const givenUp: readonly StepStatus[] = ["failed", "dropped"];

/** Steps that are further than they ever were. A step that is new gets further only by being done. */
export function advancedSteps({ steps }: Pick<Best, "steps">, plan: Plan): readonly string[] {
  const reached = (id: string) => steps[id] ?? rank.in_progress;
  return plan.steps
    .filter(({ id, status }) => !givenUp.includes(status) && rank[status] > reached(id))
    .map(({ id }) => id);
}

/** One state for each of the last writes; a run that comes back to older ones has moved a long way in between. */
const statesMax = 500;

/** What the user said may bring new work: then the least that remained begins anew. */
export function bestAfter({ best }: RunningRun, { plan, proofs, claim, progress, heard }: WorkedIteration): Best {
  const remaining = claim?.remainingWork.length ?? null;
  const least =
    heard > 0 || best.remaining === null ? remaining : Math.min(best.remaining, remaining ?? best.remaining);
  const green = proofs.filter(({ isGreen }) => isGreen).map(({ checkId }) => checkId);
  return {
    steps: {
      ...best.steps,
      ...Object.fromEntries(plan.steps.map(({ id, status }) => [id, Math.max(best.steps[id] ?? 0, rank[status])])),
    },
    green: [...new Set([...best.green, ...green])],
    remaining: least ?? best.remaining,
    states: [...new Set([...best.states, ...progress.states])].slice(-statesMax),
  };
}

/** Content of one thing before this run changed it (null: it made it) and now, as fingerprints that blanks do not change. */
export type ContentState = { readonly before: string | null; readonly now: string };

/** Which contents are new. `contents` are those of everything that the iteration wrote. */
export function findNewStates({ states }: Pick<Best, "states">, contents: readonly ContentState[]): ProgressFacts {
  const seen = new Set(states);
  const fresh = contents.filter(({ before, now }) => now !== before && !seen.has(now));
  return {
    entitiesWritten: fresh.length,
    states: contents.flatMap(({ before, now }) => (before === null ? [now] : [before, now])),
  };
}

/** Where contents cannot be read, every write of an iteration is a state of its own. */
export const assumeNew = (iteration: number, artifacts: readonly ArtifactRef[]): readonly ContentState[] =>
  artifacts.map(({ kind, id }) => ({ before: null, now: `${kind}:${id}:${iteration}` }));

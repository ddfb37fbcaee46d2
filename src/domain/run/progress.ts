// Progress is a change of state: a plan step got further, something was written, less remains, a check turned green.
// Reading is never progress, and neither is saying so.

import { advancedSteps } from "../plan/plan.ts";
import type { WorkedIteration } from "./iteration-result.ts";
import type { RunningRun } from "./run.ts";

export function hasProgressed(run: RunningRun, result: WorkedIteration): boolean {
  return (
    result.progress.entitiesWritten > 0 ||
    result.progress.checksTurnedGreen > 0 ||
    advancedSteps(run.plan, result.plan).length > 0 ||
    remainsLess(run, result)
  );
}

function remainsLess({ remaining }: RunningRun, { claim }: WorkedIteration): boolean {
  return claim !== null && remaining !== null && claim.remainingWork.length < remaining;
}

// What an iteration leads to, from its result to what has to be committed: adopt what was promised, decide, advance.

import { adopt } from "./adopt.ts";
import { advance } from "./advance.ts";
import type { BreakerLimits } from "./breakers.ts";
import type { Step } from "./effects.ts";
import { type Decision, decide } from "./exit-gate.ts";
import type { IterationResult } from "./iteration-result.ts";
import type { RunningRun } from "./run.ts";

export type Conclusion = { readonly decision: Decision; readonly step: Step };

/** `run` has in `spent` everything this iteration spent. */
export function conclude(run: RunningRun, result: IterationResult, limits: BreakerLimits): Conclusion {
  const adopted = adopt(run, result.kind === "worked" ? result.proposed : null);
  const decision = decide(adopted, result, limits);
  return { decision, step: advance(adopted, result, decision, adopted !== run) };
}

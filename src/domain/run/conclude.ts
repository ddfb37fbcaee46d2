// What an iteration leads to, from its result to what has to be committed: adopt what was promised, decide, advance.

import { type Adopted, adopt } from "./adopt.ts";
import { advance } from "./advance.ts";
import { approveChecks } from "./approve-checks.ts";
import type { BreakerLimits } from "./breakers.ts";
import type { Step } from "./effects.ts";
import { type Decision, decide } from "./exit-gate.ts";
import type { IterationResult } from "./iteration-result.ts";
import type { RunningRun } from "./run.ts";

export type Conclusion = { readonly decision: Decision; readonly step: Step };

/** `run` has in `spent` everything this iteration spent. */
export function conclude(run: RunningRun, result: IterationResult, limits: BreakerLimits): Conclusion {
  if (result.kind === "provider_fault") {
    const decision = decide(run, result, limits);
    return { decision, step: advance(run, result, decision) };
  }
  const adopted = adopt(run, result);
  const asked = isAsked(run, adopted) ? { ...result, questions: approveChecks(result.questions, adopted) } : result;
  const decision = decide(adopted.run, asked, limits);
  const changed = { ...adopted, hasPromised: adopted.run.checks !== run.checks };
  return { decision, step: advance(adopted.run, asked, decision, changed) };
}

const isAsked = (before: RunningRun, { run }: Adopted): boolean =>
  run.awaited !== null && run.awaited !== before.awaited;

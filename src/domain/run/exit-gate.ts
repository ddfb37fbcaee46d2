// The exit gate: after an iteration, does the run go on, wait, finish or stop? The model may ask; only this file decides.
//
// Rules are asked from top to bottom and the first answer wins. What the provider did to us is not judged at all; a question
// comes before everything we could conclude without its answer; completion comes before budgets, so that a run which
// finishes on its last allowed iteration is completed and not stopped.

import { unreachable } from "../../lib/assert.ts";
import { judgePlan } from "../plan/plan.ts";
import { type BreakerLimits, defaultBreakers, trippedBreaker } from "./breakers.ts";
import { type Reached, reachedLimit } from "./budget.ts";
import { type Evidence, type Proof, weighEvidence } from "./checks.ts";
import { claimsDone } from "./claim.ts";
import type { IterationResult, ProviderFault, WorkedIteration } from "./iteration-result.ts";
import { hasProgressed } from "./progress.ts";
import type { NonEmpty, Question, RunningRun, StopReason } from "./run.ts";
import { countStreaks, type Streaks } from "./streaks.ts";

/** Every decision says why, in words for the person whose run it is. */
export type Decision =
  | { readonly kind: "continue"; readonly why: string; readonly next: NextHint }
  | { readonly kind: "hold"; readonly why: string; readonly untilMs: number }
  | { readonly kind: "ask"; readonly why: string; readonly questions: NonEmpty<Question> }
  | { readonly kind: "complete"; readonly why: string; readonly proofs: NonEmpty<Proof> }
  | { readonly kind: "stop"; readonly why: string; readonly reason: StopReason };

/** How the next iteration should go about it. */
export const nextHints = ["as_planned", "mend_what_failed", "replan", "recover", "confirm_done"] as const;
export type NextHint = (typeof nextHints)[number];

/** `run` has in `spent` what this iteration spent, too. */
export function decide(run: RunningRun, result: IterationResult, limits: BreakerLimits = defaultBreakers): Decision {
  if (result.kind === "provider_fault") return onProviderFault(result.fault);
  const seen = look(run, result);
  return (
    needsUser(result) ?? isComplete(seen) ?? isOverBudget(run, result) ?? goesInCircles(seen, limits) ?? goOn(seen)
  );
}

/** Everything the rules ask about, worked out once. */
type Seen = {
  readonly run: RunningRun;
  /** The user said something that nobody has heard yet. */
  readonly isUnheard: boolean;
  readonly hasFailed: boolean;
  readonly claimed: boolean;
  readonly evidence: Evidence;
  readonly planIsComplete: boolean;
  readonly streaks: Streaks;
};

function look(run: RunningRun, result: WorkedIteration): Seen {
  const evidence = weighEvidence(run.checks, run.deliverables, result.proofs);
  return {
    run,
    isUnheard: run.unreadSignals > 0 || !result.wasHeard,
    hasFailed: result.error !== null,
    claimed: claimsDone(result.claim),
    evidence,
    planIsComplete: judgePlan(result.plan).isComplete,
    streaks: streaksAfter(run, result),
  };
}

/** The streaks as they are once this iteration counts. */
export function streaksAfter(run: RunningRun, result: WorkedIteration): Streaks {
  const evidence = weighEvidence(run.checks, run.deliverables, result.proofs);
  const rejectedBy = claimsDone(result.claim) && !evidence.isEnough ? rejecting(evidence.redCheckIds) : [];
  return countStreaks(run.streaks, {
    hasProgressed: hasProgressed(run, result),
    actions: result.actions,
    error: result.error?.fingerprint ?? null,
    errorText: result.error?.text ?? null,
    hasToolMiss: result.hasToolMiss,
    rejectedBy,
  });
}

/** Where no check is red, it is the floor below all checks that turned the claim down. */
const rejecting = (redCheckIds: readonly string[]): readonly string[] =>
  redCheckIds.length > 0 ? redCheckIds : ["floor"];

function onProviderFault(fault: ProviderFault): Decision {
  switch (fault.kind) {
    case "hold":
      return { kind: "hold", why: fault.why, untilMs: fault.untilMs };
    case "auth":
      return { kind: "stop", reason: "provider_auth", why: `The provider refuses our credentials: ${fault.why}` };
    case "quota":
      return { kind: "stop", reason: "provider_quota", why: `The provider's account is used up: ${fault.why}` };
    default:
      return unreachable(fault);
  }
}

function needsUser({ questions: [first, ...rest] }: WorkedIteration): Decision | null {
  if (!first) return null;
  const count = rest.length === 0 ? "a question" : `${rest.length + 1} questions`;
  return { kind: "ask", questions: [first, ...rest], why: `It cannot go on without your answer to ${count}` };
}

/** The claim and the evidence; or, without a claim, a complete plan and every check green. Not over the user's head. */
function isComplete({ isUnheard, hasFailed, claimed, evidence, planIsComplete }: Seen): Decision | null {
  if (!evidence.isEnough || !(claimed || planIsComplete) || isUnheard || hasFailed) return null;
  const count = `${evidence.proofs.length} of ${evidence.proofs.length} checks are green`;
  return {
    kind: "complete",
    proofs: evidence.proofs,
    why: claimed ? `It says it is done, and ${count}` : `Every step of the plan is done, and ${count}`,
  };
}

function isOverBudget({ budget, spent, state }: RunningRun, { wasRefused }: WorkedIteration): Decision | null {
  const reached = reachedLimit(budget, spent, state.iteration) ?? (wasRefused ? refusedCall : null);
  return reached && { kind: "stop", reason: reached.reason, why: `${reached.detail}; resume it with a larger budget` };
}

const refusedCall: Reached = {
  reason: "cost",
  detail: "The next call could have crossed the limit of what it may cost",
};

function goesInCircles({ run, streaks }: Seen, limits: BreakerLimits): Decision | null {
  const tripped = trippedBreaker(streaks, limits);
  // What the user wrote meanwhile may be what helps.
  if (!tripped || run.unreadSignals > 0) return null;
  const { reason, detail, whatWouldHelp } = tripped;
  if (run.streaks.recovery === null)
    return { kind: "continue", next: "recover", why: `${detail}: one more iteration, to try something else` };
  return { kind: "stop", reason, why: `${detail}, also after trying something else. To go on: ${whatWouldHelp}` };
}

function goOn({ isUnheard, hasFailed, claimed, evidence, streaks }: Seen): Decision {
  if (isUnheard && !hasFailed)
    return { kind: "continue", next: "replan", why: "You wrote something that it has to take up first" };
  if (claimed && !evidence.isEnough)
    return {
      kind: "continue",
      next: "mend_what_failed",
      why: `It says it is done, but ${evidence.lacking.join("; ")}`,
    };
  if (streaks.sameAction > 0)
    return { kind: "continue", next: "replan", why: "The same actions twice: it has to replan" };
  return { kind: "continue", next: "as_planned", why: "Work remains" };
}

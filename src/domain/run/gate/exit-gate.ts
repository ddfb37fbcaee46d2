// The exit gate: after an iteration, does the run go on, wait, finish or stop? The model may ask; only this file decides.
//
// Rules are asked from top to bottom and the first answer wins. What the provider did to us is not judged at all; a question
// comes before everything we could conclude without its answer; completion comes before budgets, so that a run which
// finishes on its last allowed iteration is completed and not stopped. A statement that work remains is never overruled.

import { unreachable } from "../../../lib/assert.ts";
import { isDoneCheck } from "../../agent/done-check.ts";
import { type Reached, reachedLimit } from "../budget/budget.ts";
import type { Proof } from "../checks/check.ts";
import { type Evidence, weighEvidence } from "../checks/evidence.ts";
import type { IterationResult, ProviderFault, WorkedIteration } from "../iteration-result.ts";
import { holdUntil, reachedByFaults } from "../provider/holds.ts";
import type { Question } from "../question.ts";
import type { NextHint, NonEmpty, RunningRun } from "../run.ts";
import type { StopReason } from "../stop-reason.ts";
import { type BreakerLimits, defaultBreakers, trippedBreaker } from "./breakers.ts";
import { claimsDone, readStance, type Stance } from "./claim.ts";
import { hasProgressed } from "./progress.ts";
import { countStreaks, type Streaks } from "./streaks.ts";

/** Every decision says why, in words for the person whose run it is. */
export type Decision =
  | { readonly kind: "continue"; readonly why: string; readonly next: NextHint }
  | { readonly kind: "hold"; readonly why: string; readonly untilMs: number }
  | { readonly kind: "ask"; readonly why: string; readonly questions: NonEmpty<Question> }
  | { readonly kind: "complete"; readonly why: string; readonly proofs: NonEmpty<Proof> }
  | { readonly kind: "stop"; readonly why: string; readonly reason: StopReason };

/** `run` has in `spent` what this iteration spent, too. */
export function decide(run: RunningRun, result: IterationResult, limits: BreakerLimits = defaultBreakers): Decision {
  if (result.kind === "provider_fault") return onProviderFault(run, result.fault, result.atMs);
  const seen = look(run, result);
  return (
    needsUser(result) ?? isComplete(seen) ?? isOverBudget(run, result) ?? goesInCircles(seen, limits) ?? goOn(seen)
  );
}

/** Everything the rules ask about, worked out once. */
type Seen = {
  readonly run: RunningRun;
  /** The user said something that the engine has not read yet. */
  readonly isUnheard: boolean;
  readonly hasFailed: boolean;
  readonly stance: Stance;
  /** Everything was green before, it was asked whether anything is missing, and this is what came of it. */
  readonly wasAsked: boolean;
  readonly evidence: Evidence;
  /** All that is red are judges who have read it. */
  readonly isOnlyJudged: boolean;
  readonly streaks: Streaks;
};

function look(run: RunningRun, result: WorkedIteration): Seen {
  const evidence = weighEvidence(run, result.proofs);
  return {
    run,
    isUnheard: run.unreadMessages > 0 || !result.wasHeard,
    hasFailed: result.error !== null,
    stance: readStance(result.claim),
    // An iteration that was cut off has not answered the question.
    wasAsked: run.guidance?.next === "confirm_done" && !result.wasCutOff && !result.wasRefused,
    evidence,
    isOnlyJudged: !evidence.isEnough && evidence.redCheckIds.length > 0 && areJudges(run, evidence.redCheckIds),
    streaks: streaksAfter(run, result),
  };
}

const areJudges = ({ checks }: RunningRun, ids: readonly string[]): boolean =>
  checks.every(({ id, target }) => !ids.includes(id) || target.kind === "judge");

/** The streaks as they are once this iteration counts. */
export function streaksAfter(run: RunningRun, result: WorkedIteration): Streaks {
  const evidence = weighEvidence(run, result.proofs);
  const rejectedBy = claimsDone(result.claim) && !evidence.isEnough ? rejecting(evidence.redCheckIds) : [];
  return countStreaks(run.streaks, {
    hasProgressed: hasProgressed(run, result),
    hasHeard: result.heard > 0,
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

function onProviderFault(run: RunningRun, fault: ProviderFault, atMs: number): Decision {
  switch (fault.kind) {
    case "hold":
      return stopPayingFaults(run, fault.why) ?? holdOn(run, fault, atMs);
    case "auth":
      return { kind: "stop", reason: "provider_auth", why: `The provider refuses our credentials: ${fault.why}` };
    case "quota":
      return { kind: "stop", reason: "provider_quota", why: `The provider's account is used up: ${fault.why}` };
    case "monthly_quota":
      return { kind: "stop", reason: "monthly_quota", why: fault.why };
    default:
      return unreachable(fault);
  }
}

const holdOn = ({ holds }: RunningRun, { why, untilMs }: Extract<ProviderFault, { kind: "hold" }>, atMs: number) =>
  ({ kind: "hold", why, untilMs: holdUntil(holds, untilMs, atMs) }) as const;

/** Its limits hold while a provider fails, too, where each try costs something. */
function stopPayingFaults(run: RunningRun, fault: string): Decision | null {
  const reached = reachedByFaults(run, run.state.iteration);
  if (reached === null) return null;
  const why = `${reached.detail} while the provider kept failing (${fault}); resume it with a higher limit`;
  return { kind: "stop", reason: "provider_faults", why };
}

function needsUser(result: WorkedIteration): Decision | null {
  const [first, ...rest] = findQuestions(result);
  if (!first) return null;
  const count = rest.length === 0 ? "a question" : `${rest.length + 1} questions`;
  return { kind: "ask", questions: [first, ...rest], why: `The run cannot go on without your answer to ${count}` };
}

/**
 * A planner that needs the user and asks nothing is taken at its word: what blocks it becomes the questions, and where it names
 * nothing, what it last said becomes one.
 */
function findQuestions({ questions, claim, summary }: WorkedIteration): readonly Question[] {
  const isNeeded = claim !== null && (claim.needsUserInput || (claim.exitSignal && claim.blockingQuestions.length > 0));
  if (questions.length > 0 || claim === null || !isNeeded) return questions;
  const blocking = claim.blockingQuestions.filter((text) => text.trim() !== "");
  const asked = blocking.length > 0 ? blocking : [askGenerally(claim.progressSummary.trim() || summary.trim())];
  return asked.map((text, n) => ({ id: `blocking-${n + 1}`, kind: "question", text, options: [] }));
}

const askGenerally = (said: string): string =>
  said === ""
    ? "The run needs your input but did not say on what. How should it go on?"
    : `The run needs your input. It last said: “${said}” How should it go on?`;

/** The claim and the evidence; or the evidence, and twice no word against it. Not over the user's head. */
function isComplete({ run, isUnheard, hasFailed, stance, wasAsked, evidence }: Seen): Decision | null {
  if (!evidence.isEnough || isUnheard || hasFailed) return null;
  if (stance !== "done" && !(stance === "silent" && wasAsked)) return null;
  return { kind: "complete", proofs: evidence.proofs, why: describeEnd(run, evidence.proofs, stance === "done") };
}

/** The file DONE is the claim itself, and not one of the checks. */
function describeEnd({ checks, engine }: RunningRun, proofs: readonly Proof[], isClaimed: boolean): string {
  const claims = new Set(checks.filter(isDoneCheck).map(({ id }) => id));
  const passed = proofs.filter(({ checkId }) => !claims.has(checkId)).length;
  if (passed === 0)
    return isClaimed ? `The ${engine} says it is done. No check was given` : "Nothing was said to be missing";
  const all = passed === 1 ? "the check passed" : `${passed} of ${passed} checks passed`;
  return isClaimed
    ? `The ${engine} says it is done, and ${all}`
    : `${capitalize(all)}, and nothing was said to be missing`;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function isOverBudget({ budget, spent, state }: RunningRun, { wasRefused }: WorkedIteration): Decision | null {
  const reached = reachedLimit(budget, spent, state.iteration) ?? (wasRefused ? refusedCall : null);
  return reached && { kind: "stop", reason: reached.reason, why: `${reached.detail}; resume it with a higher limit` };
}

const refusedCall: Reached = {
  reason: "cost",
  detail: "The next call could have crossed the limit of what it may cost",
};

function goesInCircles({ run, streaks, stance, evidence }: Seen, limits: BreakerLimits): Decision | null {
  // Claims that were turned down count in an iteration that makes one: honest work after them is no further claim.
  const rejectedClaims = stance === "done" && !evidence.isEnough ? streaks.rejectedClaims : {};
  const tripped = trippedBreaker({ ...streaks, rejectedClaims }, limits, run.state.iteration, run.checks);
  // What the user wrote meanwhile may be what helps.
  if (!tripped || run.unreadMessages > 0) return null;
  const { reason, detail, whatWouldHelp } = tripped;
  if (run.streaks.recovery === null) return goOnWith("recover", `${detail}: one more iteration, to try something else`);
  const last = streaks.lastErrorText === null ? "" : ` The last error: ${streaks.lastErrorText}`;
  const all = evidence.isEnough ? ` Every check passed, but the ${run.engine} did not say that it is done.` : "";
  const why = `${detail}, also after one iteration to try something else. To go on: ${whatWouldHelp}.${all}${last}`;
  return { kind: "stop", reason, why };
}

const goOnWith = (next: NextHint, why: string): Decision => ({ kind: "continue", next, why });

function goOn({ run, isUnheard, hasFailed, stance, evidence, isOnlyJudged, streaks }: Seen): Decision {
  if (isUnheard && !hasFailed) return goOnWith("replan", "You wrote something that the run has to take up first");
  if (stance === "done" && !evidence.isEnough)
    return goOnWith("mend_what_failed", `The ${run.engine} says it is done, but ${evidence.lacking.join("; ")}`);
  const isGreen = evidence.isEnough && !hasFailed;
  if (stance === "silent" && isGreen)
    return goOnWith(
      "confirm_done",
      `Every check passed, but the ${run.engine} did not say that it is done: is anything missing?`,
    );
  // Asked in words and not with `confirm_done`: silence to that would be taken for a yes, over an explicit no.
  const missing = stance === "undecided" ? " and names nothing that remains: is anything missing?" : "";
  const isAgainst = stance === "against" || stance === "undecided";
  if (isAgainst && isGreen && streaks.sameAction === 0)
    return goOnWith("as_planned", `Every check passed, but the ${run.engine} says that it is not done${missing}`);
  const isOpen = stance === "silent" || stance === "undecided";
  if (isOpen && isOnlyJudged && !evidence.isEnough) return goOnWith("mend_what_failed", evidence.lacking.join("; "));
  if (streaks.sameAction > 0) return goOnWith("replan", "The same actions twice: the planner has to replan");
  return goOnWith("as_planned", "Work remains");
}

import { expect, test } from "vitest";
import {
  failure,
  idle,
  makeCheck,
  makeClaim,
  makeProof,
  makeQuestion,
  makeResult,
  makeRun,
  makeStep,
  note,
} from "../../../../test/helpers/make-run.ts";
import { doneCheck } from "../../agent/done-check.ts";
import { type Budget, defaultBudget, nothingSpent, type Spent } from "../budget/budget.ts";
import type { CheckTarget } from "../checks/check.ts";
import type { IterationResult, WorkedIteration } from "../iteration-result.ts";
import type { RunningRun } from "../run.ts";
import { noBest } from "./best.ts";
import type { StatusClaim } from "./claim.ts";
import { decide } from "./exit-gate.ts";
import { noStreaks, type Streaks } from "./streaks.ts";

/** The one place that knows the signature of `decide`. */
function check(run: Partial<RunningRun>, result: Partial<WorkedIteration> | IterationResult, expected: string): void {
  const decision = decide(makeRun(run), "fault" in result ? result : makeResult(result as Partial<WorkedIteration>));
  const detail = decision.kind === "stop" ? decision.reason : decision.kind === "continue" ? decision.next : null;
  expect(detail === null ? decision.kind : `${decision.kind}: ${detail}`).toBe(expected);
  expect(decision.why).not.toBe("");
}

const green = [makeProof()];
const claim = makeClaim();
const onLast = { state: { status: "running", iteration: 10, hold: null } } as const;
const streaks = (over: Partial<Streaks>): Pick<RunningRun, "streaks"> => ({ streaks: { ...noStreaks, ...over } });
const fault = (kind: "hold" | "auth" | "quota" | "monthly_quota"): IterationResult => ({
  kind: "provider_fault",
  fault: kind === "hold" ? { kind, untilMs: 1, why: "busy" } : { kind, why: "no" },
  atMs: 0,
  artifacts: [],
  wasHeard: true,
});

test("goes on while work remains", () => check({}, {}, "continue: as_planned"));

// Complete: the claim and the evidence, never one alone.
test("finishes on a claim with green checks", () => check({}, { claim, proofs: green }, "complete"));
test("does not believe a claim whose check is red", () => check({}, { claim }, "continue: mend_what_failed"));
test("asks whether anything is missing where all is green and nothing is said", () =>
  check({}, { proofs: green }, "continue: confirm_done"));
test("does not believe a claim that names work that remains", () =>
  check({}, { claim: makeClaim({ remainingWork: ["the summary"] }), proofs: green }, "continue: as_planned"));
test("does not take high confidence for a claim", () =>
  check({}, { claim: makeClaim({ exitSignal: false, confidence: "high" }), proofs: green }, "continue: as_planned"));
test("does not take evidence in words for evidence", () =>
  check(
    {},
    { claim: makeClaim({ completionEvidence: ["plan_completed"] }), proofs: [] },
    "continue: mend_what_failed",
  ));
test("does not finish without any check", () =>
  check({ checks: [] }, { claim, proofs: [] }, "continue: mend_what_failed"));
test("does not finish while one of two checks is red", () =>
  check(
    { checks: [makeCheck(), makeCheck({ id: "check_2" })] },
    { claim, proofs: green },
    "continue: mend_what_failed",
  ));

// Everything green and nothing said: asked once, then taken for a yes. A word against it is never overruled.
const donePlan = { steps: [makeStep({ status: "done", evidence: [note] })] };
const asked = { guidance: { next: "confirm_done", why: "is anything missing?" } } as const;
const left = makeClaim({ exitSignal: false, remainingWork: ["chapters 2 to 5"] });
test("finishes when it was asked and says nothing against it", () => check(asked, { proofs: green }, "complete"));
test("takes no silence for an answer where a limit of the session cut it off", () =>
  check(asked, { proofs: green, wasCutOff: true }, "continue: confirm_done"));
test("takes no silence for an answer where a call was refused for its cost", () =>
  check(asked, { proofs: green, wasRefused: true }, "stop: cost"));
test("does not finish against its word, though plan and checks agree", () =>
  check({}, { claim: left, plan: donePlan, proofs: green }, "continue: as_planned"));
test("does not finish against its word, though it was asked before", () =>
  check(asked, { claim: left, plan: donePlan, proofs: green }, "continue: as_planned"));
test("a claim that says done and names what remains is a word against it", () =>
  check(asked, { claim: makeClaim({ remainingWork: ["a"] }), proofs: green }, "continue: as_planned"));
const undecided = makeClaim({ exitSignal: false });
test("A1: not done, with nothing that remains, is asked what is missing", () => {
  check({}, { claim: undecided, plan: donePlan, proofs: green }, "continue: as_planned");
  const { why } = decide(makeRun(), makeResult({ claim: undecided, proofs: green }));
  expect(why).toContain("names nothing that remains: is anything missing?");
});
test("A1: not done, said again after it was asked, is not overruled", () =>
  check(asked, { claim: undecided, plan: donePlan, proofs: green }, "continue: as_planned"));
test("A1: silence after a “not done” is asked, and not taken for done", () => {
  const after = { guidance: { next: "as_planned", why: "is anything missing?" } } as const;
  check(after, { proofs: green }, "continue: confirm_done");
});
test("A1: a run that never says so stops, and the stop says that every check passed", () => {
  const best = { ...noBest, green: ["check_1"] };
  const run = makeRun({ ...streaks({ noProgress: 3, recovery: { iteration: 1, from: "x" } }), ...asked, best });
  const decision = decide(run, makeResult({ claim: undecided, proofs: green, progress: idle }));
  expect([decision.kind, decision.why]).toEqual([
    "stop",
    expect.stringContaining("Every check passed, but the planner did not say that it is done"),
  ]);
});
test.each([["第2章から第5章"], ["Kapitel 2 bis 5"], ["x"]])("A1: %s remains, in whichever language", (rest) =>
  check(
    asked,
    { claim: makeClaim({ exitSignal: false, remainingWork: [rest] }), proofs: green },
    "continue: as_planned",
  ),
);
test("does not finish when it was asked and has failed", () =>
  check(asked, { proofs: green, error: failure("e") }, "continue: as_planned"));
test("does not finish when it was asked and a check is red again", () => check(asked, {}, "continue: as_planned"));
test("does not finish on a complete plan alone", () => check({}, { plan: donePlan }, "continue: as_planned"));

// It needs the user, whether or not it asks.
const needy = (over: Partial<StatusClaim>) => makeClaim({ exitSignal: false, needsUserInput: true, ...over });
const questionsOf = (claim: StatusClaim) => {
  const decision = decide(makeRun(), makeResult({ claim, summary: "Read the brief" }));
  return decision.kind === "ask" ? decision.questions.map(({ text }) => text) : decision.kind;
};
test("what blocks it becomes the questions", () =>
  expect(questionsOf(needy({ blockingQuestions: ["Which year?", "Which city?"] }))).toEqual([
    "Which year?",
    "Which city?",
  ]));
test("where nothing is asked, what it last said becomes the question", () =>
  expect(questionsOf(needy({ progressSummary: "I found two offers." }))).toEqual([
    expect.stringContaining("I found two offers."),
  ]));
test("where it says nothing at all, the summary becomes the question", () =>
  expect(questionsOf(needy({}))).toEqual([expect.stringContaining("Read the brief")]));
test("done, but with a question that blocks, is a question", () =>
  expect(questionsOf(makeClaim({ blockingQuestions: ["Which year?"] }))).toEqual(["Which year?"]));
test("a question that blocks nothing yet does not make it wait", () =>
  expect(questionsOf(makeClaim({ exitSignal: false, blockingQuestions: ["Later?"] }))).toBe("continue"));

test("the reason names a check in words, without its kind", () => {
  const { why } = decide(makeRun(), makeResult({ claim }));
  expect(why).toBe(
    "The planner says it is done, but “this run's documents together have at least 300 words” did not pass: 120 words",
  );
});

// The floor that no planner can lower.
const only = (target: CheckTarget) => ({ checks: [makeCheck({ target })] });
const exists: CheckTarget = { kind: "entity_exists", entity: "document", titleLike: "Report" };
const judge: CheckTarget = { kind: "judge", rubric: "Is it good?" };
test("a check that only sees that something is there is not enough", () =>
  check(only(exists), { claim, proofs: green }, "continue: mend_what_failed"));
test("a judge alone is not enough", () => check(only(judge), { claim, proofs: green }, "continue: mend_what_failed"));
const judged = { checks: [makeCheck(), makeCheck({ id: "check_2", target: judge })], isJudged: true };
const both = [makeProof(), makeProof({ checkId: "check_2" })];
test("a document is not measured by being there, though a judge agrees", () =>
  check(
    { checks: [makeCheck({ target: exists }), makeCheck({ id: "check_2", target: judge })] },
    { claim, proofs: both },
    "continue: mend_what_failed",
  ));
test("tasks are measured by their number", () =>
  check(only({ kind: "entity_count", entity: "task", atLeast: 3 }), { claim, proofs: green }, "complete"));
test("a measure and a judge who agrees are enough", () => check(judged, { claim, proofs: both }, "complete"));
test("a judge who does not agree is asked again after mending, also where nothing is claimed", () => {
  const no = [makeProof(), makeProof({ checkId: "check_2", isGreen: false })];
  check(judged, { claim, proofs: no }, "continue: mend_what_failed");
  check(judged, { proofs: no }, "continue: mend_what_failed");
});
test("a deliverable that no judge has read is not delivered, unless the user switched judges off", () => {
  check({ isJudged: true }, { claim, proofs: green }, "continue: mend_what_failed");
  check({ isJudged: false }, { claim, proofs: green }, "complete");
});
test("a green check that looked at nothing of this run is not enough", () =>
  check({}, { claim, proofs: [makeProof({ artifacts: [] })] }, "continue: mend_what_failed"));
test("a deliverable without a check of its own is not delivered", () =>
  check(
    {
      deliverables: [
        { id: "report", title: "R" },
        { id: "slides", title: "S" },
      ],
    },
    { claim, proofs: green },
    "continue: mend_what_failed",
  ));
test("the plan itself is never the only check", () =>
  check(
    { ...only({ kind: "plan_complete" }), deliverables: [] },
    { claim, plan: donePlan, proofs: green },
    "continue: mend_what_failed",
  ));

// The order of the rules.
test("asks before it finishes", () => check({}, { claim, proofs: green, questions: [makeQuestion()] }, "ask"));
test("asks before it stops", () => check(onLast, { questions: [makeQuestion()] }, "ask"));
test("finishes rather than stops on the last iteration", () => check(onLast, { claim, proofs: green }, "complete"));
test("stops on a budget before a breaker", () =>
  check({ ...onLast, ...streaks({ noProgress: 9 }) }, { progress: idle }, "stop: max_iterations"));
test("finishes before a breaker stops it", () =>
  check(
    streaks({ noProgress: 9, recovery: { iteration: 1, from: "x" } }),
    { claim, proofs: green, progress: idle },
    "complete",
  ));

test("does not finish over a message it has not read", () =>
  check({ unreadMessages: 1 }, { claim, proofs: green }, "continue: replan"));
test("does not finish where nobody heard what the user said", () =>
  check({}, { claim, proofs: green, wasHeard: false }, "continue: replan"));
test("does not finish on an iteration that failed", () =>
  check({}, { claim, proofs: green, error: failure("e") }, "continue: as_planned"));
test("does not finish where nothing was promised and nothing asked for", () =>
  check(
    { deliverables: [], checks: [makeCheck({ givenBy: "planner", deliverableId: null })] },
    { claim, proofs: green },
    "continue: mend_what_failed",
  ));
test("does not take a look that asks nothing of a document for more than that it is there", () => {
  const target = {
    kind: "document_has",
    documentId: null,
    titleLike: "",
    headings: [],
    wordsAtLeast: 0,
    sourcesAtLeast: 0,
  } as const;
  check({ checks: [makeCheck({ target })] }, { claim, proofs: green }, "continue: mend_what_failed");
});
test("stops on a budget although a message is unread", () =>
  check({ ...onLast, unreadMessages: 1 }, { claim, proofs: green }, "stop: max_iterations"));

// Budgets.
const spending = (over: Partial<Spent>, limits: Partial<Budget>) => ({
  spent: { ...nothingSpent, ...over },
  budget: { ...makeRun().budget, ...limits },
});
test("goes on before the last iteration", () =>
  check({ state: { status: "running", iteration: 9, hold: null } }, {}, "continue: as_planned"));
test("stops at the iteration budget", () => check(onLast, {}, "stop: max_iterations"));
test("stops at the budget of running time", () =>
  check(spending({ runningMs: 500 }, { maxRunningMs: 500 }), {}, "stop: running_time"));
test("stops at the budget of money", () =>
  check(spending({ costMicroUsd: 100 }, { maxCostMicroUsd: 100 }), {}, "stop: cost"));
test("stops at the token budget", () => check(spending({ tokens: 11 }, { maxTokens: 10 }), {}, "stop: tokens"));
test("stops at the budget of tool calls", () =>
  check(spending({ toolCalls: 5 }, { maxToolCalls: 5 }), {}, "stop: tool_calls"));
test("a budget that is not set never stops", () =>
  check(spending({ costMicroUsd: 1e12, tokens: 1e12 }, {}), {}, "continue: as_planned"));

// Breakers: one iteration to recover, then stop.
const tried = { recovery: { iteration: 1, from: "no_progress" } };
test("forgives a second iteration without progress", () =>
  check(streaks({ noProgress: 1 }), { progress: idle }, "continue: as_planned"));
test("tries something else on the third", () =>
  check(streaks({ noProgress: 2 }), { progress: idle }, "continue: recover"));
test("stops when that did not help", () =>
  check(streaks({ noProgress: 3, ...tried }), { progress: idle }, "stop: no_progress"));
test("progress ends the streak", () => check(streaks({ noProgress: 5, ...tried }), {}, "continue: as_planned"));
test("the same actions twice force a replan", () =>
  check(streaks({ lastActions: "a" }), { actions: "a", progress: idle }, "continue: replan"));
test("the same actions twice are work where each changes something", () =>
  check(streaks({ lastActions: "a" }), { actions: "a" }, "continue: as_planned"));
test("a stop names counters, window, the last error in full and what would help", () => {
  const run = makeRun({
    ...streaks({ noProgress: 3, ...tried }),
    state: { status: "running", iteration: 7, hold: null },
  });
  const { why } = decide(run, makeResult({ progress: idle, error: failure("400: Context Length exceeded (8192)") }));
  expect(why).toContain("4 iterations in a row without any change of state (iterations 4 to 7; limit 3)");
  expect(why).toContain("To go on: say what it should do next");
  expect(why).toContain("400: Context Length exceeded (8192)");
});
test("the same actions a third time trip the breaker", () =>
  check(streaks({ lastActions: "a", sameAction: 1, ...tried }), { actions: "a", progress: idle }, "stop: same_action"));
test("no actions at all are not the same actions", () =>
  check(streaks({ lastActions: "a", sameAction: 1 }), { actions: null }, "continue: as_planned"));
test("the same error five times trips the breaker", () =>
  check(
    streaks({ lastError: "e", sameError: 4, ...tried }),
    { error: failure("e"), progress: idle },
    "stop: same_error",
  ));
test("another error starts a new count", () =>
  check(streaks({ lastError: "e", sameError: 4 }), { error: failure("f") }, "continue: as_planned"));
test("tools that keep missing trip the breaker", () =>
  check(streaks({ toolMisses: 2, ...tried }), { hasToolMiss: true, progress: idle }, "stop: tool_missing"));
test("a check that keeps turning claims down trips the breaker", () =>
  check(streaks({ rejectedClaims: { check_1: 2 }, ...tried }), { claim, progress: idle }, "stop: claim_rejected"));

test("work without a claim after rejected claims is no further claim", () =>
  check(streaks({ rejectedClaims: { check_1: 3 }, ...tried }), {}, "continue: as_planned"));

// Providers are not judged.
test("a limit of the provider holds the same iteration", () => check(onLast, fault("hold"), "hold"));

/** Held for the second time or more, with 900 of 1,000 tokens when the first hold began. */
const heldWith = (tokens: number): Partial<RunningRun> => ({
  budget: { ...defaultBudget, maxIterations: 10, maxTokens: 1_000 },
  spent: { ...nothingSpent, tokens },
  holds: { count: 1, sinceMs: 0, isTold: false, costMicroUsd: 0, tokens: 900 },
});
test("a provider whose faults are paid until a limit is reached stops the run", () =>
  check(heldWith(1_000), fault("hold"), "stop: provider_faults"));
test("below the limit the run is held again", () => check(heldWith(999), fault("hold"), "hold"));
test("a limit that was reached before the first hold leaves the iteration under way to its end", () =>
  check({ ...heldWith(1_100), holds: null }, fault("hold"), "hold"));
test("waiting that costs nothing more goes on past the limit", () => {
  const run = heldWith(1_100);
  check({ ...run, holds: run.holds ? { ...run.holds, tokens: 1_100 } : null }, fault("hold"), "hold");
});
test("the iteration that is held is none of those that were allowed and are used", () =>
  check({ ...heldWith(950), ...onLast }, fault("hold"), "hold"));

test("a key that is refused stops at once", () => check({}, fault("auth"), "stop: provider_auth"));
test("a user's month that is used up stops at once", () => check({}, fault("monthly_quota"), "stop: monthly_quota"));

test("an account that is used up stops at once", () => check({}, fault("quota"), "stop: provider_quota"));

test.each([
  ["no check was given", [], "The agent says it is done. No check was given"],
  ["one was", [makeCheck({ id: "c1" })], "The agent says it is done, and the check passed"],
])("the file DONE is the agent's word and no check of its own: %s", (_, given, why) => {
  const run = makeRun({ engine: "agent", deliverables: [], checks: [doneCheck, ...given] });
  const proofs = run.checks.map(({ id }) => makeProof({ checkId: id }));
  expect(decide(run, makeResult({ proofs, claim }))).toMatchObject({ kind: "complete", why });
});

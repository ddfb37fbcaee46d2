// Runs and iteration results with boring defaults: a test names only what it is about.

import type { UserId } from "../../src/domain/identity/identity.ts";
import { emptyPlan, type PlanStep } from "../../src/domain/plan/plan.ts";
import { defaultBudget, nothingSpent } from "../../src/domain/run/budget/budget.ts";
import type { Check, CheckTarget, Proof } from "../../src/domain/run/checks/check.ts";
import { noBest } from "../../src/domain/run/gate/best.ts";
import type { StatusClaim } from "../../src/domain/run/gate/claim.ts";
import { noStreaks } from "../../src/domain/run/gate/streaks.ts";
import type { IterationError, WorkedIteration } from "../../src/domain/run/iteration-result.ts";
import type { Question } from "../../src/domain/run/question.ts";
import type { RunId, RunningRun } from "../../src/domain/run/run.ts";

export const note = { kind: "document", id: "doc_1" } as const;

/** One deliverable with one good check. */
export function makeRun(over: Partial<RunningRun> = {}): RunningRun {
  return {
    id: "run_1" as RunId,
    userId: "user_1" as UserId,
    objective: "Write the report",
    foreignTexts: [],
    scope: { kind: "global" },
    context: { type: "global", entityId: null },
    engine: "planner",
    workFolder: null,
    permission: { writeMode: "autopilot", allowedTools: null },
    models: null,
    timeZone: "UTC",
    isJudged: false,
    budget: { ...defaultBudget, maxIterations: 10 },
    spent: nothingSpent,
    streaks: noStreaks,
    best: noBest,
    plan: emptyPlan,
    deliverables: [{ id: "report", title: "The report" }],
    checks: [makeCheck()],
    lastProofs: [],
    awaited: null,
    closing: null,
    guidance: null,
    remaining: null,
    unreadMessages: 0,
    heardIn: null,
    holds: null,
    deaths: 0,
    forkedFrom: null,
    followsRunId: null,
    outcomeTaskId: null,
    fence: 1,
    state: { status: "running", iteration: 1, hold: null },
    ...over,
  };
}

const longEnough: CheckTarget = {
  kind: "document_has",
  documentId: null,
  titleLike: "",
  headings: [],
  wordsAtLeast: 300,
  sourcesAtLeast: 0,
};

export function makeCheck(over: Partial<Check> = {}): Check {
  return { id: "check_1", deliverableId: "report", target: longEnough, givenBy: "user", ...over };
}

export function makeProof(over: Partial<Proof> = {}): Proof {
  return { checkId: "check_1", isGreen: true, seen: "420 words", artifacts: [note], iteration: 1, ...over };
}

/** Work was done and something was written, but nothing is claimed. */
export function makeResult(over: Partial<WorkedIteration> = {}): WorkedIteration {
  return {
    kind: "worked",
    summary: "Wrote a page",
    claim: null,
    closing: null,
    wasCutOff: false,
    heard: 0,
    questions: [],
    proofs: [makeProof({ isGreen: false, seen: "120 words" })],
    plan: emptyPlan,
    proposed: null,
    progress: { entitiesWritten: 1, states: [] },
    actions: null,
    error: null,
    hasToolMiss: false,
    wasRefused: false,
    artifacts: [],
    wasHeard: true,
    narrative: null,
    ...over,
  };
}

/** Nothing was changed. */
export const idle = { entitiesWritten: 0, states: [] } as const;

export function makeClaim(over: Partial<StatusClaim> = {}): StatusClaim {
  return {
    exitSignal: true,
    needsUserInput: false,
    blockingQuestions: [],
    progressSummary: "",
    remainingWork: [],
    completionEvidence: [],
    nextActionHint: null,
    confidence: null,
    ...over,
  };
}

export function makeStep(over: Partial<PlanStep> = {}): PlanStep {
  return {
    id: "step_1",
    title: "Write",
    status: "pending",
    isOptional: false,
    owner: null,
    lastIteration: 1,
    evidence: [],
    ...over,
  };
}

export function makeQuestion(over: Partial<Question> = {}): Question {
  return { id: "question_1", kind: "question", text: "Which one?", options: [], ...over };
}

export const failure = (text: string): IterationError => ({ fingerprint: text, text });

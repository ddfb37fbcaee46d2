// A run as it begins: in line, nothing spent. Every place that accepts an objective makes its run here.

import { emptyPlan } from "../plan/plan.ts";
import { defaultBudget, nothingSpent } from "./budget/budget.ts";
import { planCheck, withJudges } from "./checks/adopt.ts";
import { noBest } from "./gate/best.ts";
import { noStreaks } from "./gate/streaks.ts";
import type { Run } from "./run.ts";

type Given = "id" | "userId" | "objective" | "scope" | "context" | "timeZone";

/** What may differ from the usual. Where a run stands and what it has used cannot. */
type Chosen =
  | "foreignTexts"
  | "engine"
  | "workFolder"
  | "permission"
  | "models"
  | "isJudged"
  | "budget"
  | "checks"
  | "outcomeTaskId"
  | Continued;

/** What one that goes on from another takes along. */
type Continued = "plan" | "deliverables" | "guidance" | "forkedFrom" | "followsRunId";

export type NewRun = Pick<Run, Given> & Partial<Pick<Run, Chosen>>;

export function newRun(given: NewRun): Run {
  return withJudges({
    foreignTexts: [],
    engine: "planner",
    workFolder: null,
    permission: { writeMode: "autopilot", allowedTools: null },
    models: null,
    isJudged: true,
    budget: defaultBudget,
    plan: emptyPlan,
    deliverables: [],
    checks: [planCheck],
    guidance: null,
    forkedFrom: null,
    followsRunId: null,
    outcomeTaskId: null,
    ...given,
    spent: nothingSpent,
    streaks: noStreaks,
    best: noBest,
    lastProofs: [],
    awaited: null,
    closing: null,
    remaining: null,
    unreadMessages: 0,
    heardIn: null,
    holds: null,
    deaths: 0,
    fence: 0,
    state: { status: "queued", iteration: 1, hasSlot: false },
  });
}

// A run as it begins: in line, nothing spent, nothing planned. Every place that accepts an objective makes its run here.

import { emptyPlan } from "../plan/plan.ts";
import { planCheck, withJudges } from "./adopt.ts";
import { noBest } from "./best.ts";
import { defaultBudget, nothingSpent } from "./budget.ts";
import type { Run } from "./run.ts";
import { noStreaks } from "./streaks.ts";

type Given = "id" | "userId" | "objective" | "scope" | "context" | "timeZone";

/** What differs from the usual is in `given`. */
export function newRun(given: Pick<Run, Given> & Partial<Run>): Run {
  return withJudges({
    engine: "planner",
    permission: { writeMode: "autopilot", allowedTools: null },
    models: null,
    isJudged: true,
    budget: defaultBudget,
    spent: nothingSpent,
    streaks: noStreaks,
    best: noBest,
    plan: emptyPlan,
    deliverables: [],
    checks: [planCheck],
    lastProofs: [],
    awaited: null,
    closing: null,
    guidance: null,
    remaining: null,
    unreadSignals: 0,
    heardIn: null,
    holds: null,
    deaths: 0,
    forkedFrom: null,
    fence: 0,
    state: { status: "queued", iteration: 1, hasSlot: false },
    ...given,
  });
}

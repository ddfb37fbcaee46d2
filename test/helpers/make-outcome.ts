// Outcomes, tasks, observations and escalations with boring defaults: a test names only what it is about.

import { emptyContext } from "../../src/domain/homr/context/context.ts";
import { defaultAutoResolve, defaultHomrConfig, type HomrConfig } from "../../src/domain/homr/homr-config.ts";
import type { Observation, ObservationSummary } from "../../src/domain/homr/observe/observation.ts";
import { noIntent, type Outcome, type OutcomeId } from "../../src/domain/homr/outcome.ts";
import type { HomrWorld, NewActivity, OutcomeMove, OutcomeState } from "../../src/domain/homr/outcome-state.ts";
import type { Escalation } from "../../src/domain/homr/questions/escalation.ts";
import { autoRetriesMax, type OutcomeTask, usualMaxAttempts, usualPriority } from "../../src/domain/homr/tasks/task.ts";
import type { TaskId } from "../../src/domain/homr/tasks/task-id.ts";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { defaultBudget } from "../../src/domain/run/budget/budget.ts";

export const taskId = (number: number): TaskId => `task_${number}` as TaskId;

export function makeOutcome(over: Partial<Outcome> = {}): Outcome {
  return {
    id: "outcome_1" as OutcomeId,
    userId: "user_1" as UserId,
    name: "A shop for lamps",
    brief: "I want to sell lamps",
    intent: { ...noIntent, summary: "A shop that sells lamps", successCriteria: ["A lamp can be bought"] },
    approach: { version: 1, text: "A plain page with a form" },
    status: "active",
    projectId: null,
    engine: "planner",
    workFolder: null,
    models: null,
    permission: { writeMode: "autopilot", allowedTools: null },
    timeZone: "UTC",
    workers: 2,
    runBudget: defaultBudget,
    maxCostMicroUsd: null,
    spent: { costMicroUsd: 0, tokens: 0, unpricedCalls: 0 },
    config: defaultHomrConfig,
    autoResolve: defaultAutoResolve,
    cleanReviews: 0,
    nextNumber: 10,
    version: 1,
    ...over,
  };
}

export function makeTask(number: number, over: Partial<OutcomeTask> = {}): OutcomeTask {
  return {
    id: taskId(number),
    number,
    title: `Task ${number}`,
    description: `Do what task ${number} says`,
    priority: usualPriority,
    status: "pending",
    dependsOn: [],
    gates: [],
    checks: [],
    attempts: 0,
    maxAttempts: usualMaxAttempts,
    autoRetriesLeft: autoRetriesMax,
    runId: null,
    madeBy: "user",
    why: null,
    corrects: null,
    splitOf: null,
    splitDepth: 0,
    isTainted: false,
    failures: [],
    checkpoint: null,
    version: 1,
    ...over,
  };
}

/** Task 1 is completed; 2, 3 and 4 are open, and 3 waits for 1. */
export function makeState(over: Partial<OutcomeState> = {}, config: Partial<HomrConfig> = {}): OutcomeState {
  return {
    outcome: makeOutcome({ config: { ...defaultHomrConfig, ...config } }),
    tasks: [makeTask(1, { status: "completed" }), makeTask(2), makeTask(3, { dependsOn: [taskId(1)] }), makeTask(4)],
    context: emptyContext,
    escalations: [],
    history: [],
    ...over,
  };
}

/** Of task 1, which went well. */
export function makeObservation(over: Partial<Observation> = {}): Observation {
  return {
    id: "observation_1",
    taskId: taskId(1),
    attempt: 1,
    hasSucceeded: true,
    by: "model",
    isTainted: false,
    atMs: 1_000,
    onTrack: true,
    alignmentScore: 90,
    drift: [],
    quality: "good",
    issues: [],
    discoveries: [],
    decisions: [],
    ambiguity: null,
    wishes: [],
    summary: "It did what it was asked to do",
    ...over,
  };
}

export function makeSummary(over: Partial<ObservationSummary> = {}): ObservationSummary {
  const { id, attempt, hasSucceeded, onTrack, alignmentScore, quality, summary } = makeObservation();
  const said = { id, attempt, hasSucceeded, onTrack, alignmentScore, quality, summary };
  return { ...said, taskId: taskId(2), atMs: 500, driftTypes: [], ...over };
}

/** It asks about task 2 and pauses it. */
export function makeEscalation(over: Partial<Escalation> = {}): Escalation {
  return {
    id: "escalation_1",
    outcomeId: "outcome_1" as OutcomeId,
    trigger: "multiple_approaches",
    triggerTaskId: taskId(1),
    observationId: null,
    evidence: [],
    question: "Which form?",
    context: "Two forms would do",
    options: [
      { id: "plain", label: "A plain form", description: "", implications: "Quick", action: "proceed" },
      { id: "rich", label: "A rich form", description: "", implications: "Slow", action: "proceed" },
    ],
    affectedTasks: [taskId(2)],
    isWholeOutcome: false,
    pauses: true,
    defaultOption: null,
    deadlineMs: null,
    isTainted: false,
    atMs: 900,
    state: { status: "pending" },
    ...over,
  };
}

/** New ids are new_1, new_2, … */
export function makeWorld(nowMs = 2_000): HomrWorld {
  let made = 0;
  return { nowMs, newId: () => `new_${++made}` };
}

export const activitiesOf = ({ effects }: OutcomeMove): readonly NewActivity[] =>
  effects.flatMap((effect) => (effect.kind === "log" ? [effect.activity] : []));

// An outcome, its tasks and what is below it as their rows say it: parsed, not cast. Rows come as JSON, by the names of columns.

import { z } from "zod";
import {
  type Constraint,
  type Decision,
  type Discovery,
  type Injection,
  injectionPriorities,
} from "../../domain/homr/context/context.ts";
import { autoResolve, homrConfig } from "../../domain/homr/homr-config.ts";
import {
  ambiguityTypes,
  discoveryTypes,
  driftTypes,
  type ObservationSummary,
  qualities,
  questionOption,
} from "../../domain/homr/observe/observation.ts";
import { intent, type Outcome, type OutcomeId, outcomeStatuses } from "../../domain/homr/outcome.ts";
import {
  type Escalation,
  type EscalationState,
  type EscalationTrigger,
  escalationStatuses,
  failurePatternTypes,
  optionActions,
} from "../../domain/homr/questions/escalation.ts";
import {
  checkpoint,
  failedAttempt,
  gate,
  type OutcomeTask,
  taskMakers,
  taskStatuses,
} from "../../domain/homr/tasks/task.ts";
import type { TaskId } from "../../domain/homr/tasks/task-id.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { engines, type RunId, writeModes } from "../../domain/run/run.ts";
import { runModelRoles } from "../../domain/run/run-models.ts";
import { assert } from "../../lib/assert.ts";
import { idColumn, rowOf, whole } from "../row.ts";
import { budgetColumn, checkFields } from "../run/run-row.ts";

const taskId = idColumn<TaskId>();

const outcomeRow = rowOf({
  id: idColumn<OutcomeId>(),
  userId: idColumn<UserId>(),
  name: z.string(),
  brief: z.string(),
  intent,
  status: z.enum(outcomeStatuses),
  projectId: z.string().nullable(),
  engine: z.enum(engines),
  workFolder: z.string().nullable(),
  models: z.partialRecord(z.enum(runModelRoles), z.string()).nullable(),
  writeMode: z.enum(writeModes),
  allowedTools: z.array(z.string()).nullable(),
  timeZone: z.string(),
  workers: whole,
  runBudget: budgetColumn,
  maxCostMicroUsd: whole.nullable(),
  config: homrConfig,
  autoResolve,
  cleanReviews: whole,
  nextNumber: whole,
  version: whole,
  costMicroUsd: whole,
  tokens: whole,
  unpricedCalls: whole,
  tasksObserved: whole,
  discoveriesExtracted: whole,
  escalationsCreated: whole,
  steeringActions: whole,
});

const designRow = rowOf({ version: whole, text: z.string() }).nullable();

/** The outcome, and the counters that are kept with it. */
export function toOutcome(found: unknown, design: unknown) {
  const { writeMode, allowedTools, costMicroUsd, tokens, unpricedCalls, ...row } = outcomeRow.parse(found);
  const { tasksObserved, discoveriesExtracted, escalationsCreated, steeringActions, ...rest } = row;
  const outcome: Outcome = {
    ...rest,
    permission: { writeMode, allowedTools },
    approach: designRow.parse(design),
    spent: { costMicroUsd, tokens, unpricedCalls },
  };
  return { outcome, stats: { tasksObserved, discoveriesExtracted, escalationsCreated, steeringActions } };
}

const taskRow = rowOf({
  id: taskId,
  number: whole,
  title: z.string(),
  description: z.string(),
  priority: whole,
  status: z.enum(taskStatuses),
  dependsOn: z.array(taskId),
  gates: z.array(gate),
  checks: z.array(checkFields),
  attempts: whole,
  maxAttempts: whole,
  autoRetriesLeft: whole,
  runId: idColumn<RunId>().nullable(),
  madeBy: z.enum(taskMakers),
  why: z.string().nullable(),
  corrects: taskId.nullable(),
  splitOf: taskId.nullable(),
  splitDepth: whole,
  isTainted: z.boolean(),
  failures: z.array(failedAttempt),
  checkpoint: checkpoint.nullable(),
  version: whole,
});

export const toTask = (found: unknown): OutcomeTask => taskRow.parse(found);

const audience = z.array(taskId).nullable();

const kept = {
  id: z.string(),
  content: z.string(),
  sourceTaskId: taskId.nullable(),
  atMs: whole,
  isTainted: z.boolean(),
};

const itemRow = rowOf({ ...kept, kind: z.string(), type: z.string(), audience, details: z.unknown() });

const discoveryDetails = z.object({ resolvedAtMs: z.number().nullable(), memoryId: z.string().nullable() });
const decisionDetails = z.object({
  madeBy: z.enum(["human", "worker", "homr"]),
  context: z.string(),
  affectedAreas: z.array(z.string()),
});
const constraintDetails = z.object({ isActive: z.boolean() });
const injectionDetails = z.object({ priority: z.enum(injectionPriorities), reason: z.string() });

const constraintTypes = ["technical", "business", "dependency", "resource"] as const;
const injectionTypes = ["discovery", "warning", "constraint", "pattern", "decision"] as const;

export type ContextItem =
  | { readonly kind: "discovery"; readonly item: Discovery }
  | { readonly kind: "decision"; readonly item: Decision }
  | { readonly kind: "constraint"; readonly item: Constraint }
  | { readonly kind: "injection"; readonly item: Injection };

export function toContextItem(found: unknown): ContextItem {
  const { kind, type, audience: tasks, details, ...item } = itemRow.parse(found);
  const whom = tasks ?? "every";
  switch (kind) {
    case "discovery":
      return {
        kind,
        item: { ...item, type: z.enum(discoveryTypes).parse(type), audience: whom, ...discoveryDetails.parse(details) },
      };
    case "decision":
      return { kind, item: { ...item, ...decisionDetails.parse(details) } };
    case "constraint":
      return {
        kind,
        item: { ...item, type: z.enum(constraintTypes).parse(type), ...constraintDetails.parse(details) },
      };
    default:
      assert(kind === "injection", `an item of the context has a known kind, not ${kind}`);
      return {
        kind,
        item: { ...item, type: z.enum(injectionTypes).parse(type), audience: whom, ...injectionDetails.parse(details) },
      };
  }
}

const triggers = [
  ...ambiguityTypes,
  ...failurePatternTypes,
  "gate",
  "security",
  "stuck",
  "blocked",
  "budget",
] as const satisfies readonly EscalationTrigger[];

const escalationRow = rowOf({
  id: z.string(),
  outcomeId: idColumn<OutcomeId>(),
  triggerType: z.enum(triggers),
  triggerTaskId: taskId.nullable(),
  observationId: z.string().nullable(),
  evidence: z.array(z.string()),
  question: z.string(),
  context: z.string(),
  options: z.array(questionOption.extend({ action: z.enum(optionActions) })),
  affectedTasks: z.array(taskId),
  isWhole: z.boolean(),
  pauses: z.boolean(),
  defaultOption: z.string().nullable(),
  deadlineMs: whole.nullable(),
  isTainted: z.boolean(),
  atMs: whole,
  status: z.enum(escalationStatuses),
  proposed: z.object({ option: z.string(), confidence: z.number(), reason: z.string() }).nullable(),
  answerOption: z.string().nullable(),
  answerContext: z.string().nullable(),
  answeredBy: z.enum(["human", "homr", "deadline"]).nullable(),
  answeredAtMs: whole.nullable(),
  dismissedWhy: z.string().nullable(),
});

export function toEscalation(found: unknown): Escalation {
  const { triggerType, isWhole, ...row } = escalationRow.parse(found);
  const { status, proposed, answerOption, answerContext, answeredBy, answeredAtMs, dismissedWhy, ...rest } = row;
  const stateOf = (): EscalationState => {
    if (status === "pending") return { status };
    if (status === "pending_confirmation") {
      assert(proposed !== null, "what waits for a yes was proposed");
      return { status, proposed };
    }
    assert(answeredAtMs !== null, "what has ended says when");
    if (status === "dismissed") return { status, atMs: answeredAtMs, why: dismissedWhy ?? "" };
    assert(answerOption !== null && answeredBy !== null, "an answer has an option and a giver");
    return {
      status,
      answer: { option: answerOption, additionalContext: answerContext ?? "", by: answeredBy, atMs: answeredAtMs },
    };
  };
  return { ...rest, trigger: triggerType, isWholeOutcome: isWhole, state: stateOf() };
}

const summaryRow = rowOf({
  id: z.string(),
  taskId,
  attempt: whole,
  hasSucceeded: z.boolean(),
  onTrack: z.boolean(),
  alignmentScore: whole,
  quality: z.enum(qualities),
  summary: z.string(),
  atMs: whole,
  drift: z.array(z.object({ type: z.enum(driftTypes) })),
});

export function toObservationSummary(found: unknown): ObservationSummary {
  const { drift, ...row } = summaryRow.parse(found);
  return { ...row, driftTypes: drift.map(({ type }) => type) };
}

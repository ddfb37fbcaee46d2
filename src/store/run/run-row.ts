// A run as its row says it, and back: columns to the union that the domain works with. Rows are parsed, not cast: a row that
// is no run fails here and not somewhere later.

import { z } from "zod";
import type { TaskId } from "../../domain/homr/tasks/task-id.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { stepStatuses } from "../../domain/plan/plan.ts";
import { foreignText } from "../../domain/policy/foreign-text.ts";
import type { CheckTarget } from "../../domain/run/checks/check.ts";
import { noBest } from "../../domain/run/gate/best.ts";
import { question } from "../../domain/run/question.ts";
import {
  engines,
  nextHints,
  type Run,
  type RunId,
  type RunScope,
  type RunState,
  type RunStatus,
  writeModes,
} from "../../domain/run/run.ts";
import { runModelRoles } from "../../domain/run/run-models.ts";
import { stopReasons } from "../../domain/run/stop-reason.ts";
import { camelCased, idColumn, whole } from "../row.ts";

export const artifactColumn = z.object({ kind: z.string(), id: z.string() });
const step = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(stepStatuses),
  isOptional: z.boolean(),
  owner: z.string().nullable(),
  lastIteration: z.number(),
  evidence: z.array(artifactColumn),
});
export const planColumn = z.object({ steps: z.array(step) });
const proofColumn = z.object({
  checkId: z.string(),
  isGreen: z.boolean(),
  seen: z.string(),
  artifacts: z.array(artifactColumn),
  iteration: z.number(),
});
export const budgetColumn = z.object({
  maxIterations: z.number(),
  maxRunningMs: z.number(),
  maxCostMicroUsd: z.number().nullable(),
  maxTokens: z.number().nullable(),
  maxToolCalls: z.number().nullable(),
  isCostHard: z.boolean(),
});
const streaksColumn = z.object({
  noProgress: z.number(),
  sameAction: z.number(),
  lastActions: z.string().nullable(),
  backAndForth: z.number().default(0),
  actionsBeforeLast: z.string().nullable().default(null),
  sameError: z.number(),
  lastError: z.string().nullable(),
  lastErrorText: z.string().nullable().default(null),
  toolMisses: z.number(),
  rejectedClaims: z.record(z.string(), z.number()),
  recovery: z.object({ iteration: z.number(), from: z.string() }).nullable(),
});
const guidanceColumn = z.object({
  next: z.enum(nextHints),
  why: z.string(),
});
export const checkFields = z.object({
  id: z.string(),
  deliverableId: z.string().nullable(),
  target: z.looseObject({ kind: z.string() }).transform((target) => target as CheckTarget),
  givenBy: z.enum(["user", "planner", "platform"]),
});
export const deliverableColumn = z.object({ id: z.string(), title: z.string() });
const proposalColumn = z.object({
  deliverables: z.array(deliverableColumn),
  checks: z.array(checkFields),
  drops: z.array(z.string()),
  why: z.string(),
});
const closingColumn = z.object({
  primaryOutput: artifactColumn.nullable(),
  summary: z.string().default(""),
  openQuestions: z.array(z.string()),
  unsure: z.array(z.string()),
  honoured: z.array(z.object({ message: z.string(), how: z.string() })),
});
const bestColumn = z.object({
  steps: z.record(z.string(), z.number()),
  green: z.array(z.string()),
  remaining: z.number().nullable(),
  states: z.array(z.string()),
});

export const spentColumns = z.object({
  runningMs: whole,
  costMicroUsd: whole,
  tokens: whole,
  toolCalls: whole,
  unpricedCalls: whole,
});

/** Fields of a run that are columns of its row. */
const ownColumns = z.object({
  id: idColumn<RunId>(),
  userId: idColumn<UserId>(),
  objective: z.string(),
  foreignTexts: z.array(foreignText),
  engine: z.enum(engines),
  workFolder: z.string().nullable(),
  models: z.partialRecord(z.enum(runModelRoles), z.string()).nullable(),
  timeZone: z.string(),
  isJudged: z.boolean(),
  plan: planColumn,
  deliverables: z.array(deliverableColumn),
  streaks: streaksColumn,
  best: bestColumn.nullable().transform((best) => best ?? noBest),
  awaited: proposalColumn.nullable(),
  closing: closingColumn.nullable(),
  guidance: guidanceColumn.nullable(),
  remaining: whole.nullable(),
  unreadMessages: whole,
  heardIn: whole.nullable(),
  holds: z
    .object({
      count: z.number(),
      sinceMs: z.number(),
      isTold: z.boolean(),
      // Rows that were held before 0034 do not have them: nothing is known to have been spent since.
      costMicroUsd: z.number().default(Number.MAX_SAFE_INTEGER),
      tokens: z.number().default(Number.MAX_SAFE_INTEGER),
    })
    .nullable(),
  deaths: whole,
  followsRunId: idColumn<RunId>().nullable(),
  outcomeTaskId: idColumn<TaskId>().nullable(),
  fence: whole,
});

/** Fields that are put together from columns. */
const partColumns = z.object({
  scope: z.enum(["global", "project", "multi_project"]),
  projectIds: z.array(z.string()),
  contextType: z.string(),
  entityId: z.string().nullable(),
  writeMode: z.enum(writeModes),
  allowedTools: z.array(z.string()).nullable(),
  budgets: budgetColumn,
  forkedFromRun: idColumn<RunId>().nullable(),
  forkedFromIteration: whole.nullable(),
  /** The checks of the run, in their order, as one JSON array. */
  checks: z.array(checkFields.extend({ proof: proofColumn.nullable() })),
});
type Parts = z.infer<typeof partColumns>;

const inState = <Status extends RunStatus>(status: Status) => z.object({ status: z.literal(status), iteration: whole });

/** The trigger of the table keeps to the same: which facts hold in which status. */
const stateOfRow = z.discriminatedUnion("status", [
  inState("queued").extend({ hasSlot: z.boolean() }),
  inState("running").extend({ hold: z.object({ untilMs: z.number(), why: z.string() }).nullable() }),
  inState("waiting_on_user").extend({ questions: z.tuple([question], question) }),
  inState("completed").extend({ proofs: z.tuple([proofColumn], proofColumn) }),
  inState("stopped")
    .extend({ stopReason: z.enum(stopReasons), detail: z.string() })
    .transform(({ stopReason: reason, ...state }) => ({ ...state, reason })),
  inState("failed").extend({ detail: z.string() }),
  inState("canceled"),
]);

export function toRun(found: object): Run {
  const row = camelCased(found);
  const parts = partColumns.parse(row);
  const { contextType: type, entityId, writeMode, allowedTools, budgets: budget, checks } = parts;
  return {
    ...ownColumns.parse(row),
    scope: scopeOf(parts),
    context: { type, entityId },
    permission: { writeMode, allowedTools },
    budget,
    spent: spentColumns.parse(row),
    checks: checks.map(({ proof: _, ...check }) => check),
    lastProofs: checks.flatMap(({ proof }) => proof ?? []),
    forkedFrom: forkOf(parts),
    state: stateOfRow.parse(row),
  };
}

function forkOf({ forkedFromRun: runId, forkedFromIteration: iteration }: Parts): Run["forkedFrom"] {
  return runId === null || iteration === null ? null : { runId, iteration };
}

function scopeOf({ scope, projectIds: [first, ...rest] }: Parts): RunScope {
  if (scope === "global") return { kind: "global" };
  if (first === undefined) throw new Error(`bug: a run of scope ${scope} without a project`);
  return scope === "project" ? { kind: scope, projectId: first } : { kind: scope, projectIds: [first, ...rest] };
}

/** The columns of the state; each fact is null where it does not hold. */
export function stateColumns(state: RunState) {
  return {
    status: state.status,
    iteration: state.iteration,
    has_slot: state.status === "running" || (state.status === "queued" && state.hasSlot),
    hold: state.status === "running" ? state.hold : null,
    questions: state.status === "waiting_on_user" ? state.questions : null,
    proofs: state.status === "completed" ? state.proofs : null,
    stop_reason: state.status === "stopped" ? state.reason : null,
    detail: state.status === "stopped" || state.status === "failed" ? state.detail : null,
  };
}

// A run as its row says it, and back: columns to the union that the domain works with. Rows are parsed, not cast: a row that
// is no run fails here and not somewhere later.

import { z } from "zod";
import type { UserId } from "../domain/identity/identity.ts";
import { stepStatuses } from "../domain/plan/plan.ts";
import { noBest } from "../domain/run/best.ts";
import type { Check, CheckTarget, Proof } from "../domain/run/checks.ts";
import { nextHints } from "../domain/run/exit-gate.ts";
import type { Proposal } from "../domain/run/iteration-result.ts";
import { type Question, question } from "../domain/run/question.ts";
import {
  engines,
  type NonEmpty,
  type Run,
  type RunId,
  type RunScope,
  type RunState,
  runStatuses,
  stopReasons,
  writeModes,
} from "../domain/run/run.ts";
import { runModelRoles } from "../domain/run/run-models.ts";

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
const budgetColumn = z.object({
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
const checkFields = z.object({
  id: z.string(),
  deliverableId: z.string().nullable(),
  target: z.looseObject({ kind: z.string() }),
  givenBy: z.enum(["user", "planner", "platform"]),
});
const checkColumn = checkFields.extend({ proof: proofColumn.nullable() });
const deliverableColumn = z.object({ id: z.string(), title: z.string() });
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

/** Numbers that PostgreSQL keeps as bigint come as text. */
const whole = z.coerce.number().int();

const runRow = z.object({
  id: z.string(),
  user_id: z.string(),
  objective: z.string(),
  engine: z.enum(engines),
  scope: z.enum(["global", "project", "multi_project"]),
  project_ids: z.array(z.string()),
  context_type: z.string(),
  entity_id: z.string().nullable(),
  write_mode: z.enum(writeModes),
  allowed_tools: z.array(z.string()).nullable(),
  models: z.partialRecord(z.enum(runModelRoles), z.string()).nullable(),
  time_zone: z.string(),
  is_judged: z.boolean(),
  budgets: budgetColumn,
  status: z.enum(runStatuses),
  iteration: whole,
  has_slot: z.boolean(),
  hold: z.object({ untilMs: z.number(), why: z.string() }).nullable(),
  questions: z.array(question).nullable(),
  proofs: z.array(proofColumn).nullable(),
  stop_reason: z.enum(stopReasons).nullable(),
  detail: z.string().nullable(),
  running_ms: whole,
  cost_micro_usd: whole,
  tokens: whole,
  tool_calls: whole,
  unpriced_calls: whole,
  plan: planColumn,
  deliverables: z.array(deliverableColumn),
  streaks: streaksColumn,
  guidance: guidanceColumn.nullable(),
  remaining: whole.nullable(),
  best: bestColumn.nullable(),
  awaited: proposalColumn.nullable(),
  closing: closingColumn.nullable(),
  unread_signals: whole,
  heard_in: whole.nullable(),
  holds: z.object({ count: z.number(), sinceMs: z.number(), isTold: z.boolean() }).nullable(),
  deaths: whole,
  fence: whole,
  forked_from_run: z.string().nullable(),
  forked_from_iteration: whole.nullable(),
  /** The checks of the run, in their order, as one JSON array. */
  checks: z.array(checkColumn),
});
type RunRow = z.infer<typeof runRow>;

export function toRun(found: unknown): Run {
  const row = runRow.parse(found);
  return {
    id: row.id as RunId,
    userId: row.user_id as UserId,
    objective: row.objective,
    scope: scopeOf(row),
    context: { type: row.context_type, entityId: row.entity_id },
    engine: row.engine,
    permission: { writeMode: row.write_mode, allowedTools: row.allowed_tools },
    models: row.models,
    timeZone: row.time_zone,
    isJudged: row.is_judged,
    budget: row.budgets,
    spent: {
      runningMs: row.running_ms,
      costMicroUsd: row.cost_micro_usd,
      tokens: row.tokens,
      toolCalls: row.tool_calls,
      unpricedCalls: row.unpriced_calls,
    },
    streaks: row.streaks,
    best: row.best ?? noBest,
    plan: row.plan,
    deliverables: row.deliverables,
    checks: row.checks.map(({ proof: _, ...check }) => asCheck(check)),
    lastProofs: row.checks.flatMap(({ proof }): Proof[] => (proof ? [proof] : [])),
    awaited: proposalOf(row),
    closing: row.closing,
    guidance: row.guidance,
    remaining: row.remaining,
    unreadSignals: row.unread_signals,
    heardIn: row.heard_in,
    holds: row.holds,
    deaths: row.deaths,
    forkedFrom: forkOf(row),
    fence: row.fence,
    state: stateOf(row),
  };
}

const asCheck = ({ target, ...check }: z.infer<typeof checkFields>): Check => ({
  ...check,
  target: target as CheckTarget,
});

const proposalOf = ({ awaited }: RunRow): Proposal | null =>
  awaited && { ...awaited, checks: awaited.checks.map(asCheck) };

function forkOf({ forked_from_run: runId, forked_from_iteration: iteration }: RunRow): Run["forkedFrom"] {
  return runId === null || iteration === null ? null : { runId: runId as RunId, iteration };
}

function scopeOf({ scope, project_ids: [first, ...rest] }: RunRow): RunScope {
  if (scope === "global") return { kind: "global" };
  if (first === undefined) throw new Error(`bug: a run of scope ${scope} without a project`);
  return scope === "project" ? { kind: scope, projectId: first } : { kind: scope, projectIds: [first, ...rest] };
}

function stateOf(row: RunRow): RunState {
  const { status, iteration } = row;
  switch (status) {
    case "queued":
      return { status, iteration, hasSlot: row.has_slot };
    case "running":
      return { status, iteration, hold: row.hold };
    case "waiting_on_user":
      return { status, iteration, questions: nonEmpty<Question>(row.questions) };
    case "completed":
      return { status, iteration, proofs: nonEmpty<Proof>(row.proofs) };
    case "stopped":
      return { status, iteration, reason: row.stop_reason ?? "paused", detail: row.detail ?? "" };
    case "failed":
      return { status, iteration, detail: row.detail ?? "" };
    case "canceled":
      return { status, iteration };
  }
}

function nonEmpty<T>(items: readonly T[] | null): NonEmpty<T> {
  const [first, ...rest] = items ?? [];
  if (first === undefined) throw new Error("bug: an empty list where there is none");
  return [first, ...rest];
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

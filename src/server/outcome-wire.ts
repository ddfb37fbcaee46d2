// From what the stores hold of an outcome and its tasks to what the contract carries.

import type { Intent as DomainIntent } from "../domain/homr/outcome.ts";
import { describeCheck } from "../domain/run/checks/describe-check.ts";
import { describeBudget } from "../domain/run/describe-config.ts";
import type {
  Design,
  Intervention,
  Outcome,
  OutcomeEvent,
  OutcomeSummary,
  OutcomeTask,
  OutcomeTaskDetail,
} from "../protocol/api.ts";
import { design, intervention, outcomeEvent } from "../protocol/routes/outcome-shapes.ts";
import type {
  DesignView,
  InterventionView,
  OutcomeEventView,
  OutcomeView,
  OutcomeSummary as SummaryView,
} from "../store/outcome-view/outcome-list-store.ts";
import type { AttemptView, TaskDetail, TaskView } from "../store/outcome-view/outcome-task-view-store.ts";
import { toWireAutoResolve, toWireConfig } from "./homr-wire.ts";
import { toWireTarget } from "./run-wire.ts";
import { wireOf } from "./wire.ts";

export const toWireOutcomeSummary = (view: SummaryView): OutcomeSummary => ({
  id: view.id,
  name: view.name,
  status: view.status,
  engine: view.engine,
  project_id: view.projectId,
  tasks: view.tasks,
  open_escalations: view.openEscalations,
  waiting_runs: view.waitingRuns,
  is_drafting: view.isDrafting,
  latest: view.latest,
  metrics: {
    cost_total_micro_usd: view.costMicroUsd,
    tokens_total: view.tokens,
    unpriced_calls: view.unpricedCalls,
  },
  created_at: view.createdAt,
  updated_at: view.updatedAt,
});

export const toWireOutcome = (view: OutcomeView): Outcome => ({
  ...toWireOutcomeSummary(view),
  brief: view.brief,
  intent: toWireIntent(view.intent),
  approach: view.approach,
  work_folder: view.workFolder,
  models: view.models,
  permissions: { write_mode: view.writeMode, allowed_tools: view.allowedTools },
  time_zone: view.timeZone,
  workers: view.workers,
  run_budgets: describeBudget(view.runBudget),
  max_cost_usd: view.maxCostMicroUsd === null ? null : view.maxCostMicroUsd / 1_000_000,
  homr: toWireConfig(view.config),
  auto_resolve: toWireAutoResolve(view.autoResolve),
  clean_reviews: Math.max(0, view.cleanReviews),
  last_seq: view.eventSeq,
  version: view.version,
});

const toWireIntent = ({ summary, items, successCriteria }: DomainIntent): Outcome["intent"] => ({
  summary,
  items: items.map(({ acceptanceCriteria, ...item }) => ({ ...item, acceptance_criteria: [...acceptanceCriteria] })),
  success_criteria: [...successCriteria],
});

export const toWireTask = (task: TaskView): OutcomeTask => ({
  id: task.id,
  outcome_id: task.outcomeId,
  number: task.number,
  title: task.title,
  description: task.description,
  priority: task.priority,
  status: task.status,
  depends_on: [...task.dependsOn],
  gates: task.gates.map(({ isAsked: _, ...gate }) => gate),
  paused_by: [...task.pausedBy],
  completion_criteria: task.checks.map((check) => ({
    id: check.id,
    kind: check.target.kind,
    about: describeCheck(check, []),
    target: toWireTarget(check.target),
  })),
  attempts: task.attempts,
  max_attempts: task.maxAttempts,
  run_id: task.runId,
  run_status: task.runStatus,
  made_by: task.madeBy,
  why: task.why,
  failure: task.failure,
  corrects: task.corrects,
  split_of: task.splitOf,
  checkpoint: task.checkpoint && { summary: task.checkpoint.summary, remaining: [...task.checkpoint.remaining] },
  version: task.version,
  created_at: task.createdAt,
  updated_at: task.updatedAt,
  ended_at: task.endedAt,
});

const toWireAttempt = (tried: AttemptView) => ({
  attempt: tried.attempt,
  run_id: tried.runId,
  state: tried.state,
  why: tried.why,
  cost_micro_usd: tried.costMicroUsd,
  unpriced_calls: tried.unpricedCalls,
  started_at: tried.startedAt,
  ended_at: tried.endedAt,
});

export const toWireTaskDetail = ({ task, attempts }: TaskDetail): OutcomeTaskDetail => ({
  ...toWireTask(task),
  runs: attempts.map(toWireAttempt),
});

export const toWireDesign: (view: DesignView) => Design = wireOf(design);
export const toWireIntervention: (view: InterventionView) => Intervention = wireOf(intervention);
export const toWireOutcomeEvent: (view: OutcomeEventView) => OutcomeEvent = wireOf(outcomeEvent);

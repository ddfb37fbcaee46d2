// From what the domain and the stores hold of a run to what the contract carries.

import { z } from "zod";
import type { EntitySummary } from "../domain/entity/entity.ts";
import type { Plan } from "../domain/plan/plan.ts";
import { forecast, type Spent } from "../domain/run/budget/budget.ts";
import type { Check, Proof } from "../domain/run/checks/check.ts";
import { describeCheck, describeTarget } from "../domain/run/checks/describe-check.ts";
import { describeConfig } from "../domain/run/describe-config.ts";
import type { BreakerLimits } from "../domain/run/gate/breakers.ts";
import { warningsOf } from "../domain/run/gate/warnings.ts";
import type { report as keptReport, Report } from "../domain/run/report/report-shape.ts";
import { type Run as DomainRun, isTerminal } from "../domain/run/run.ts";
import { AppError } from "../lib/app-error.ts";
import type { ListedNotification, ListedRun, Notification, Run, RunEvent, RunReport } from "../protocol/api.ts";
import { iteration, modelUse, planStep, runEvent, taskPlace } from "../protocol/routes/run-shapes.ts";
import type { ListedNotificationRow, NotificationRow } from "../store/notification/notification-store.ts";
import { type RunSummary as DomainSummary, type Shown, titleOf } from "../store/run-view/run-list-store.ts";
import type { Activity, EventView, IterationView, Message, RunView } from "../store/run-view/run-view-store.ts";
import { wireOf } from "./wire.ts";

const toWireMetrics = (spent: Spent) => ({
  running_ms: spent.runningMs,
  tokens_total: spent.tokens,
  cost_total_micro_usd: spent.costMicroUsd,
  tool_calls_total: spent.toolCalls,
  unpriced_calls: spent.unpricedCalls,
});

const toWireShown = (shown: Shown) => ({
  place_in_line: shown.placeInLine,
  progress: shown.progress,
  silences: shown.silences.map(toWireSilence),
  checks: { green: shown.greenChecks, of: shown.allChecks },
  made: [...shown.made],
  is_undone: shown.isUndone,
  is_archived: shown.isArchived,
  created_at: shown.createdAt,
  started_at: shown.startedAt,
  updated_at: shown.updatedAt,
  completed_at: shown.endedAt,
});

const toWireSilence = ({ sinceMs, triesMost, atStakeMicroUsd, ...call }: Shown["silences"][number]) => ({
  ...call,
  // biome-ignore lint/style/noRestrictedGlobals: writes a given time, not the clock's
  since: new Date(sinceMs).toISOString(),
  tries_most: triesMost,
  at_stake_micro_usd: atStakeMicroUsd,
});

const toWireHold = (until: string | null, why: string | null) => (until === null ? null : { until, why: why ?? "" });

export const toWireListedRun = (run: DomainSummary): ListedRun => ({
  id: run.id,
  title: titleOf(run.title, run.objective),
  objective: run.objective,
  engine: run.engine,
  status: run.status,
  iteration: run.iteration,
  max_iterations: run.maxIterations,
  hold: toWireHold(run.holdUntil, run.holdWhy),
  stop_reason: run.stopReason === null ? null : { type: run.stopReason, detail: run.detail ?? "" },
  question: run.question,
  failure: run.status === "failed" ? (run.detail ?? "") : null,
  is_unread: run.isUnread,
  metrics: toWireMetrics(run.spent),
  ...toWireShown(run),
});

/** `breakers`: when the platform would stop it. */
export function toWireRun(view: RunView, breakers: BreakerLimits): Run {
  const { run } = view;
  const usual = forecast(run.spent, view.iterationsDone);
  return {
    ...stateOf(view),
    id: run.id,
    title: titleOf(view.title, run.objective),
    objective: run.objective,
    foreign_texts: [...run.foreignTexts],
    iteration: run.state.iteration,
    max_iterations: run.budget.maxIterations,
    metrics: toWireMetrics(run.spent),
    ...toWireShown(view),
    ...describeConfig(run),
    plan: toWirePlan(run.plan),
    deliverables: [...run.deliverables],
    judge: run.isJudged,
    time_zone: run.timeZone,
    completion_criteria: run.checks.map((check) => toWireCheck(check, run.deliverables, run.lastProofs)),
    guidance: isTerminal(run.state.status) ? null : run.guidance,
    unread_messages: run.unreadMessages,
    messages: view.messages.map(toWireMessage),
    warnings: [...warningsOf(run, view.iterationsDone, breakers)],
    activity: toWireActivity(view.activity, view.silences.length > 0),
    forked_from: run.forkedFrom && { run_id: run.forkedFrom.runId, iteration: run.forkedFrom.iteration },
    follows_run_id: run.followsRunId,
    forecast: usual && !isTerminal(run.state.status) ? toWireMetrics(usual) : null,
    last_seq: view.lastSeq,
    report: view.report && toWireReport(view.report),
  };
}

const toWireActivity = ({ iteration, attempt, since, activeMs, entries, entryCount }: Activity, isSilent: boolean) => ({
  iteration,
  attempt,
  since,
  active_ms: isSilent ? activeMs : null,
  entries: entries.map(({ isFailed, ...entry }) => ({ ...entry, is_failed: isFailed })),
  entry_count: entryCount,
});

const toWireMessage = ({ takenUpIn, ...message }: Message) => ({ ...message, taken_up_in: takenUpIn });

/** Each fact is there in the status in which it holds. */
function stateOf({ run: { state }, holdUntil }: RunView) {
  return {
    status: state.status,
    hold: toWireHold(holdUntil, state.status === "running" ? (state.hold?.why ?? null) : null),
    stop_reason: state.status === "stopped" ? { type: state.reason, detail: state.detail } : null,
    question: state.status === "waiting_on_user" ? state.questions[0].text : null,
    questions:
      state.status === "waiting_on_user" ? state.questions.map((q) => ({ ...q, options: [...q.options] })) : [],
    failure: state.status === "failed" ? state.detail : null,
  };
}

const planStepOf = wireOf(planStep);
const toWirePlan = ({ steps }: Plan) => steps.map((step) => planStepOf({ ...step, evidence: [...step.evidence] }));

function toWireCheck(check: Check, deliverables: DomainRun["deliverables"], proofs: readonly Proof[]) {
  const { id, deliverableId, target, givenBy } = check;
  const proof = proofs.find(({ checkId }) => checkId === id);
  return {
    id,
    deliverable_id: deliverableId,
    kind: target.kind,
    about: describeCheck(check, deliverables),
    words: describeTarget(target),
    target: toWireTarget(target),
    given_by: givenBy,
    proof: proof
      ? { is_green: proof.isGreen, seen: proof.seen, artifacts: [...proof.artifacts], iteration: proof.iteration }
      : null,
  };
}

/** As criteria are given, without their kind. */
export function toWireTarget({ kind: _, ...fields }: Check["target"]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [snakeCase(name), value as unknown]));
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The types of the contract are not readonly; nothing changes the report on its way out. */
const toWireReport = (report: Report): RunReport => ({
  ...(report as z.infer<typeof keptReport>),
  metrics: { ...report.metrics, total_cost_usd: report.metrics.total_cost_micro_usd / 1_000_000 },
});

const iterationOf = wireOf(iteration);
export const toWireIteration = (one: IterationView) =>
  iterationOf({ ...one, metrics: one.spent && toWireMetrics(one.spent), artifacts: [...one.artifacts] });

const pageMark = z.looseObject({
  homework: z
    .looseObject({
      path: z.string().nullable().default(null).catch(null),
      tags: z.array(z.string()).default([]).catch([]),
    })
    .catch({ path: null, tags: [] }),
});

/** What `props` say of its place may be a person's by now, so it is read leniently. */
export function toWireWorkspacePage({ id, projectId, title, typeKey, parentId, props }: EntitySummary) {
  const { path, tags } = pageMark.parse({ homework: null, ...props }).homework;
  return { id, project_id: projectId, title, type_key: typeKey, parent_id: parentId, path, tags };
}

export const toWireEvent: (event: EventView) => RunEvent = wireOf(runEvent);

export const toWireNotification = ({ user_id: _, ...notification }: NotificationRow): Notification => notification;

export const toWireListedNotification = ({ run, ...row }: ListedNotificationRow): ListedNotification => ({
  ...toWireNotification(row),
  run: run && { title: titleOf(run.title, run.objective), status: run.status, is_undone: run.is_undone },
});

/** The run said no. `run` is how it stands, so the second caller can see what the first one did. */
export const refused = (why: string, view: RunView, breakers: BreakerLimits): AppError =>
  new AppError("wrong_status", why, { details: { status: view.run.state.status, run: toWireRun(view, breakers) } });

/** The address of a run's page. */
export const pageOfRun = ({ id }: DomainRun) => `/homework/runs/${id}`;

export const toWireUse = wireOf(modelUse);
export const toWireTaskPlace = wireOf(taskPlace);

// From what the stores hold of HOMЯ to what the contract carries.

import type { OutcomeContext } from "../domain/homr/context/context.ts";
import type { AutoResolve, HomrConfig } from "../domain/homr/homr-config.ts";
import { nameAnswer, takesOwnWords } from "../domain/homr/questions/escalation.ts";
import { AppError } from "../lib/app-error.ts";
import type {
  Brief,
  BriefSummary,
  Escalation,
  HomrActivity,
  HomrContext,
  Memory,
  Observation,
  Receipt,
  Review,
} from "../protocol/api.ts";
import { brief, briefSummary, memory, receipt, review } from "../protocol/routes/homr-shapes.ts";
import type { EscalationView } from "../store/outcome-view/escalation-view-store.ts";
import type {
  ActivityView,
  BriefSummaryView,
  BriefView,
  ObservationView,
  ReceiptView,
  ReviewView,
} from "../store/outcome-view/homr-view-store.ts";
import type { MemoryView } from "../store/outcome-view/memory-list-store.ts";
import { onlyGiven } from "./run-input.ts";
import { fromWire, wireOf } from "./wire.ts";

export const toWireConfig = ({ failurePatterns: patterns, ...config }: HomrConfig) => ({
  enabled: config.enabled,
  observe_after_every_task: config.observeAfterEveryTask,
  observation_model: config.observationModel,
  auto_create_corrective_tasks: config.autoCreateCorrectiveTasks,
  auto_adjust_priority: config.autoAdjustPriority,
  max_steering_actions_per_task: config.maxSteeringActionsPerTask,
  auto_escalate: config.autoEscalate,
  escalation_threshold: config.escalationThreshold,
  pause_on_escalation: config.pauseOnEscalation,
  max_discoveries: config.maxDiscoveries,
  context_compaction_threshold: config.contextCompactionThreshold,
  max_context_size: config.maxContextSize,
  failure_patterns: {
    lookback_count: patterns.lookbackCount,
    consecutive_failure_threshold: patterns.consecutiveFailureThreshold,
    healthy_alignment_threshold: patterns.healthyAlignmentThreshold,
  },
});

type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };
type GivenConfig = Given<Omit<ReturnType<typeof toWireConfig>, "failure_patterns">> & {
  readonly failure_patterns?: Given<ReturnType<typeof toWireConfig>["failure_patterns"]> | undefined;
};

/** What is left out stays as it is. */
export function changeConfig(config: HomrConfig, { failure_patterns: patterns, ...given }: GivenConfig): HomrConfig {
  return {
    ...config,
    ...onlyGiven(fromWire(given)),
    failurePatterns: { ...config.failurePatterns, ...onlyGiven(fromWire(patterns ?? {})) },
  };
}

export const toWireAutoResolve = ({ mode, threshold, deadlineHours }: AutoResolve) => ({
  mode,
  threshold,
  deadline_hours: deadlineHours,
});

export const changeAutoResolve = (
  before: AutoResolve,
  given: Given<ReturnType<typeof toWireAutoResolve>>,
): AutoResolve => ({ ...before, ...onlyGiven(fromWire(given)) });

export const toWireObservation = (view: ObservationView): Observation => ({
  id: view.id,
  outcome_id: view.outcomeId,
  task_id: view.taskId,
  task_number: view.taskNumber,
  attempt: view.attempt,
  has_succeeded: view.hasSucceeded,
  observed_by: view.observedBy,
  on_track: view.onTrack,
  alignment_score: view.alignmentScore,
  quality: view.quality,
  drift: view.drift,
  issues: view.issues,
  discoveries: view.discoveries.map(({ relevantTasks, ...found }) => ({ ...found, relevant_tasks: relevantTasks })),
  decisions: view.decisions.map(({ affectedAreas, ...decision }) => ({ ...decision, affected_areas: affectedAreas })),
  ambiguity: view.ambiguity && toWireAmbiguity(view.ambiguity),
  summary: view.summary,
  is_tainted: view.isTainted,
  created_at: view.createdAt,
});

const toWireAmbiguity = ({
  affectedTasks,
  suggestedQuestion,
  ...signal
}: NonNullable<ObservationView["ambiguity"]>): Observation["ambiguity"] => ({
  ...signal,
  affected_tasks: affectedTasks,
  suggested_question: suggestedQuestion,
});

export const toWireActivity = (view: ActivityView): HomrActivity => ({
  seq: view.seq,
  type: view.type,
  task_id: view.taskId,
  task_number: view.taskNumber,
  cause: toWireCause(view.cause as Cause),
  summary: view.summary,
  details: view.details,
  created_at: view.createdAt,
});

type Cause = { readonly kind: string } & {
  readonly drift?: HomrActivity["cause"]["drift"];
  readonly observationId?: string;
  readonly escalationId?: string;
  readonly cycle?: number;
};

const toWireCause = ({ kind, drift, observationId, escalationId, cycle }: Cause): HomrActivity["cause"] => ({
  kind,
  drift,
  observation_id: observationId,
  escalation_id: escalationId,
  cycle,
});

export const toWireReview: (view: ReviewView) => Review = wireOf(review);
export const toWireReceipt: (view: ReceiptView) => Receipt = wireOf(receipt);
export const toWireBriefSummary: (view: BriefSummaryView) => BriefSummary = wireOf(briefSummary);
export const toWireBrief: (view: BriefView) => Brief = wireOf(brief);
export const toWireMemory: (view: MemoryView) => Memory = wireOf(memory);

type Kept =
  | OutcomeContext["decisions"][number]
  | OutcomeContext["discoveries"][number]
  | OutcomeContext["constraints"][number];

// biome-ignore lint/style/noRestrictedGlobals: writes a given time; reads no clock
const toTime = (ms: number) => new Date(ms).toISOString();

/** `prompts`: how many carried each item. */
export function toWireContext(context: OutcomeContext, prompts: ReadonlyMap<string, number>): HomrContext {
  const kept = ({ id, content, sourceTaskId, isTainted, atMs }: Omit<Kept, "type">) => ({
    id,
    content,
    source_task_id: sourceTaskId,
    is_tainted: isTainted,
    created_at: toTime(atMs),
    prompts: prompts.get(id) ?? 0,
  });
  const toAudience = (audience: "every" | readonly string[]) => (audience === "every" ? null : [...audience]);
  return {
    discoveries: context.discoveries.map((found) => ({
      ...kept(found),
      type: found.type,
      relevant_tasks: toAudience(found.audience),
      resolved_at: found.resolvedAtMs === null ? null : toTime(found.resolvedAtMs),
      memory_id: found.memoryId,
    })),
    decisions: context.decisions.map((decision) => ({
      ...kept(decision),
      made_by: decision.madeBy,
      context: decision.context,
      affected_areas: [...decision.affectedAreas],
    })),
    constraints: context.constraints.map((one) => ({ ...kept(one), type: one.type, active: one.isActive })),
    injections: context.injections.map((one) => ({
      ...kept(one),
      type: one.type,
      priority: one.priority,
      target_tasks: toAudience(one.audience),
      reason: one.reason,
    })),
  };
}

export const toWireStats = (stats: OutcomeContext["stats"]) => ({
  tasks_observed: stats.tasksObserved,
  discoveries_extracted: stats.discoveriesExtracted,
  escalations_created: stats.escalationsCreated,
  steering_actions: stats.steeringActions,
});

export const toWireEscalation = (view: EscalationView): Escalation => ({
  id: view.id,
  outcome_id: view.outcomeId,
  outcome_name: view.outcomeName,
  status: view.status,
  trigger: {
    type: view.triggerType,
    task_id: view.triggerTaskId,
    task_number: view.triggerNumber,
    evidence: view.evidence,
  },
  question: { text: view.question, context: view.context, options: view.options },
  takes_own_words: takesOwnWords(view.options),
  affected_tasks: view.tasks.map(({ id }) => id),
  affected_numbers: view.tasks.map(({ number }) => number),
  is_whole_outcome: view.isWhole,
  pauses: view.pauses,
  default_option: view.defaultOption,
  deadline: view.deadline,
  observation_id: view.observationId,
  is_tainted: view.isTainted,
  proposed:
    view.status === "pending_confirmation" && view.proposed !== null
      ? { selected_option: view.proposed.option, confidence: view.proposed.confidence, reason: view.proposed.reason }
      : null,
  answer: answerOf(view),
  dismissed:
    view.status === "dismissed" && view.answeredAt !== null
      ? { at: view.answeredAt, why: view.dismissedWhy ?? "" }
      : null,
  created_at: view.createdAt,
});

function answerOf({
  status,
  answerOption,
  answerContext,
  answeredBy,
  answeredAt,
}: EscalationView): Escalation["answer"] {
  if (status !== "answered" || answerOption === null || answeredBy === null || answeredAt === null) return null;
  return {
    selected_option: answerOption,
    additional_context: answerContext ?? "",
    by: answeredBy,
    answered_at: answeredAt,
  };
}

const givers = { human: "by a person", homr: "by HOMЯ", deadline: "by its deadline" } as const;

/** Someone was quicker. `escalation` is how it stands, so the second caller can see what the first one did. */
export function alreadyDecided(view: EscalationView): AppError {
  const escalation = toWireEscalation(view);
  const chosen = nameAnswer(view.options, view.answerOption ?? "", view.answerContext ?? "");
  const words =
    escalation.answer === null
      ? `This question was dismissed on ${escalation.dismissed?.at ?? ""}`
      : `This question was answered ${givers[escalation.answer.by]} on ${escalation.answer.answered_at}: ${chosen}`;
  return new AppError("wrong_status", words, { details: { status: view.status, escalation } });
}

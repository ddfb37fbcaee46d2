// What of HOMЯ can be set for an outcome, in the names of the wire. The limits are the domain's (src/domain/homr/homr-config.ts).

import { z } from "zod";
import { autoResolve as ownAutoResolve, homrConfig as ownConfig } from "../../domain/homr/homr-config.ts";

const own = ownConfig.shape;
const patterns = own.failurePatterns.shape;

const failurePatterns = {
  lookback_count: patterns.lookbackCount,
  consecutive_failure_threshold: patterns.consecutiveFailureThreshold,
  healthy_alignment_threshold: patterns.healthyAlignmentThreshold,
};

const fields = {
  enabled: own.enabled,
  observe_after_every_task: own.observeAfterEveryTask,
  observation_model: own.observationModel,
  auto_create_corrective_tasks: own.autoCreateCorrectiveTasks,
  auto_adjust_priority: own.autoAdjustPriority,
  max_steering_actions_per_task: own.maxSteeringActionsPerTask,
  auto_escalate: own.autoEscalate,
  escalation_threshold: own.escalationThreshold,
  pause_on_escalation: own.pauseOnEscalation,
  max_discoveries: own.maxDiscoveries,
  context_compaction_threshold: own.contextCompactionThreshold,
  max_context_size: own.maxContextSize,
};

export const homrConfig = z.object({ ...fields, failure_patterns: z.object(failurePatterns) });
const { mode, threshold, deadlineHours } = ownAutoResolve.shape;
const resolving = { mode, threshold, deadline_hours: deadlineHours.unwrap() };
export const autoResolve = z.object(resolving);

/** Left out stays as it is. */
export const givenHomrConfig = z.strictObject({
  ...z.object(fields).partial().shape,
  failure_patterns: z.strictObject(failurePatterns).partial().optional(),
});
export const givenAutoResolve = z.strictObject(resolving).partial();

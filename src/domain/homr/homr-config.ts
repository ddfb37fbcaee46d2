// What of HOMЯ can be set for an outcome. The keys are the seed's, on the wire in snake_case. A test shows for each of them that it
// changes what happens (homr-config.test.ts).

import { z } from "zod";
import type { ReadonlyDeep } from "../../lib/readonly-deep.ts";

const escalationThresholds = ["low", "medium", "high"] as const;

export const homrConfig = z.object({
  enabled: z.boolean(),
  /** False: only attempts that failed, and the last open task, are observed. */
  observeAfterEveryTask: z.boolean(),
  /** A model as in `models`, or one of the seed's sizes: `haiku` is the observer's model, `sonnet` the planner's. */
  observationModel: z.string().min(1).max(200),
  autoCreateCorrectiveTasks: z.boolean(),
  autoAdjustPriority: z.boolean(),
  maxSteeringActionsPerTask: z.number().int().min(0).max(50),
  autoEscalate: z.boolean(),
  /** How little uncertainty is enough to ask: `low` asks soon, `high` seldom. */
  escalationThreshold: z.enum(escalationThresholds),
  pauseOnEscalation: z.boolean(),
  maxDiscoveries: z.number().int().min(1).max(500),
  /** Discoveries, decisions, constraints and injections together, beyond which the least relevant are put together in one. */
  contextCompactionThreshold: z.number().int().min(10).max(1_000),
  /** Characters of HOMЯ's context in a task's prompt. */
  maxContextSize: z.number().int().min(1_000).max(200_000),
  failurePatterns: z.object({
    lookbackCount: z.number().int().min(1).max(50),
    consecutiveFailureThreshold: z.number().int().min(1).max(50),
    healthyAlignmentThreshold: z.number().int().min(0).max(100),
  }),
});
export type HomrConfig = ReadonlyDeep<z.infer<typeof homrConfig>>;

export const defaultHomrConfig: HomrConfig = {
  enabled: true,
  observeAfterEveryTask: true,
  observationModel: "haiku",
  autoCreateCorrectiveTasks: true,
  autoAdjustPriority: true,
  maxSteeringActionsPerTask: 5,
  autoEscalate: true,
  escalationThreshold: "medium",
  pauseOnEscalation: true,
  maxDiscoveries: 50,
  contextCompactionThreshold: 100,
  maxContextSize: 50_000,
  failurePatterns: { lookbackCount: 5, consecutiveFailureThreshold: 3, healthyAlignmentThreshold: 50 },
};

const autoResolveModes = ["manual", "semi_auto", "full_auto"] as const;

/** Who answers an escalation. Security and gates are never answered but by a person. */
export const autoResolve = z.object({
  mode: z.enum(autoResolveModes),
  /** How sure the model has to be. */
  threshold: z.number().min(0).max(1),
  /** Left unanswered so long, a question is answered with the option that was recommended with it; null: it waits. */
  deadlineHours: z.number().int().min(1).max(720).nullable().default(null),
});
export type AutoResolve = Readonly<z.infer<typeof autoResolve>>;
export const defaultAutoResolve: AutoResolve = { mode: "manual", threshold: 0.8, deadlineHours: null };

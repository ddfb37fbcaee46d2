// What HOMЯ sees in the work of one attempt at a task. A model writes it, or, where none could be asked, the platform from what it
// knows itself. Nothing in it is believed beyond what it can cause: tasks that it names have to be tasks of its outcome.

import { z } from "zod";
import type { ReadonlyDeep } from "../../../lib/readonly-deep.ts";
import type { TaskId } from "../tasks/task-id.ts";

export const driftTypes = ["scope_creep", "wrong_direction", "missed_requirement", "contradicts_design"] as const;
export const severities = ["low", "medium", "high"] as const;
export const qualities = ["good", "needs_work", "off_rails"] as const;
export const discoveryTypes = ["constraint", "dependency", "pattern", "decision", "blocker"] as const;
export const ambiguityTypes = [
  "unclear_requirement",
  "multiple_approaches",
  "blocking_decision",
  "contradicting_info",
] as const;

const said = z.string().trim().min(1).max(2_000);

export const driftItem = z.object({
  type: z.enum(driftTypes),
  description: said,
  severity: z.enum(severities),
  /** Quoted from the output. */
  evidence: z.string().max(2_000),
});
export type DriftItem = ReadonlyDeep<z.infer<typeof driftItem>>;

export const qualityIssue = z.object({
  description: said,
  severity: z.enum(severities),
  evidence: z.string().max(2_000),
});
export type QualityIssue = ReadonlyDeep<z.infer<typeof qualityIssue>>;

/** `*`: every task. */
export const everyTask = "*";

/** As a model names it: tasks by number. What is kept names them by id (`context.ts`). */
export const foundDiscovery = z.object({
  type: z.enum(discoveryTypes),
  content: said,
  relevantTasks: z.array(z.union([z.number().int().positive(), z.literal(everyTask)])).max(100),
  /** Where in the output it was found. */
  source: z.string().max(500),
});
export type FoundDiscovery = ReadonlyDeep<z.infer<typeof foundDiscovery>>;

export const foundDecision = z.object({
  content: said,
  context: z.string().max(2_000),
  affectedAreas: z.array(z.string().max(200)).max(20),
});

export const questionOption = z.object({
  id: z.string().trim().min(1).max(60),
  label: z.string().trim().min(1).max(200),
  description: z.string().max(1_000),
  /** What happens if it is chosen. */
  implications: z.string().max(1_000),
});
export type QuestionOption = ReadonlyDeep<z.infer<typeof questionOption>>;

export const ambiguitySignal = z.object({
  type: z.enum(ambiguityTypes),
  description: said,
  evidence: z.array(z.string().max(2_000)).max(10),
  affectedTasks: z.array(z.union([z.number().int().positive(), z.literal(everyTask)])).max(100),
  suggestedQuestion: z.string().max(1_000),
  options: z.array(questionOption).max(4).optional(),
});
export type AmbiguitySignal = ReadonlyDeep<z.infer<typeof ambiguitySignal>>;

/** The four things beyond what the platform itself derives that a model may ask the steerer for. */
export const steeringWish = z.discriminatedUnion("type", [
  z.object({ type: z.literal("update_description"), task: z.number().int().positive(), additions: said, reason: said }),
  z.object({
    type: z.literal("update_priority"),
    task: z.number().int().positive(),
    priority: z.number().int().min(1).max(1_000),
    reason: said,
  }),
  z.object({ type: z.literal("mark_obsolete"), task: z.number().int().positive(), reason: said }),
  z.object({
    type: z.literal("create_task"),
    title: z.string().trim().min(1).max(300),
    description: said,
    /** The task it has to come before; left out: it stands by itself. */
    before: z.number().int().positive().optional(),
    reason: said,
  }),
  z.object({
    type: z.literal("add_dependency"),
    task: z.number().int().positive(),
    dependsOn: z.number().int().positive(),
    reason: said,
  }),
  z.object({ type: z.literal("suggest_design_update"), suggestion: said, reason: said }),
]);
export type SteeringWish = ReadonlyDeep<z.infer<typeof steeringWish>>;

/** The seed's `ObservationResult`, with what the model would like changed. */
export const observationResult = z.object({
  onTrack: z.boolean(),
  alignmentScore: z.number().int().min(0).max(100),
  drift: z.array(driftItem).max(20),
  quality: z.enum(qualities),
  issues: z.array(qualityIssue).max(20),
  discoveries: z.array(foundDiscovery).max(20),
  decisions: z.array(foundDecision).max(20),
  ambiguity: ambiguitySignal.nullable(),
  wishes: z.array(steeringWish).max(20),
  summary: said,
});
export type ObservationResult = ReadonlyDeep<z.infer<typeof observationResult>>;

/** `rules`: the model could not be asked, or its answer was none. */
export type ObservedBy = "model" | "rules";

export type Observation = ObservationResult & {
  readonly id: string;
  readonly taskId: TaskId;
  readonly attempt: number;
  readonly hasSucceeded: boolean;
  readonly by: ObservedBy;
  /** The output held text of strangers: nothing that follows from it may raise a permission. */
  readonly isTainted: boolean;
  readonly atMs: number;
};

/** What of an observation later ones look back at. */
export type ObservationSummary = Pick<
  Observation,
  "id" | "taskId" | "attempt" | "hasSucceeded" | "onTrack" | "alignmentScore" | "quality" | "summary" | "atMs"
> & { readonly driftTypes: readonly DriftItem["type"][] };

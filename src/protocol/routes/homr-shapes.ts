// What HOMЯ saw, did, asked and knows, as it is on the wire. Names are the seed's in snake_case; tasks are named by id, in what a model
// wrote by number.

import { z } from "zod";
import { injectionPriorities } from "../../domain/homr/context/context.ts";
import {
  ambiguityTypes,
  discoveryTypes,
  driftTypes,
  everyTask,
  qualities,
  severities,
} from "../../domain/homr/observe/observation.ts";
import { activityTypes } from "../../domain/homr/outcome-state.ts";
import { escalationStatuses, optionActions } from "../../domain/homr/questions/escalation.ts";
import { id, timestamp } from "../text.ts";
import { count, whole } from "./run-shapes.ts";

/** Numbers of tasks, or all of them. */
const namedTasks = z.array(z.union([whole, z.literal(everyTask)]));
const option = z.object({ id: z.string(), label: z.string(), description: z.string(), implications: z.string() });

export const observation = z.object({
  id,
  outcome_id: id,
  task_id: id,
  task_number: whole,
  attempt: whole.min(1),
  has_succeeded: z.boolean(),
  /** `rules`: no model could be asked, so the platform wrote it from what it knows itself. */
  observed_by: z.enum(["model", "rules"]),
  on_track: z.boolean(),
  alignment_score: whole.min(0).max(100),
  quality: z.enum(qualities),
  drift: z.array(
    z.object({
      type: z.enum(driftTypes),
      description: z.string(),
      severity: z.enum(severities),
      evidence: z.string(),
    }),
  ),
  issues: z.array(z.object({ description: z.string(), severity: z.enum(severities), evidence: z.string() })),
  discoveries: z.array(
    z.object({
      type: z.enum(discoveryTypes),
      content: z.string(),
      relevant_tasks: namedTasks,
      source: z.string(),
    }),
  ),
  decisions: z.array(z.object({ content: z.string(), context: z.string(), affected_areas: z.array(z.string()) })),
  ambiguity: z
    .object({
      type: z.enum(ambiguityTypes),
      description: z.string(),
      evidence: z.array(z.string()),
      affected_tasks: namedTasks,
      suggested_question: z.string(),
      options: z.array(option).optional(),
    })
    .nullable(),
  summary: z.string(),
  /** It comes from text of strangers. */
  is_tainted: z.boolean(),
  created_at: timestamp,
});

/** What made HOMЯ do it. */
const cause = z.object({
  kind: z.string(),
  drift: z.enum(driftTypes).optional(),
  observation_id: id.optional(),
  escalation_id: id.optional(),
  cycle: whole.optional(),
});

export const activity = z.object({
  seq: whole.min(1),
  type: z.enum(activityTypes),
  task_id: id.nullable(),
  task_number: whole.nullable(),
  cause,
  summary: z.string(),
  details: z.record(z.string(), z.unknown()),
  created_at: timestamp,
});

const kept = {
  id,
  content: z.string(),
  /** The task whose work it comes from; null: a person, or HOMЯ itself. */
  source_task_id: id.nullable(),
  is_tainted: z.boolean(),
  created_at: timestamp,
  /** Prompts that carried it; `receipts` lists them. */
  prompts: count,
};
/** Ids of tasks; null: every task. */
const audience = z.array(id).nullable();

export const homrContext = z.object({
  discoveries: z.array(
    z.object({
      ...kept,
      type: z.enum(discoveryTypes),
      relevant_tasks: audience,
      /** For a blocker: when it was resolved or expired. */
      resolved_at: timestamp.nullable(),
      /** The memory it was taken from; null: found in this outcome. */
      memory_id: id.nullable(),
    }),
  ),
  decisions: z.array(
    z.object({
      ...kept,
      made_by: z.enum(["human", "worker", "homr"]),
      context: z.string(),
      affected_areas: z.array(z.string()),
    }),
  ),
  constraints: z.array(
    z.object({ ...kept, type: z.enum(["technical", "business", "dependency", "resource"]), active: z.boolean() }),
  ),
  injections: z.array(
    z.object({
      ...kept,
      type: z.enum(["discovery", "warning", "constraint", "pattern", "decision"]),
      priority: z.enum(injectionPriorities),
      target_tasks: audience,
      reason: z.string(),
    }),
  ),
});

export const homrStats = z.object({
  tasks_observed: count,
  discoveries_extracted: count,
  escalations_created: count,
  steering_actions: count,
});

/** The prompt of an iteration of a run that carried an item of the context. */
export const receipt = z.object({
  run_id: id,
  iteration: whole.min(1),
  task_id: id.nullable(),
  task_number: whole.nullable(),
  at: timestamp,
});

/** What a prompt carried; an item may have been put together with others since. */
export const briefSummary = receipt.extend({ attempt: whole.min(1), items: z.array(id) });

/** What a prompt said of the outcome, word for word. */
export const brief = briefSummary.extend({ text: z.string() });

export const escalation = z.object({
  id,
  outcome_id: id,
  outcome_name: z.string(),
  status: z.enum(escalationStatuses),
  trigger: z.object({
    type: z.string(),
    task_id: id.nullable(),
    task_number: whole.nullable(),
    evidence: z.array(z.string()),
  }),
  question: z.object({
    text: z.string(),
    context: z.string(),
    /** `action`: what the platform does if it is chosen. */
    options: z.array(option.extend({ action: z.enum(optionActions) })),
  }),
  /** Whether `own_words` may be chosen instead of an option: the additional context is the answer then. */
  takes_own_words: z.boolean(),
  /** Tasks that it names; paused while it is open, if it pauses. */
  affected_tasks: z.array(id),
  affected_numbers: z.array(whole),
  /** No task of the outcome begins while it is open. */
  is_whole_outcome: z.boolean(),
  pauses: z.boolean(),
  /** Chosen by itself at the deadline. */
  default_option: z.string().nullable(),
  deadline: timestamp.nullable(),
  observation_id: id.nullable(),
  is_tainted: z.boolean(),
  /** A model's answer that waits for a yes or no. */
  proposed: z.object({ selected_option: z.string(), confidence: z.number(), reason: z.string() }).nullable(),
  answer: z
    .object({
      selected_option: z.string(),
      additional_context: z.string(),
      /** `deadline`: no answer came in time. */
      by: z.enum(["human", "homr", "deadline"]),
      answered_at: timestamp,
    })
    .nullable(),
  dismissed: z.object({ at: timestamp, why: z.string() }).nullable(),
  created_at: timestamp,
});

export const review = z.object({
  cycle: whole.min(1),
  is_clean: z.boolean(),
  summary: z.string(),
  findings: z.array(z.unknown()),
  /** The task that lists the findings. */
  task_id: id.nullable(),
  created_at: timestamp,
});

export const memoryTypes = ["fact", "pattern", "preference", "decision", "lesson", "context"] as const;
export const memoryImportances = ["low", "medium", "high", "critical"] as const;

/** Something learnt in one outcome that later ones are offered. */
export const memory = z.object({
  id,
  type: z.enum(memoryTypes),
  importance: z.enum(memoryImportances),
  content: z.string(),
  confidence: z.number().min(0).max(1),
  /** Where it was learnt; null once that is gone. */
  outcome_id: id.nullable(),
  outcome_name: z.string().nullable(),
  task_id: id.nullable(),
  task_number: whole.nullable(),
  /** Tasks whose prompts carried it and that have ended, and how many of them went well. */
  times_used: count,
  times_helped: count,
  is_tainted: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
});

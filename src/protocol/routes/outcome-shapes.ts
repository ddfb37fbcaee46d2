// What an outcome, its tasks and its design look like on the wire. Money is whole micro-dollars, except where a name says dollars.

import { z } from "zod";
import { intentItemStates, intentPriorities, outcomeStatuses } from "../../domain/homr/outcome.ts";
import { outcomeEvent as knownEvent } from "../../domain/homr/outcome-events.ts";
import { interventionTypes } from "../../domain/homr/outcome-state.ts";
import { gate, taskMakers, taskStatuses } from "../../domain/homr/tasks/task.ts";
import { configFields } from "../../domain/run/config.ts";
import { engines, runStatuses } from "../../domain/run/run.ts";
import { filledText, id, text, timestamp } from "../text.ts";
import { autoResolve, homrConfig } from "./homr-config-shapes.ts";
import { count, whole } from "./run-shapes.ts";

/** How many tasks there are in each status. */
const taskCounts = z.object({
  pending: count,
  running: count,
  paused: count,
  completed: count,
  failed: count,
  obsolete: count,
});

const intentItem = z.strictObject({
  /** Chosen by the caller; left out: `item_1`, `item_2`, … */
  id: filledText(40).optional(),
  title: filledText(300),
  description: text(4_000).default(""),
  acceptance_criteria: z.array(filledText(500)).max(20).default([]),
  priority: z.enum(intentPriorities).default("medium"),
  status: z.enum(intentItemStates).default("pending"),
});

/** What someone wants, as it is given. */
export const givenIntent = z.strictObject({
  summary: text(4_000).default(""),
  items: z.array(intentItem).max(50).default([]),
  success_criteria: z.array(filledText(500)).max(30).default([]),
});

const intent = z.object({
  summary: z.string(),
  items: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      description: z.string(),
      acceptance_criteria: z.array(z.string()),
      priority: z.enum(intentPriorities),
      status: z.enum(intentItemStates),
    }),
  ),
  success_criteria: z.array(z.string()),
});

const spent = z.object({
  cost_total_micro_usd: count,
  tokens_total: count,
  /** Calls of models without a known price; the cost is without them. */
  unpriced_calls: count,
});

/** An outcome as lists show it. */
export const outcomeSummary = z.object({
  id,
  name: z.string(),
  status: z.enum(outcomeStatuses),
  engine: z.enum(engines),
  project_id: id.nullable(),
  tasks: taskCounts,
  /** Questions that wait for their owner. */
  open_escalations: count,
  /** Runs on its tasks that have asked their owner something. */
  waiting_runs: count,
  /** A planner is writing intent, approach and tasks from the brief. */
  is_drafting: z.boolean(),
  /** What HOMЯ did last, in a sentence; null before it did anything. */
  latest: z.object({ summary: z.string(), at: timestamp }).nullable(),
  metrics: spent,
  created_at: timestamp,
  updated_at: timestamp,
});

export const outcome = outcomeSummary.extend({
  /** What was asked for, as it was said. */
  brief: z.string(),
  intent,
  /** The newest version of the design document; null before there is one. */
  approach: z.object({ version: whole.min(1), text: z.string() }).nullable(),
  work_folder: z.string().nullable(),
  models: configFields.models,
  permissions: configFields.permissions,
  time_zone: z.string(),
  /** Tasks that may be worked on at once. */
  workers: whole.min(1),
  /** Of each run on a task. */
  run_budgets: configFields.budgets,
  /** For the whole outcome; null: no limit. */
  max_cost_usd: z.number().nullable(),
  homr: homrConfig,
  auto_resolve: autoResolve,
  /** Reviews in a row that found nothing; two are needed to be achieved. */
  clean_reviews: count,
  /** The number of the last event of its stream. */
  last_seq: count,
  /** Raised by every edit. */
  version: whole.min(1),
});

const attempt = z.object({
  attempt: whole.min(1),
  run_id: id,
  state: z.enum(["running", "completed", "failed", "canceled"]),
  why: z.string(),
  /** What its run has cost so far; calls of models without a known price are not in it. */
  cost_micro_usd: count,
  unpriced_calls: count,
  started_at: timestamp,
  ended_at: timestamp.nullable(),
});

export const outcomeTask = z.object({
  id,
  outcome_id: id,
  /** #1, #2, …: what people call it. */
  number: whole.min(1),
  title: z.string(),
  description: z.string(),
  /** Lower comes first. */
  priority: whole,
  status: z.enum(taskStatuses),
  /** Ids of tasks that have to be completed, or obsolete, before it begins. */
  depends_on: z.array(id),
  /** What a person has to give before it begins; `given` null: still to come. */
  gates: z.array(gate.omit({ isAsked: true })),
  /** Open escalations that keep it paused. */
  paused_by: z.array(id),
  completion_criteria: z.array(
    z.object({ id: z.string(), kind: z.string(), about: z.string(), target: z.record(z.string(), z.unknown()) }),
  ),
  attempts: count,
  max_attempts: whole.min(1),
  /** The run of the attempt under way; `runs` of the task has those before. */
  run_id: id.nullable(),
  /** Of that run; `waiting_on_user`: it has asked its owner something. */
  run_status: z.enum(runStatuses).nullable(),
  made_by: z.enum(taskMakers),
  why: z.string().nullable(),
  /** Why its last attempt failed; null unless it did. */
  failure: z.string().nullable(),
  /** The task whose work it puts right, and the one it is a part of. */
  corrects: id.nullable(),
  split_of: id.nullable(),
  checkpoint: z.object({ summary: z.string(), remaining: z.array(z.string()) }).nullable(),
  version: whole.min(1),
  created_at: timestamp,
  updated_at: timestamp,
  ended_at: timestamp.nullable(),
});

/** With its attempts, oldest first. */
export const outcomeTaskDetail = outcomeTask.extend({ runs: z.array(attempt) });

export const design = z.object({
  version: whole.min(1),
  text: z.string(),
  why: z.string(),
  made_by: z.enum(["user", "planner", "homr"]),
  created_at: timestamp,
});

/** What a person said to the workers of an outcome. */
export const intervention = z.object({
  id,
  type: z.enum(interventionTypes),
  task_id: id.nullable(),
  message: z.string(),
  status: z.enum(["pending", "acknowledged", "completed", "dismissed"]),
  created_at: timestamp,
  updated_at: timestamp,
});

/** Of a kind that this version does not know: a newer server's. */
const unknownEvent = z.looseObject({ type: z.string() });

/** `event` has the fields of its type. */
export const outcomeEvent = z.object({
  outcome_id: id,
  seq: whole.min(1),
  event: z.union([knownEvent, unknownEvent]),
  at: timestamp,
});

// What a run, its iterations, its events and its notifications look like on the wire. Money is whole micro-dollars, except
// where a name says dollars.

import { z } from "zod";
import { feedTypes } from "../../domain/feed.ts";
import { priceSources } from "../../domain/run/budget/price.ts";
import { configFields } from "../../domain/run/config.ts";
import { runEvent as knownEvent } from "../../domain/run/events.ts";
import { iterationStatuses } from "../../domain/run/iteration-result.ts";
import { question } from "../../domain/run/question.ts";
import { report as keptReport } from "../../domain/run/report/report-shape.ts";
import { engines, runStatuses } from "../../domain/run/run.ts";
import { stopReasons } from "../../domain/run/stop-reason.ts";
import { foreignTexts, id, timestamp } from "../text.ts";

export const whole = z.number().int();
export const count = whole.min(0);

const artifact = z.object({ kind: z.string(), id: z.string() });

/** One field of one thing. Text as it is, everything else as JSON; null where there is nothing. */
export const changedField = z.object({
  name: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Only the beginning is here: ask for the one change to see all of it. */
  is_cut: z.boolean(),
});

const proof = z.object({ is_green: z.boolean(), seen: z.string(), artifacts: z.array(artifact), iteration: count });

const runCheck = z.object({
  id: z.string(),
  deliverable_id: z.string().nullable(),
  kind: z.string(),
  /** In words, with who asked for it and for which deliverable. */
  about: z.string(),
  /** In words, without those. */
  words: z.string(),
  target: z.record(z.string(), z.unknown()),
  given_by: z.enum(["user", "planner", "platform"]),
  /** What the platform saw when it last looked; null before that. */
  proof: proof.nullable(),
});

export const planStep = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(["pending", "in_progress", "done", "failed", "dropped"]),
  is_optional: z.boolean(),
  owner: z.string().nullable(),
  last_iteration: count,
  evidence: z.array(artifact),
});

const metrics = z.object({
  running_ms: count,
  tokens_total: count,
  cost_total_micro_usd: count,
  tool_calls_total: count,
  /** Calls of models without a known price; the cost is without them. */
  unpriced_calls: count,
});

/** `unpriced` calls have no known price; they are in no sum. */
export const modelUse = z.object({
  role: z.string(),
  model: z.string(),
  priced_by: z.enum(priceSources),
  calls: count,
  input_tokens: count,
  /** Part of `input_tokens`: read from the provider's cache. */
  cached_tokens: count,
  output_tokens: count,
  cost_micro_usd: count,
});

/** A call of a model that is not answered: since when, which try of at most how many, and what they can have cost. */
const modelSilence = z.object({
  /** The entry that its answer will be. */
  entry: z.string(),
  model: z.string(),
  since: timestamp,
  tries: count,
  tries_most: count,
  at_stake_micro_usd: count.nullable(),
});

/** A run as lists show it. */
export const runSummary = z.object({
  id,
  /** What its user calls it, else the first line of the objective. */
  title: z.string(),
  /** In lists, how it begins. */
  objective: z.string(),
  engine: z.enum(engines),
  status: z.enum(runStatuses),
  /** The one that is due or under way; in an end state, the last one. */
  iteration: whole.min(1),
  max_iterations: whole.min(1),
  /** From 1; null unless it waits for a slot. */
  place_in_line: whole.min(1).nullable(),
  /** A provider makes it wait until then. */
  hold: z.object({ until: timestamp, why: z.string() }).nullable(),
  /** Calls of models that are under way and of which nothing is heard, the longest first. */
  silences: z.array(modelSilence),
  stop_reason: z.object({ type: z.enum(stopReasons), detail: z.string() }).nullable(),
  /** How its last iteration summed itself up; null before one has ended. In lists, how that begins. */
  progress: z.string().nullable(),
  /** What it waits to be told, the first of it; null unless it waits. */
  question: z.string().nullable(),
  /** When the platform last looked. */
  checks: z.object({ green: count, of: count }),
  /** By kind, without working notes; empty before the run has a report. */
  made: z.array(z.object({ type: z.string(), created: count, updated: count })),
  /** All that the run wrote was taken back. */
  is_undone: z.boolean(),
  /** It has ended and was put away: lists leave it out. */
  is_archived: z.boolean(),
  metrics,
  created_at: timestamp,
  started_at: timestamp.nullable(),
  updated_at: timestamp,
  completed_at: timestamp.nullable(),
});

export const listedRun = runSummary.extend({
  /** Why it failed; null unless it did. */
  failure: z.string().nullable(),
  /** There is something about it that one has not looked at yet. */
  is_unread: z.boolean(),
});

export const report = keptReport.extend({
  metrics: keptReport.shape.metrics.extend({ total_cost_usd: z.number().min(0) }),
});

/** The iteration in flight, or the last one: what a live view folds on from (src/protocol/run-view.ts). */
const activity = z.object({
  /** Whose entries these are; null before the first began. */
  iteration: whole.min(1).nullable(),
  attempt: whole.min(1),
  /** When the attempt in flight began, later by what it has lost with models; null between two of them. */
  since: timestamp.nullable(),
  /** Its running time; null while it counts, and between two of them. */
  active_ms: count.nullable(),
  /** The last ones, without the platform's own notes. `lane`: who did it, as an entry of an iteration has it. */
  entries: z.array(z.object({ key: z.string(), summary: z.string(), lane: z.string(), is_failed: z.boolean() })),
  /** Also those that are not in the list. */
  entry_count: count,
});

/** A prompt that was sent: in which iteration, whose (`planner`, `exec:1`) and when. */
const promptPlace = z.object({ iteration: whole.min(1), lane: z.string(), at: timestamp });

/** What a person said to a run: a message, or the answer to a question of the run's. */
const runMessage = z.object({
  id,
  kind: z.enum(["steer", "answer"]),
  text: z.string(),
  at: timestamp,
  /** The iteration that took it up; null: the next one will. */
  taken_up_in: whole.min(1).nullable(),
  /** The model calls whose prompts contained it, without those that failed; null before the first. */
  prompts: z.object({ calls: whole.min(1), first: promptPlace, last: promptPlace }).nullable(),
});

/** Something that would stop the run if it went on like this. */
const runWarning = z.object({
  kind: z.enum(["no_progress", "repetition", "same_error", "claim_rejected", "tool_missing", "budget"]),
  /** In a sentence, for people. */
  text: z.string(),
  count,
  limit: count,
});

export const run = runSummary.extend({
  /** What others wrote and the user handed over with the objective. */
  foreign_texts: foreignTexts,
  ...configFields,
  /** Whether a judge reads every deliverable before the run is done. */
  judge: z.boolean(),
  /** IANA name: what "tomorrow" means to it. */
  time_zone: z.string(),
  questions: z.array(question),
  /** Why it failed; null unless it did. */
  failure: z.string().nullable(),
  plan: z.array(planStep),
  deliverables: z.array(z.object({ id: z.string(), title: z.string() })),
  completion_criteria: z.array(runCheck),
  /** Why the last decision was to go on; null before the first. */
  guidance: z.object({ next: z.string(), why: z.string() }).nullable(),
  unread_messages: count,
  /** The last ones, oldest first. */
  messages: z.array(runMessage),
  warnings: z.array(runWarning),
  activity,
  forked_from: z.object({ run_id: id, iteration: whole.min(1) }).nullable(),
  /** The run that had ended and that this one follows up. */
  follows_run_id: id.nullable(),
  /** What one more iteration of the usual size would use; null before there was one. */
  forecast: metrics.nullable(),
  last_seq: count,
  report: report.nullable(),
});

/** A run as another one names it. */
export const relatedRun = runSummary.pick({ id: true, title: true, status: true });

/** A task of an outcome, as the pages of its runs name it. */
export const taskPlace = z.object({
  outcome_id: id,
  outcome_name: z.string(),
  task_id: id,
  number: whole.min(1),
  title: z.string(),
});

export const iteration = z.object({
  iteration: whole.min(1),
  attempts: whole.min(1),
  status: z.enum(iterationStatuses),
  started_at: timestamp,
  ended_at: timestamp.nullable(),
  summary: z.string(),
  decision: z.string().nullable(),
  why: z.string().nullable(),
  error: z.string().nullable(),
  metrics: metrics.nullable(),
  /** `op` is null in iterations of older versions. */
  artifacts: z.array(artifact.extend({ op: z.enum(["created", "updated"]).nullable() })),
});

/** Of a kind that this version does not know: a newer server's. */
const unknownEvent = z.looseObject({ type: z.string() });

/** One line of a run's history. `event` has the fields of its type. */
export const runEvent = z.object({
  run_id: id,
  seq: whole.min(1),
  type: z.string(),
  iteration: whole.min(1).nullable(),
  event: z.union([knownEvent, unknownEvent]),
  at: timestamp,
});

/** What one user's lists and bell have to know. Numbers go on without a gap; old ones are forgotten after a week. */
export const feedEvent = z.object({
  seq: whole.min(1),
  type: z.enum(feedTypes),
  data: z.record(z.string(), z.unknown()),
});

// Runs: handing an objective over, following it, and what a person may do to it. Money is whole micro-dollars.

import { z } from "zod";
import { iterationStatuses } from "../../domain/run/effects.ts";
import { runLimits } from "../../domain/run/limits.ts";
import { engines, stopReasons, writeModes } from "../../domain/run/run.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { defineRoute } from "../route.ts";
import { id, text, timestamp } from "../text.ts";

export const runStatuses = [
  "queued",
  "running",
  "waiting_on_user",
  "completed",
  "stopped",
  "failed",
  "canceled",
] as const;

const whole = z.number().int();
const count = whole.min(0);
const flag = z
  .enum(["true", "false"])
  .default("false")
  .transform((value) => value === "true");
const sinceSeq = z.coerce.number<number | string>().int().min(0);

/** What a run may use. Left out is the default; null is no limit. */
const budgetFields = {
  max_iterations: whole.min(1).max(runLimits.iterations),
  /** Time in iterations; waiting never counts. */
  max_wall_clock_ms: whole.min(1_000).max(runLimits.runningMs),
  max_cost_usd: z.number().positive().max(runLimits.costUsd).nullable(),
  max_total_tokens: whole.min(1).max(runLimits.tokens).nullable(),
  max_tool_calls: whole.min(1).max(runLimits.toolCalls).nullable(),
  /** Also refuse the call that could cross `max_cost_usd`. */
  hard: z.boolean(),
};
const givenBudgets = z.strictObject(budgetFields).partial();
const budgets = z.object(budgetFields);

const artifact = z.object({ kind: z.string(), id: z.string() });

export const question = z.object({
  id: z.string(),
  kind: z.enum(["question", "approve_plan", "approve_writes"]),
  text: z.string(),
  options: z.array(z.string()),
});

const proof = z.object({ is_green: z.boolean(), seen: z.string(), artifacts: z.array(artifact), iteration: count });

const runCheck = z.object({
  id: z.string(),
  deliverable_id: z.string().nullable(),
  kind: z.string(),
  target: z.record(z.string(), z.unknown()),
  given_by: z.enum(["user", "planner", "platform"]),
  /** What the platform saw when it last looked; null before that. */
  proof: proof.nullable(),
});

const planStep = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(["pending", "in_progress", "done", "failed", "dropped"]),
  is_optional: z.boolean(),
  owner: z.string().nullable(),
  last_iteration: count,
  evidence: z.array(artifact),
});

export const metrics = z.object({
  running_ms: count,
  tokens_total: count,
  cost_total_micro_usd: count,
  tool_calls_total: count,
});

/** A run as lists show it. */
export const runSummary = z.object({
  id,
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
  stop_reason: z.object({ type: z.enum(stopReasons), detail: z.string() }).nullable(),
  metrics,
  created_at: timestamp,
  started_at: timestamp.nullable(),
  updated_at: timestamp,
  completed_at: timestamp.nullable(),
});

export const report = z.object({
  title: z.string(),
  objective: z.string(),
  status: z.enum(runStatuses),
  summary: z.string(),
  what_changed: z.object({
    created: z.array(z.object({ type: z.string(), id: z.string(), title: z.string() })),
    updated: z.array(z.object({ type: z.string(), id: z.string(), title: z.string() })),
    linked: z.array(z.object({ from_id: z.string(), to_id: z.string(), relationship: z.string() })),
  }),
  artifacts: z.object({
    plans: z.array(z.object({ id: z.string(), status: z.string() })),
    documents: z.array(z.object({ id: z.string(), title: z.string() })),
  }),
  checks: z.array(z.object({ check: z.string(), is_green: z.boolean(), seen: z.string() })),
  metrics: z.object({
    iterations: count,
    duration_ms: count,
    total_tokens: count,
    total_cost_micro_usd: count,
    total_cost_usd: z.number().min(0),
    tool_calls: count,
  }),
  stopping_reason: z.object({ type: z.string(), detail: z.string() }),
});

export const run = runSummary.extend({
  scope: z.enum(["global", "project", "multi_project"]),
  project_ids: z.array(id),
  context_type: z.string(),
  entity_id: id.nullable(),
  budgets,
  permissions: z.object({ write_mode: z.enum(writeModes), allowed_tools: z.array(z.string()).nullable() }),
  questions: z.array(question),
  /** Why it failed; null unless it did. */
  failure: z.string().nullable(),
  plan: z.array(planStep),
  deliverables: z.array(z.object({ id: z.string(), title: z.string() })),
  completion_criteria: z.array(runCheck),
  /** Why the last decision was to go on; null before the first. */
  guidance: z.object({ next: z.string(), why: z.string() }).nullable(),
  unread_messages: count,
  forked_from: z.object({ run_id: id, iteration: whole.min(1) }).nullable(),
  /** What one more iteration of the usual size would use; null before there was one. */
  forecast: metrics.nullable(),
  last_seq: count,
  report: report.nullable(),
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
  artifacts: z.array(artifact),
});

/** One line of a run's history. `event` has the fields of its type. */
export const runEvent = z.object({
  seq: whole.min(1),
  type: z.string(),
  iteration: whole.min(1).nullable(),
  event: z.record(z.string(), z.unknown()),
  at: timestamp,
});

export const notification = z.object({
  id,
  run_id: id.nullable(),
  event: z.string(),
  title: z.string(),
  message: z.string(),
  action_url: z.string(),
  data: z.record(z.string(), z.unknown()),
  created_at: timestamp,
  read_at: timestamp.nullable(),
});

/** What one user's lists and bell have to know. */
export const feedEvent = z.object({
  seq: whole.min(1),
  type: z.enum(["run_changed", "notification_created", "notification_read"]),
  data: z.record(z.string(), z.unknown()),
});

/** Acceptance criteria the user gives; what each kind needs is checked by the platform. */
const shortText = text(4_000).refine((value) => value.trim() !== "", "must not be empty");
const givenCheck = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("entity_exists"), entity: shortText, title_like: shortText }),
  z.strictObject({ kind: z.literal("entity_count"), entity: shortText, at_least: whole.min(1).max(10_000) }),
  z.strictObject({ kind: z.literal("entity_state"), entity_id: id, state: shortText }),
  z.strictObject({
    kind: z.literal("document_has"),
    document_id: id.nullable().default(null),
    headings: z.array(shortText).max(50).default([]),
    words_at_least: count.max(1_000_000).default(0),
    sources_at_least: count.max(1_000).default(0),
  }),
  z.strictObject({ kind: z.literal("link_exists"), rel: shortText, src_id: id, dst_id: id }),
  z.strictObject({ kind: z.literal("file_exists"), path: shortText }),
  z.strictObject({
    kind: z.literal("command_succeeds"),
    program: shortText,
    args: z.array(text(4_000)).max(50).default([]),
  }),
  z.strictObject({ kind: z.literal("http_ok"), url: z.url({ protocol: /^https?$/ }).max(2_000) }),
  z.strictObject({ kind: z.literal("judge"), rubric: shortText }),
]);

const createBody = z
  .strictObject({
    objective: text(runLimits.objective).refine((value) => value.trim() !== "", "must not be empty"),
    engine: z.enum(engines).default("planner"),
    /** Left out: the project of the entity, else everything the user may see. */
    scope: z.enum(["global", "project", "multi_project"]).optional(),
    project_ids: z.array(id).max(runLimits.projects).default([]),
    context_type: z.enum(["global", "project", "task", "goal", "plan", "milestone", "document"]).optional(),
    entity_id: id.optional(),
    budgets: givenBudgets.default({}),
    permissions: z
      .strictObject({
        write_mode: z.enum(writeModes).default("autopilot"),
        allowed_tools: z.array(text(200)).max(runLimits.allowedTools).optional(),
      })
      .default({ write_mode: "autopilot" }),
    completion_criteria: z.array(givenCheck).max(runLimits.checks).default([]),
  })
  .refine(({ scope, project_ids: ids }) => scope !== "project" || ids.length === 1, {
    path: ["project_ids"],
    error: "scope project needs exactly one project",
  })
  .refine(({ scope, project_ids: ids }) => scope !== "multi_project" || ids.length > 0, {
    path: ["project_ids"],
    error: "scope multi_project needs at least one project",
  })
  .refine(({ scope, project_ids: ids }) => scope !== "global" || ids.length === 0, {
    path: ["project_ids"],
    error: "scope global takes no projects",
  });

const runParams = z.object({ runId: id });
const tag = "homework";
const base = "/api/homework/runs";
const one = `${base}/{runId}`;
const read = { kind: "user", scope: "read" } as const;
const act = { kind: "user", scope: "run" } as const;

export const runRoutes = {
  create: defineRoute({
    method: "post",
    path: base,
    policy: act,
    tag,
    summary: "Hand over an objective; beyond the limit of runs at once it waits in line",
    body: createBody,
    status: 201,
    result: z.object({
      run_id: id,
      status: z.enum(runStatuses),
      place_in_line: whole.min(1).nullable(),
      /** The page of the run. */
      url: z.string(),
    }),
    creates: true,
  }),
  list: defineRoute({
    method: "get",
    path: base,
    policy: read,
    tag,
    summary: "One's runs, newest first",
    query: z.strictObject({ ...pageQuery, status: z.enum(runStatuses).optional() }),
    status: 200,
    result: pageOf(runSummary),
  }),
  get: defineRoute({
    method: "get",
    path: one,
    policy: read,
    tag,
    summary: "One run; iterations, events and workspace if asked for, a page of each",
    params: runParams,
    query: z.strictObject({
      include_iterations: flag,
      include_events: flag,
      include_workspace: flag,
      /** Of the iterations, newest first. */
      iterations_cursor: z.string().max(800).optional(),
      /** Events after this one, oldest first. */
      events_since_seq: sinceSeq.default(0),
      limit: pageQuery.limit,
    }),
    status: 200,
    result: z.object({
      run,
      iterations: pageOf(iteration).nullable(),
      events: z.object({ items: z.array(runEvent), next_since_seq: count.nullable() }).nullable(),
      workspace: z
        .object({
          root_document_id: id.nullable(),
          project_id: id.nullable(),
          documents: z.array(
            z.object({ id, project_id: id, title: z.string(), type_key: z.string(), parent_id: id.nullable() }),
          ),
        })
        .nullable(),
    }),
  }),
  cancel: defineRoute({
    method: "post",
    path: `${one}/cancel`,
    policy: act,
    tag,
    summary: "End a run for good; 409 says how it ended if it was quicker",
    params: runParams,
    status: 200,
    result: run,
  }),
  pause: defineRoute({
    method: "post",
    path: `${one}/pause`,
    policy: act,
    tag,
    summary: "Stop a run; resuming goes on where it was",
    params: runParams,
    status: 200,
    result: run,
  }),
  resume: defineRoute({
    method: "post",
    path: `${one}/resume`,
    policy: act,
    tag,
    summary: "Go on with a stopped run, with larger budgets if it used them up",
    params: runParams,
    body: z.strictObject({ budgets: givenBudgets.default({}) }),
    status: 200,
    result: run,
  }),
  respond: defineRoute({
    method: "post",
    path: `${one}/respond`,
    policy: act,
    tag,
    summary: "Answer all the questions a run waits on; a second answer is 409",
    params: runParams,
    body: z.strictObject({
      answers: z
        .array(z.strictObject({ question_id: text(200), text: text(runLimits.message) }))
        .min(1)
        .max(runLimits.answers),
    }),
    status: 200,
    result: run,
  }),
  steer: defineRoute({
    method: "post",
    path: `${one}/steer`,
    policy: act,
    tag,
    summary: "A message that the next iteration has to take up",
    params: runParams,
    body: z.strictObject({
      message: text(runLimits.message).refine((value) => value.trim() !== "", "must not be empty"),
    }),
    status: 200,
    result: run,
  }),
  fork: defineRoute({
    method: "post",
    path: `${one}/fork`,
    policy: act,
    tag,
    summary: "A new run that goes on from an iteration of this one",
    params: runParams,
    body: z.strictObject({
      /** Left out: the last one that ended. */
      iteration: whole.min(1).optional(),
      objective: text(runLimits.objective)
        .refine((value) => value.trim() !== "", "must not be empty")
        .optional(),
      budgets: givenBudgets.default({}),
    }),
    status: 201,
    result: run,
    creates: true,
  }),
  stream: defineRoute({
    method: "get",
    path: `${one}/stream`,
    policy: read,
    tag,
    summary: "A run's events as server-sent events: replay after `since_seq` or `Last-Event-ID`, then live",
    params: runParams,
    query: z.strictObject({ since_seq: sinceSeq.optional() }),
    status: 200,
    result: runEvent,
    streams: true,
  }),
  feed: defineRoute({
    method: "get",
    path: "/api/homework/stream",
    policy: read,
    tag,
    summary: "What one's lists and bell have to know, as server-sent events",
    query: z.strictObject({ since_seq: sinceSeq.optional() }),
    status: 200,
    result: feedEvent,
    streams: true,
  }),
  listNotifications: defineRoute({
    method: "get",
    path: "/api/notifications",
    policy: read,
    tag: "notifications",
    summary: "What one was told, newest first",
    query: z.strictObject({ ...pageQuery, unread: flag }),
    status: 200,
    result: z.object({ items: z.array(notification), next_cursor: z.string().nullable(), unread_count: count }),
  }),
  readNotification: defineRoute({
    method: "post",
    path: "/api/notifications/{notificationId}/read",
    policy: act,
    tag: "notifications",
    summary: "Mark a notification as read",
    params: z.object({ notificationId: id }),
    status: 200,
    result: notification,
  }),
  readAllNotifications: defineRoute({
    method: "post",
    path: "/api/notifications/read-all",
    policy: act,
    tag: "notifications",
    summary: "Mark all notifications as read",
    status: 200,
    result: z.object({ read: count }),
  }),
} as const;

// Outcomes: what someone wants, made by hand or drafted from a brief, and what its owner does to it as a whole.

import { z } from "zod";
import { outcomeStatuses, workersMax } from "../../domain/homr/outcome.ts";
import { interventionTypes } from "../../domain/homr/outcome-state.ts";
import { runLimits } from "../../domain/run/limits.ts";
import { engines, writeModes } from "../../domain/run/run.ts";
import { pageOf, pageQuery, sinceQuery } from "../paging.ts";
import { act, read, routesTagged } from "../route.ts";
import { filledText, id, text } from "../text.ts";
import { givenAutoResolve, givenHomrConfig } from "./homr-config-shapes.ts";
import { design, givenIntent, intervention, outcome, outcomeEvent, outcomeSummary } from "./outcome-shapes.ts";
import { givenTask, givenVersion } from "./outcome-tasks.ts";
import { whole } from "./run-shapes.ts";
import { givenBudgets, givenModels, timeZone } from "./runs.ts";

/** Tasks that one request can bring. */
const tasksMax = 50;
const approachMax = 100_000;

const name = filledText(300);
const brief = filledText(runLimits.objective);
const approach = filledText(approachMax);
const workers = whole.min(1).max(workersMax);
const permissions = z.strictObject({
  write_mode: z.enum(writeModes).default("autopilot"),
  allowed_tools: z.array(text(200)).max(runLimits.allowedTools).optional(),
});
const maxCost = z.number().min(0.000_001).max(runLimits.costUsd).nullable();

const createBody = z
  .strictObject({
    /** Left out: the beginning of the brief. */
    name: name.optional(),
    /** In one's own words. Without tasks, a planner drafts intent, approach and tasks from it. */
    brief: brief.optional(),
    intent: givenIntent.optional(),
    approach: approach.optional(),
    tasks: z.array(givenTask).max(tasksMax).default([]),
    project_id: id.optional(),
    engine: z.enum(engines).default("planner"),
    work_folder: filledText(4_000).optional(),
    models: givenModels.optional(),
    permissions: permissions.default({ write_mode: "autopilot" }),
    time_zone: timeZone.optional(),
    workers: workers.default(1),
    run_budgets: givenBudgets.default({}),
    max_cost_usd: maxCost.default(null),
    homr: givenHomrConfig.default({}),
    auto_resolve: givenAutoResolve.default({}),
    /** True: the work begins at once, of a draft as soon as it is written. */
    start: z.boolean().default(false),
  })
  .refine(({ brief: asked, tasks }) => asked !== undefined || tasks.length > 0, {
    path: ["brief"],
    error: "say what you want (brief), or give the tasks",
  })
  .refine(({ name: given, brief: asked }) => given !== undefined || asked !== undefined, {
    path: ["name"],
    error: "an outcome without a brief needs a name",
  });

const params = z.object({ outcomeId: id });
const base = "/api/outcomes";
const one = `${base}/{outcomeId}`;
const route = routesTagged("outcomes");

export const outcomeRoutes = {
  create: route(`POST ${base}`, {
    policy: act,
    summary: "Make an outcome, with tasks or from a brief that a planner drafts intent, approach and tasks from",
    body: createBody,
    result: outcome,
    creates: true,
  }),
  list: route(`GET ${base}`, {
    policy: read,
    summary: "One's outcomes, last changed first",
    query: z.strictObject({
      ...pageQuery,
      status: z.enum(outcomeStatuses).optional(),
      project_id: id.optional(),
      /** A part of the name; capitals do not matter. */
      q: filledText(400).optional(),
    }),
    result: pageOf(outcomeSummary),
  }),
  get: route(`GET ${one}`, { policy: read, summary: "One outcome", params, result: outcome }),
  update: route(`PATCH ${one}`, {
    policy: act,
    summary:
      "Edit an outcome; `version` must be the one last read. A new approach becomes a new version of the design. Runs under way keep what they were begun with; engine and work folder are fixed once it is made",
    params,
    body: z.strictObject({
      version: givenVersion,
      name: name.optional(),
      brief: brief.optional(),
      intent: givenIntent.optional(),
      approach: approach.optional(),
      project_id: id.nullable().optional(),
      models: givenModels.nullable().optional(),
      /** As a whole: what is left out of it is as for a new outcome. */
      permissions: permissions.optional(),
      time_zone: timeZone.optional(),
      workers: workers.optional(),
      run_budgets: givenBudgets.optional(),
      max_cost_usd: maxCost.optional(),
    }),
    result: outcome,
  }),
  start: route(`POST ${one}/start`, {
    policy: act,
    summary: "Begin the work on an outcome that has not been started, or was achieved or archived",
    params,
    result: outcome,
  }),
  pause: route(`POST ${one}/pause`, {
    policy: act,
    summary: "Pause an outcome: its runs pause and no task begins",
    params,
    result: outcome,
  }),
  resume: route(`POST ${one}/resume`, {
    policy: act,
    summary: "Go on with a paused outcome",
    params,
    result: outcome,
  }),
  archive: route(`POST ${one}/archive`, {
    policy: act,
    summary: "End an outcome and keep it; its runs are canceled",
    params,
    result: outcome,
  }),
  remove: route(`DELETE ${one}`, {
    policy: act,
    summary: "Delete an outcome; its runs are canceled and stay, with what they wrote",
    params,
    result: z.object({ id, deleted: z.literal(true) }),
  }),
  listDesigns: route(`GET ${one}/designs`, {
    policy: read,
    summary: "The approach in all its versions, newest first",
    params,
    query: z.strictObject(pageQuery),
    result: pageOf(design),
  }),
  addDesign: route(`POST ${one}/designs`, {
    policy: act,
    summary: "Write a new version of the approach; `version` must be that of the outcome when it was last read",
    params,
    body: z.strictObject({ version: givenVersion, text: approach }),
    result: design,
    creates: true,
  }),
  listInterventions: route(`GET ${one}/interventions`, {
    policy: read,
    summary: "What one said to the workers, newest first",
    params,
    query: z.strictObject(pageQuery),
    result: pageOf(intervention),
  }),
  intervene: route(`POST ${one}/interventions`, {
    policy: act,
    summary:
      "Say something to the workers: the next prompt of each task it is for carries it. `add_task` makes a task, `pause` pauses, `priority_change` takes a task",
    params,
    body: z
      .strictObject({
        type: z.enum(interventionTypes).default("redirect"),
        /** The one task it is for; left out: all of them. */
        task_id: id.optional(),
        message: filledText(runLimits.message),
        /** For `priority_change`: lower comes first. */
        priority: whole.min(1).max(1_000).optional(),
      })
      .refine(
        ({ type, task_id: task, priority }) =>
          type !== "priority_change" || (task !== undefined && priority !== undefined),
        {
          path: ["priority"],
          error: "a change of priority needs task_id and priority",
        },
      ),
    result: intervention,
    creates: true,
  }),
  takeBack: route(`DELETE ${one}/interventions/{interventionId}`, {
    policy: act,
    summary: "Take back what one said: prompts no longer carry it. What was carried out at once stays done (409)",
    params: z.object({ outcomeId: id, interventionId: id }),
    result: intervention,
  }),
  stream: route(`GET ${one}/stream`, {
    policy: read,
    summary:
      "An outcome's events as server-sent events (`outcome_event`): replay after `since_seq` or `Last-Event-ID`, then live; without either, what happens from now on",
    params,
    query: sinceQuery,
    result: outcomeEvent,
    streams: true,
  }),
} as const;

// Runs: handing an objective over, following it, and what a person may do to it.

import { z } from "zod";
import { budgetFields, modelFields } from "../../domain/run/config.ts";
import { runLimits } from "../../domain/run/limits.ts";
import { engines, runStatuses, writeModes } from "../../domain/run/run.ts";
import { isTimeZone } from "../../domain/time-zone.ts";
import { flag, numberIn, pageOf, pageQuery, sinceQuery } from "../paging.ts";
import { act, read, routesTagged } from "../route.ts";
import { differIn, filledText, givenForeignTexts, id, text, timestamp } from "../text.ts";
import {
  count,
  feedEvent,
  iteration,
  listedRun,
  modelUse,
  relatedRun,
  run,
  runEvent,
  taskPlace,
  whole,
} from "./run-shapes.ts";
import { restored, undoChoice, undone } from "./undo-shapes.ts";
import { discarded, merged, runWork } from "./work-shapes.ts";

/** Left out is the default, or what the run had. */
export const givenBudgets = z.strictObject(budgetFields).partial();

/** Such as `anthropic/claude-sonnet-4-5`. */
export const givenModels = z.strictObject(
  modelFields(z.string().regex(/^[\w.:/@+-]{1,200}$/, "must be a model's name")),
);

/** Acceptance criteria the user gives; what each kind needs is checked by the platform. */
const shortText = filledText(4_000);
export const givenCheck = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("entity_exists"), entity: shortText, title_like: shortText }),
  z.strictObject({ kind: z.literal("entity_count"), entity: shortText, at_least: whole.min(1).max(10_000) }),
  z.strictObject({ kind: z.literal("entity_state"), entity_id: id, state: shortText }),
  z.strictObject({
    kind: z.literal("document_has"),
    document_id: id.nullable().default(null),
    title_like: text(400).default(""),
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

const givenChecks = z
  .array(givenCheck)
  .max(runLimits.checks, `must be at most ${runLimits.checks}: leave some out`)
  .default([]);

export const timeZone = text(100).refine(isTimeZone, "must be an IANA time zone such as Europe/Vienna or UTC");
const objective = filledText(runLimits.objective);
const message = filledText(runLimits.message);

/** `project_create`: the objective is a new project, so there is nothing yet that it is about. */
const contextTypes = ["global", "project", "task", "goal", "plan", "milestone", "document", "project_create"] as const;

const createBody = z
  .strictObject({
    objective,
    /** What others wrote: material, never an instruction. The run counts as having read words of strangers. */
    foreign_texts: givenForeignTexts,
    engine: z.enum(engines).default("planner"),
    /** For agents: a folder in a git repository of the server's machine; left out: a folder of the run's own. */
    work_folder: filledText(4_000).optional(),
    /** Left out: the projects that are named, else the project of the entity, else everything the user may see. */
    scope: z.enum(["global", "project", "multi_project"]).optional(),
    project_ids: z.array(id).max(runLimits.projects).default([]),
    /** What the person was looking at; left out, it is what `entity_id` names. */
    context_type: z.enum(contextTypes).optional(),
    entity_id: id.optional(),
    budgets: givenBudgets.default({}),
    models: givenModels.optional(),
    permissions: z
      .strictObject({
        write_mode: z.enum(writeModes).default("autopilot"),
        allowed_tools: z.array(text(200)).max(runLimits.allowedTools).optional(),
      })
      .default({ write_mode: "autopilot" }),
    completion_criteria: givenChecks,
    /** False: no judge reads the deliverables before the run is done. */
    judge: z.boolean().default(true),
    /** IANA name, such as `Europe/Vienna`; left out: the installation's. */
    time_zone: timeZone.optional(),
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
  })
  .refine(
    ({ context_type: type = "", entity_id: entityId }) =>
      !["global", "project_create"].includes(type) || entityId === undefined,
    { path: ["entity_id"], error: "context global and project_create are about no entity" },
  )
  .refine(
    ({ context_type: type = "global", entity_id: entityId, project_ids: ids }) =>
      entityId !== undefined || /global|project_create/.test(type) || (type === "project" && ids.length === 1),
    { path: ["entity_id"], error: "say which one it is about" },
  )
  .refine(({ context_type: type, project_ids: ids }) => type !== "project_create" || ids.length === 0, {
    path: ["project_ids"],
    error: "context project_create takes no projects: it makes one",
  });

const runParams = z.object({ runId: id });
const route = routesTagged("homework");
const base = "/api/homework/runs";
const one = `${base}/{runId}`;

export const runRoutes = {
  create: route(`POST ${base}`, {
    policy: act,
    summary: "Hand over an objective; beyond the limit of runs at once it waits in line",
    body: createBody,
    result: z.object({
      run_id: id,
      status: z.enum(runStatuses),
      place_in_line: whole.min(1).nullable(),
      /** The page of the run. */
      url: z.string(),
    }),
    creates: true,
  }),
  list: route(`GET ${base}`, {
    policy: read,
    summary: "One's runs, newest first",
    query: z
      .strictObject({
        ...pageQuery,
        status: z.enum(runStatuses).optional(),
        /** Several statuses at once: those that wait for their user, are in line or at work, or have ended. */
        group: z.enum(["needs_you", "active", "finished"]).optional(),
        /** A part of the title or the objective; capitals do not matter. Archived runs are found, too. */
        q: filledText(400).optional(),
        archived: z.enum(["no", "only", "all"]).optional(),
        /** Only those that ended at this moment or later; at most the last 500. */
        ended_since: timestamp.optional(),
        ended_before: timestamp.optional(),
        /** Only those that were given this project, and the one that made it. */
        project_id: id.optional(),
      })
      .refine(
        ({ q, archived, ended_since, ended_before, project_id }) =>
          q === undefined || [archived, ended_since, ended_before, project_id].every((each) => each === undefined),
        { path: ["q"], error: "goes with status and group alone" },
      ),
    result: pageOf(listedRun),
  }),
  get: route(`GET ${one}`, {
    policy: read,
    summary: "One run; iterations, events and workspace if asked for, a page of each",
    params: runParams,
    query: z.strictObject({
      include_iterations: flag,
      include_events: flag,
      include_workspace: flag,
      /** Of the iterations, newest first. */
      iterations_cursor: z.string().max(800).optional(),
      /** Only those before this one, so that a page can be opened in the middle. */
      iterations_before: numberIn(1, 1e9).optional(),
      /** Events after this one, oldest first. */
      events_since_seq: numberIn(0).default(0),
      limit: pageQuery.limit,
    }),
    result: z.object({
      run,
      iterations: pageOf(iteration).nullable(),
      events: z.object({ items: z.array(runEvent), next_since_seq: count.nullable() }).nullable(),
      /** What each model was asked and cost, the dearest first. */
      usage: z.array(modelUse),
      /** The run that it follows up; null: none, or that one is gone. */
      follows: relatedRun.nullable(),
      /** Runs that follow it up, the oldest first; the last 20. */
      follow_ups: z.array(relatedRun),
      /** The task of an outcome that it works on; null: it stands by itself. */
      outcome_task: taskPlace.nullable(),
      workspace: z
        .object({
          root_document_id: id.nullable(),
          project_id: id.nullable(),
          documents: z.array(
            z.object({
              id,
              project_id: id,
              title: z.string(),
              type_key: z.string(),
              parent_id: id.nullable(),
              /** Such as `/homework/<run>/scratchpad.md`; null where it has none. */
              path: z.string().nullable(),
              tags: z.array(z.string()),
            }),
          ),
          /** Between these documents, and from them to other things. */
          edges: z.array(z.object({ id, src_id: id, rel: z.string(), dst_id: id })),
          /** Its last entries; null before the first. */
          scratchpad: z.object({ document_id: id, text: z.string() }).nullable(),
        })
        .nullable(),
    }),
  }),
  label: route(`PATCH ${one}`, {
    policy: act,
    summary: "Rename a run, or put one that has ended away; null is the title it had at first",
    params: runParams,
    body: z
      .strictObject({ title: filledText(runLimits.title).nullable().optional(), is_archived: z.boolean().optional() })
      .refine((body) => Object.keys(body).length > 0, "must change something"),
    result: run,
  }),
  cancel: route(`POST ${one}/cancel`, {
    policy: act,
    summary: "End a run for good; 409 says how it ended if it was quicker",
    params: runParams,
    result: run,
  }),
  pause: route(`POST ${one}/pause`, {
    policy: act,
    summary: "Stop a run; resuming goes on where it was",
    params: runParams,
    result: run,
  }),
  resume: route(`POST ${one}/resume`, {
    policy: act,
    summary: "Go on with a stopped run, with larger budgets if it used them up",
    params: runParams,
    body: z.strictObject({ budgets: givenBudgets.default({}) }),
    result: run,
  }),
  respond: route(`POST ${one}/respond`, {
    policy: act,
    summary:
      "Answer all the questions a run waits on; a second answer is 409. To `approve_writes`, `approve_plan` and `approve_checks` (a change of your criteria), only `approve`, `yes` and the like approve; `reject` and `no` turn down; anything else turns down and says what should be different",
    params: runParams,
    body: z.strictObject({
      answers: z
        .array(z.strictObject({ question_id: text(200), text: message }))
        .min(1)
        .max(runLimits.answers)
        .refine(differIn("question_id"), "must answer each question once"),
    }),
    result: run,
  }),
  steer: route(`POST ${one}/steer`, {
    policy: act,
    summary:
      "A message that the run reads before its next model call; of an agents' run that has ended, a follow-up on top of its branch",
    params: runParams,
    body: z.strictObject({ message }),
    result: run,
  }),
  fork: route(`POST ${one}/fork`, {
    policy: act,
    summary: "A new run that goes on from an iteration of this one",
    params: runParams,
    body: z.strictObject({
      /** Left out: the last one that ended. */
      iteration: whole.min(1).optional(),
      objective: objective.optional(),
      budgets: givenBudgets.default({}),
      /** Role by role; null: those of the installation. */
      models: givenModels.nullable().optional(),
    }),
    result: run,
    creates: true,
  }),
  continue: route(`POST ${one}/continue`, {
    policy: act,
    summary: "Follow up a run that has ended: a new run that knows what this one did; 409 while it is still going",
    params: runParams,
    body: z.strictObject({
      /** What is wanted now. */
      objective,
      /** Beside those that this run was given. */
      foreign_texts: givenForeignTexts,
      /** What is left out is as this run had it. */
      budgets: givenBudgets.default({}),
      permissions: z
        .strictObject({ write_mode: z.enum(writeModes), allowed_tools: z.array(text(200)).max(runLimits.allowedTools) })
        .partial()
        .default({}),
      /** Role by role; null: those of the installation. */
      models: givenModels.nullable().optional(),
      completion_criteria: givenChecks,
    }),
    result: run,
    creates: true,
  }),
  undo: route(`POST ${one}/undo`, {
    policy: act,
    summary:
      "Take back everything a run wrote and end it; 409 lists what others have worked on since, to be skipped or overwritten by name; with `dry_run` only say what it would come to",
    params: runParams,
    query: z.strictObject({ dry_run: flag }),
    body: undoChoice,
    result: undone,
  }),
  restore: route(`POST ${one}/restore`, {
    policy: act,
    summary: "Bring back what an undo of the run took back; what was changed since stays as it is now",
    params: runParams,
    result: restored,
  }),
  work: route(`GET ${one}/work`, {
    policy: read,
    summary: "What the agents of a run did to files: branch, commits, files, diff; null where no agent has worked",
    params: runParams,
    result: z.object({ work: runWork.nullable() }),
  }),
  merge: route(`POST ${one}/merge`, {
    policy: act,
    summary:
      "Merge the branch of an agent's run into what is checked out in its repository; conflicts and what is in the way are told, and nothing is done then",
    params: runParams,
    result: merged,
  }),
  discard: route(`POST ${one}/discard`, {
    policy: act,
    summary: "Remove the branch of an agent's run and its folder; the run's work is gone",
    params: runParams,
    result: discarded,
  }),
  stream: route(`GET ${one}/stream`, {
    policy: read,
    summary:
      "A run's events as server-sent events (`run_event`): replay after `since_seq` or `Last-Event-ID`, then live; without either, what happens from now on",
    params: runParams,
    query: sinceQuery,
    result: runEvent,
    streams: true,
  }),
  feed: route("GET /api/homework/stream", {
    policy: read,
    summary:
      "What one's lists and bell have to know, as server-sent events (`feed_event`); kept for a week; after a longer absence ask the lists",
    query: sinceQuery,
    result: feedEvent,
    streams: true,
  }),
} as const;

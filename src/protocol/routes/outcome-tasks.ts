// Tasks of an outcome: what its owner adds, edits and decides about them.

import { z } from "zod";
import { gate, taskStatuses } from "../../domain/homr/tasks/task.ts";
import { taskLimits } from "../../domain/homr/tasks/task-limits.ts";
import { runLimits } from "../../domain/run/limits.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { act, read, routesTagged } from "../route.ts";
import { filledText, id, text } from "../text.ts";
import { outcomeTask, outcomeTaskDetail } from "./outcome-shapes.ts";
import { whole } from "./run-shapes.ts";
import { givenCheck } from "./runs.ts";

const title = filledText(taskLimits.title);
const description = text(taskLimits.description);
const priority = whole.min(1).max(taskLimits.priority);
const maxAttempts = whole.min(1).max(taskLimits.attempts);
const gates = z
  .array(z.strictObject({ kind: gate.shape.kind, label: filledText(taskLimits.gateLabel) }))
  .max(taskLimits.gates);
const checks = z.array(givenCheck).max(runLimits.checks);

/** The one that was read; as large as the database counts. */
export const givenVersion = whole.min(1).max(2 ** 31 - 1);

/** A task of a new outcome. */
export const givenTask = z.strictObject({
  title,
  description: description.default(""),
  priority: priority.optional(),
  max_attempts: maxAttempts.optional(),
  /** Places of other tasks of the same list, from 1: they come first. */
  depends_on: z.array(whole.min(1)).max(50).default([]),
  gates: gates.default([]),
  completion_criteria: checks.default([]),
});

/** A task that is added to an outcome: it depends on tasks that are there. */
const addedTask = z.strictObject({ ...givenTask.shape, depends_on: z.array(id).max(50).default([]) });

const params = z.object({ outcomeId: id });
const taskParams = z.object({ outcomeId: id, taskId: id });
const base = "/api/outcomes/{outcomeId}/tasks";
const one = `${base}/{taskId}`;
const route = routesTagged("outcomes");

export const outcomeTaskRoutes = {
  list: route(`GET ${base}`, {
    policy: read,
    summary: "The tasks of an outcome, in the order of their numbers",
    params,
    query: z.strictObject({ ...pageQuery, status: z.enum(taskStatuses).optional() }),
    result: pageOf(outcomeTask),
  }),
  create: route(`POST ${base}`, {
    policy: act,
    summary: "Add a task",
    params,
    body: addedTask,
    result: outcomeTaskDetail,
    creates: true,
  }),
  get: route(`GET ${one}`, {
    policy: read,
    summary: "One task, with its attempts",
    params: taskParams,
    result: outcomeTaskDetail,
  }),
  update: route(`PATCH ${one}`, {
    policy: act,
    summary: "Edit a task; `version` must be the one last read. A run under way hears of it with its next iteration",
    params: taskParams,
    body: z.strictObject({
      version: givenVersion,
      title: title.optional(),
      description: description.optional(),
      priority: priority.optional(),
      max_attempts: maxAttempts.optional(),
      completion_criteria: checks.optional(),
    }),
    result: outcomeTaskDetail,
  }),
  retry: route(`POST ${one}/retry`, {
    policy: act,
    summary: "Try a failed task again, or start over one that a worker has",
    params: taskParams,
    result: outcomeTaskDetail,
  }),
  markObsolete: route(`POST ${one}/obsolete`, {
    policy: act,
    summary: "Say that a task is not needed: its run is canceled, and what depends on it goes on without it",
    params: taskParams,
    body: z.strictObject({ why: text(2_000).default("") }),
    result: outcomeTaskDetail,
  }),
  split: route(`POST ${one}/split`, {
    policy: act,
    summary: "Split a task into parts and a task that verifies them and depends on each",
    params: taskParams,
    body: z.strictObject({
      parts: z
        .array(z.strictObject({ title, description: description.default("") }))
        .min(2)
        .max(taskLimits.splitParts),
      /** True: each part waits for the one before it. */
      in_order: z.boolean().default(false),
    }),
    result: z.object({ tasks: z.array(outcomeTask) }),
  }),
  addDependency: route(`POST ${one}/dependencies`, {
    policy: act,
    summary: "Let a task wait for another one; a cycle is refused",
    params: taskParams,
    body: z.strictObject({ depends_on: id }),
    result: outcomeTaskDetail,
  }),
  removeDependency: route(`DELETE ${one}/dependencies/{dependsOn}`, {
    policy: act,
    summary: "Let a task no longer wait for another one",
    params: z.object({ outcomeId: id, taskId: id, dependsOn: id }),
    result: outcomeTaskDetail,
  }),
  satisfyGate: route(`POST ${one}/gates/{gateId}`, {
    policy: act,
    summary: "Give what a gate asks for: a document's text or link, or one's approval",
    params: z.object({ outcomeId: id, taskId: id, gateId: filledText(40) }),
    body: z.strictObject({ given: filledText(taskLimits.given) }),
    result: outcomeTaskDetail,
  }),
} as const;

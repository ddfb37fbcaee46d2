// HOMЯ over HTTP: how it stands for an outcome, what can be set, what it saw, did and knows, and what it asks.

import { z } from "zod";
import { activityTypes } from "../../domain/homr/outcome-state.ts";
import { escalationStatuses } from "../../domain/homr/questions/escalation.ts";
import { numberIn, pageOf, pageQuery } from "../paging.ts";
import { act, read, routesTagged } from "../route.ts";
import { filledText, id, text } from "../text.ts";
import { autoResolve, givenAutoResolve, givenHomrConfig, homrConfig } from "./homr-config-shapes.ts";
import {
  activity,
  brief,
  briefSummary,
  escalation,
  homrContext,
  homrStats,
  observation,
  receipt,
  review,
} from "./homr-shapes.ts";
import { count } from "./run-shapes.ts";

const params = z.object({ outcomeId: id });
const outcome = "/api/outcomes/{outcomeId}";
const base = `${outcome}/homr`;
const route = routesTagged("homr");

const status = z.object({
  enabled: z.boolean(),
  context: z.object({ discoveries: count, decisions: count, constraints: count }),
  stats: homrStats,
  /** The last five. */
  recent_observations: z.array(observation),
  /** All that wait for an answer or a confirmation. */
  pending_escalations: z.array(escalation),
  /** The last ten. */
  recent_activity: z.array(activity),
});

const settings = z.object({ config: homrConfig, auto_resolve: autoResolve });
/** `defaults`: what a new outcome has here. */
const config = settings.extend({ defaults: settings });

export const homrRoutes = {
  status: route(`GET ${base}`, { policy: read, summary: "How HOMЯ stands for an outcome", params, result: status }),
  enable: route(`POST ${base}/enable`, {
    policy: act,
    summary: "Let HOMЯ observe and steer an outcome",
    params,
    result: status,
  }),
  disable: route(`POST ${base}/disable`, {
    policy: act,
    summary: "Let the workers of an outcome work unobserved; what HOMЯ knows is kept",
    params,
    result: status,
  }),
  config: route(`GET ${base}/config`, { policy: read, summary: "What is set for HOMЯ", params, result: config }),
  setConfig: route(`PATCH ${base}/config`, {
    policy: act,
    summary: "Change what is set for HOMЯ; what is left out stays as it is",
    params,
    body: z.strictObject({ config: givenHomrConfig.default({}), auto_resolve: givenAutoResolve.default({}) }),
    result: config,
  }),
  context: route(`GET ${base}/context`, {
    policy: read,
    summary: "Everything the tasks know of each other; compacted, so never more than the config allows",
    params,
    result: homrContext.extend({ stats: homrStats }),
  }),
  resolveBlocker: route(`POST ${base}/context/{itemId}/resolve`, {
    policy: act,
    summary: "Say that a blocker is out of the way",
    params: z.object({ outcomeId: id, itemId: id }),
    result: homrContext.extend({ stats: homrStats }),
  }),
  forget: route(`DELETE ${base}/context/{itemId}`, {
    policy: act,
    summary: "Take something out of what the tasks know; later prompts do not say it",
    params: z.object({ outcomeId: id, itemId: id }),
    result: homrContext.extend({ stats: homrStats }),
  }),
  receipts: route(`GET ${base}/context/{itemId}/receipts`, {
    policy: read,
    summary: "Which prompts of which runs carried an item of the context, newest first",
    params: z.object({ outcomeId: id, itemId: id }),
    query: z.strictObject(pageQuery),
    result: pageOf(receipt),
  }),
  briefs: route(`GET ${base}/briefs`, {
    policy: read,
    summary: "Which prompts said what of the outcome: run, iteration and the items of the context in it, newest first",
    params,
    query: z.strictObject({ ...pageQuery, task_id: id.optional() }),
    result: pageOf(briefSummary),
  }),
  brief: route(`GET ${base}/briefs/{taskRunId}/{iteration}`, {
    policy: read,
    summary: "What the prompt of an iteration said of the outcome, word for word",
    params: z.object({ outcomeId: id, taskRunId: id, iteration: numberIn(1, 1e9) }),
    result: brief,
  }),
  observations: route(`GET ${base}/observations`, {
    policy: read,
    summary: "What HOMЯ saw, newest first",
    params,
    query: z.strictObject({ ...pageQuery, task_id: id.optional() }),
    result: pageOf(observation),
  }),
  observation: route(`GET ${base}/observations/{observationId}`, {
    policy: read,
    summary: "One observation",
    params: z.object({ outcomeId: id, observationId: id }),
    result: observation,
  }),
  activity: route(`GET ${base}/activity`, {
    policy: read,
    summary: "What HOMЯ did and why, newest first",
    params,
    query: z.strictObject({ ...pageQuery, type: z.enum(activityTypes).optional(), task_id: id.optional() }),
    result: pageOf(activity),
  }),
  reviews: route(`GET ${base}/reviews`, {
    policy: read,
    summary: "Reviews of the whole outcome, newest first",
    params,
    query: z.strictObject(pageQuery),
    result: pageOf(review),
  }),
} as const;

const escalationParams = z.object({ outcomeId: id, escId: id });
const escalations = `${base}/escalations`;
const one = `${escalations}/{escId}`;
const filter = {
  ...pageQuery,
  status: z.enum(escalationStatuses).optional(),
};

const answered = z.object({
  success: z.literal(true),
  /** Ids of tasks that are no longer paused. */
  resumed_tasks: z.array(id),
  escalation,
});

export const escalationRoutes = {
  listAll: route("GET /api/escalations", {
    policy: read,
    summary: "Questions of all of one's outcomes, newest first",
    query: z.strictObject({ ...filter, group: z.enum(["open", "closed"]).optional() }),
    result: pageOf(escalation),
  }),
  find: route("GET /api/escalations/{escId}", {
    policy: read,
    summary: "One question, of whichever outcome",
    params: z.object({ escId: id }),
    result: escalation,
  }),
  list: route(`GET ${escalations}`, {
    policy: read,
    summary: "What HOMЯ asked about an outcome, newest first",
    params,
    query: z.strictObject(filter),
    result: pageOf(escalation),
  }),
  get: route(`GET ${one}`, {
    policy: read,
    summary: "One question with its options",
    params: escalationParams,
    result: escalation,
  }),
  answer: route(`POST ${one}/answer`, {
    policy: act,
    summary:
      "Choose an option, or `own_words` and say it in the additional context: the decision reaches the workers and paused tasks go on. A second answer is 409 and says who was first",
    params: escalationParams,
    body: z.strictObject({ selected_option: filledText(60), additional_context: text(4_000).optional() }),
    result: answered,
  }),
  dismiss: route(`POST ${one}/dismiss`, {
    policy: act,
    summary: "Go on without an answer; the workers are told that they decide",
    params: escalationParams,
    body: z.strictObject({ why: text(2_000).default("") }),
    result: answered,
  }),
  think: route(`POST ${one}/think`, {
    policy: act,
    summary: "Take one's time: the question stays open and no deadline answers it",
    params: escalationParams,
    result: answered,
  }),
  confirm: route(`POST ${one}/confirm`, {
    policy: act,
    summary: "Agree to the answer a model proposed",
    params: escalationParams,
    result: answered,
  }),
  reject: route(`POST ${one}/reject`, {
    policy: act,
    summary: "Turn down the answer a model proposed; the question waits for a person again",
    params: escalationParams,
    result: answered,
  }),
} as const;

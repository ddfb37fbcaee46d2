// The parts of a run that its page opens one by one: what an iteration did, what came of it all, its scratchpad, what it
// read on the web, its figures over time; and what similar runs came to.

import { z } from "zod";
import { entityKinds } from "../../domain/entity/kinds.ts";
import { runStatuses } from "../../domain/run/run.ts";
import { numberIn, pageOf, pageQuery } from "../paging.ts";
import { act, read, routesTagged } from "../route.ts";
import { id, timestamp } from "../text.ts";
import { agentQuestion } from "./agent-shapes.ts";
import { changedField, count, listedRun, whole } from "./run-shapes.ts";

/** One line of an iteration's journal. */
export const runEntry = z.object({
  /** Of its own in the iteration: a call of a model that failed has the key of the one that answered. */
  id: z.string(),
  /** Such as `llm:0`, `tool:0.2`, `exec:1/llm:0`; the same in every attempt. */
  key: z.string(),
  kind: z.enum(["model", "tool", "effect", "platform"]),
  /** Who did it: `planner`, an executor (`exec:1`), `judge` or `platform`. */
  lane: z.string(),
  /** For an executor: what it was sent to do. */
  lane_title: z.string().nullable(),
  /** `intended`: begun; `uncertain`: interrupted, so it may or may not have happened. */
  state: z.enum(["intended", "done", "uncertain"]),
  /** What was done, in one line for people. */
  summary: z.string(),
  /** The tool's name; null for everything else. */
  tool: z.string().nullable(),
  /** For a call of a model. */
  role: z.string().nullable(),
  model: z.string().nullable(),
  is_error: z.boolean(),
  /** Why it failed; null unless it did. */
  error: z.string().nullable(),
  /** What it was called with and what it answered, as text; the beginnings. */
  args: z.string().nullable(),
  result: z.string().nullable(),
  is_cut: z.boolean(),
  /** Tool calls that a model's answer asked for; null for everything but an answer. */
  calls: count.nullable(),
  began_at: timestamp,
  ended_at: timestamp.nullable(),
  cost_micro_usd: count.nullable(),
  tokens: count.nullable(),
  /** Part of `tokens`: read from the provider's cache. */
  cached_tokens: count.nullable(),
  /** For a call of a model: how many messages of the user its prompt contained. */
  messages: count.nullable(),
});

/** One thing that a run made, changed, removed or linked. */
export const runOutput = z.object({
  id,
  op: z.enum(["created", "updated", "deleted", "linked"]),
  kind: z.enum(["project", ...entityKinds, "edge"]),
  project_id: id,
  /** For a link: what it joins. */
  title: z.string(),
  first_iteration: whole.min(1).nullable(),
  last_iteration: whole.min(1).nullable(),
  /** How often. */
  writes: whole.min(1),
  /** It can be opened: it is there, and not in the bin. */
  is_there: z.boolean(),
  /** What the run did to it is no more: taken back by an undo, deleted or brought back by someone since. */
  is_gone: z.boolean(),
  /** Pages the platform keeps for the run itself. */
  is_bookkeeping: z.boolean(),
  at: timestamp,
});

export const scratchpadNote = z.object({
  document_id: id,
  project_id: id,
  iteration: count,
  heading: z.string(),
  text: z.string(),
});

/** A web page that a run opened or tried to open, or a search it made. */
export const runSource = z.object({
  /** Of its own in the run. */
  id: z.string(),
  kind: z.enum(["page", "search"]),
  /** Of a page: its title, empty where it has none; of a search: what was looked for. */
  title: z.string(),
  /** Where the page was, always http or https; null for a search, and where the run asked for something else. */
  url: z.string().nullable(),
  state: z.enum(["opened", "failed", "under_way"]),
  /** Why it failed; null unless it did. */
  why: z.string().nullable(),
  /** How many a search found. */
  results: count.nullable(),
  iteration: whole.min(1),
  at: timestamp,
});

/** What one iteration used. */
export const iterationUse = z.object({
  iteration: whole.min(1),
  status: z.string(),
  started_at: timestamp,
  ended_at: timestamp.nullable(),
  running_ms: count,
  cost_micro_usd: count,
  tokens: count,
  tool_calls: count,
});

/** Half of the runs came to no more than `p50`, nine of ten to no more than `p90`. */
const spread = z.object({ p50: count, p90: count });

export const news = z.object({
  /** When the visit before this one ended; null in the first, about which there is no news. */
  since: timestamp.nullable(),
  /** Ended since then by themselves: canceled and paused ones are not counted. */
  finished: count,
  /** Of these, by how they ended; one that was undone is in none of them. */
  completed: count,
  stopped: count,
  failed: count,
  /** Now. */
  needs_you: count,
  /** Spent since then, on everything. */
  cost_micro_usd: count,
  unpriced_calls: count,
});

const route = routesTagged("homework");
const one = "/api/homework/runs/{runId}";
const runParams = z.object({ runId: id });

export const runPartRoutes = {
  entries: route(`GET ${one}/iterations/{iteration}`, {
    policy: read,
    summary: "What one iteration did, step by step, in order",
    params: runParams.extend({ iteration: numberIn(1, 1e9) }),
    query: z.strictObject(pageQuery),
    result: pageOf(runEntry),
  }),
  outputs: route(`GET ${one}/outputs`, {
    policy: read,
    summary: "What a run made, changed and linked, the latest first",
    params: runParams,
    query: z.strictObject({
      ...pageQuery,
      /** Only the pages the platform keeps for the run itself, or all but these; left out: everything. */
      bookkeeping: z.enum(["true", "false"]).optional(),
    }),
    result: pageOf(runOutput),
  }),
  output: route(`GET ${one}/outputs/{entityId}`, {
    policy: read,
    summary: "What a run changed in one thing: every field before its first write and after its last",
    params: runParams.extend({ entityId: id }),
    result: z.object({ output: runOutput, fields: z.array(changedField) }),
  }),
  scratchpad: route(`GET ${one}/scratchpad`, {
    policy: read,
    summary: "The notes a run keeps for itself, the latest first",
    params: runParams,
    query: z.strictObject(pageQuery),
    result: pageOf(scratchpadNote),
  }),
  sources: route(`GET ${one}/sources`, {
    policy: read,
    summary: "The web pages a run opened, those it could not open, and its searches, in order",
    params: runParams,
    query: z.strictObject(pageQuery),
    result: pageOf(runSource),
  }),
  series: route(`GET ${one}/series`, {
    policy: read,
    summary: "What every iteration used, oldest first; at most the last 10,000",
    params: runParams,
    result: z.object({ items: z.array(iterationUse) }),
  }),
  visit: route("POST /api/homework/visit", {
    policy: act,
    summary: "Tell that one is here; half an hour without it ends a visit",
    result: news,
  }),
  home: route("GET /api/homework/home", {
    policy: read,
    summary: "What the home page begins with: the news, and the first page of each group of runs",
    result: z.object({
      news,
      needs_you: pageOf(listedRun),
      active: pageOf(listedRun),
      /** Ended since the last visit; null in the first visit. */
      finished_since: pageOf(listedRun).nullable(),
      /** Ended before that; in the first visit, all that have ended. */
      finished: pageOf(listedRun),
    }),
  }),
  news: route("GET /api/homework/news", {
    policy: read,
    summary: "What happened to one's runs since the last visit",
    result: news,
  }),
  counts: route("GET /api/homework/counts", {
    policy: read,
    summary: "How many runs one has, by status, without archived ones; and what else every page shows of one's work",
    result: z.object({
      counts: z.record(z.enum(runStatuses), count),
      /** Questions of one's outcomes that wait for an answer. */
      open_questions: count,
      /** Questions of agents of one's own tasks that wait for an answer, the newest first; those of Homework runs are the runs'. */
      agent_questions: z.array(agentQuestion),
      unread_notifications: count,
      has_agents: z.boolean(),
    }),
  }),
  estimate: route("GET /api/homework/estimate", {
    policy: read,
    summary: "What one's last runs came to, to guess what the next will",
    result: z.object({
      /** How many it is made of; the others are null where there was none. */
      runs: count,
      cost_micro_usd: spread.nullable(),
      iterations: spread.nullable(),
      running_ms: spread.nullable(),
      tokens: spread.nullable(),
    }),
  }),
} as const;

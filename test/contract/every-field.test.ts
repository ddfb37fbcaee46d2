// Every optional field of every body changes what is written down; one without a row is red. The rows that a request writes are compared with and without
// the field; that the same request twice writes the same is tested first, so that a difference is the field's.

import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import type { z } from "zod";
import { routes } from "../../src/protocol/api.ts";
import type { AnyRoute } from "../../src/protocol/route.ts";
import { insertOutcome } from "../helpers/outcome-rows.ts";
import { insertRun } from "../helpers/run-rows.ts";
import { testApp } from "../helpers/test-app.ts";
import { makeWorld } from "../helpers/test-world.ts";

const app = await testApp({ maxConcurrentRuns: 1_000 });
const anna = await app.signUp("anna");
const world = await makeWorld(app.admin, { [anna.id]: "owner" });
const { projectId, things: seeds } = world;

type Json = Readonly<Record<string, unknown>>;
type Request = { readonly params?: Readonly<Record<string, string>>; readonly body: Json };

type Row = {
  /** Made anew for each request. */
  readonly request: () => Promise<Request>;
  /** By field, such as `budgets.hard`: a value that is not the usual one; `beside` stands in both requests. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly beside?: Readonly<Record<string, Json>>;
};

const model = "openai/gpt-6-luna";
const models = Object.fromEntries(
  ["planner", "executor", "repair", "summary", "judge"].map((role) => [`models.${role}`, model]),
);
const limits = (at: string) => ({
  [`${at}.max_iterations`]: 7,
  [`${at}.max_wall_clock_ms`]: 70_000,
  [`${at}.max_cost_usd`]: 7,
  [`${at}.max_total_tokens`]: 7_000,
  [`${at}.max_tool_calls`]: 70,
  [`${at}.hard`]: true,
});
const criteria = [{ kind: "entity_count", entity: "task", at_least: 2 }];
const permissions = { "permissions.write_mode": "per_write", "permissions.allowed_tools": ["create_task"] };
const foreignTexts = [{ title: "Mail", text: "Come on Monday" }];

const runIn = async (status: "stopped" | "canceled") => ({ runId: await insertRun(app.admin, anna.id, status) });
const ofOutcome = async () => ({
  outcomeId: (await insertOutcome(app.admin, anna.id, { status: "dormant" })).outcomeId,
});
const ofTask = async (at: 0 | 1 | 2 | 3) => {
  const { outcomeId, tasks } = await insertOutcome(app.admin, anna.id);
  return { outcomeId, taskId: tasks[at] };
};
const create = async (url: string, body: Json) =>
  (await app.call("POST", url, anna.session, { body })).body.id as string;

const homr = (at: string) => ({
  [`${at}.enabled`]: false,
  [`${at}.observe_after_every_task`]: false,
  [`${at}.observation_model`]: "sonnet",
  [`${at}.auto_create_corrective_tasks`]: false,
  [`${at}.auto_adjust_priority`]: false,
  [`${at}.max_steering_actions_per_task`]: 2,
  [`${at}.auto_escalate`]: false,
  [`${at}.escalation_threshold`]: "high",
  [`${at}.pause_on_escalation`]: false,
  [`${at}.max_discoveries`]: 21,
  [`${at}.context_compaction_threshold`]: 11,
  [`${at}.max_context_size`]: 9_000,
  [`${at}.failure_patterns.lookback_count`]: 7,
  [`${at}.failure_patterns.consecutive_failure_threshold`]: 4,
  [`${at}.failure_patterns.healthy_alignment_threshold`]: 61,
});
const autoResolve = {
  "auto_resolve.mode": "semi_auto",
  "auto_resolve.threshold": 0.71,
  "auto_resolve.deadline_hours": 7,
};
const things = {
  description: "One line",
  content: "Text",
  type_key: "other.kind",
  props: { colour: "red" },
  priority: 2,
  due_at: "2030-04-01T00:00:00Z",
};
const stateOf = {
  task: "done",
  goal: "achieved",
  plan: "active",
  milestone: "completed",
  document: "published",
} as const;

const ofKind = (kind: keyof typeof stateOf) => ({
  [`${kind}.create`]: {
    request: async () => ({ params: { projectId }, body: { title: "New" } }),
    values: { ...things, title: "Third", state_key: stateOf[kind] },
  },
  [`${kind}.update`]: {
    request: async () => ({
      params: { projectId, entityId: await create(`/api/projects/${projectId}/${kind}s`, { title: "New" }) },
      body: { version: 1, title: "Other" },
    }),
    values: { ...things, title: "Third", state_key: stateOf[kind] },
  },
});

const rows: Readonly<Record<string, Row>> = {
  "runs.create": {
    request: async () => ({ body: { objective: "Find a hall" } }),
    values: {
      ...limits("budgets"),
      ...models,
      ...permissions,
      foreign_texts: foreignTexts,
      scope: "multi_project",
      project_ids: [projectId],
      context_type: "project_create",
      entity_id: seeds.task,
      completion_criteria: criteria,
      judge: false,
      time_zone: "Asia/Tokyo",
    },
    beside: { scope: { project_ids: [projectId] }, "budgets.hard": { budgets: { max_cost_usd: 7 } } },
  },
  "runs.label": {
    request: async () => ({ params: await runIn("canceled"), body: {} }),
    values: { title: "Another", is_archived: true },
  },
  "runs.resume": { request: async () => ({ params: await runIn("stopped"), body: {} }), values: limits("budgets") },
  "runs.continue": {
    request: async () => ({ params: await runIn("canceled"), body: { objective: "In French" } }),
    values: {
      ...limits("budgets"),
      ...models,
      ...permissions,
      foreign_texts: foreignTexts,
      completion_criteria: criteria,
    },
  },
  "outcomes.create": {
    request: async () => ({ body: { name: "A shop", tasks: [{ title: "Draw it" }] } }),
    values: {
      ...limits("run_budgets"),
      ...models,
      ...permissions,
      ...homr("homr"),
      ...autoResolve,
      name: "Another",
      tasks: [{ title: "Build it" }],
      brief: "I want to sell lamps",
      "intent.summary": "A shop",
      "intent.items": [{ title: "A page" }],
      "intent.success_criteria": ["It opens"],
      approach: "Plainly",
      project_id: projectId,
      time_zone: "Asia/Tokyo",
      workers: 2,
      max_cost_usd: 7,
      start: true,
    },
  },
  "outcomes.update": {
    request: async () => ({ params: await ofOutcome(), body: { version: 1 } }),
    values: {
      ...limits("run_budgets"),
      ...models,
      ...permissions,
      name: "Another",
      brief: "Another",
      "intent.summary": "A shop",
      "intent.items": [{ title: "A page" }],
      "intent.success_criteria": ["It opens"],
      approach: "Plainly",
      project_id: projectId,
      time_zone: "Asia/Tokyo",
      workers: 2,
      max_cost_usd: 7,
    },
  },
  "outcomes.intervene": {
    request: async () => ({ params: await ofOutcome(), body: { message: "Hurry" } }),
    values: { type: "add_task" },
  },
  "outcomeTasks.create": {
    request: async () => ({ params: await ofOutcome(), body: { title: "More" } }),
    values: {
      description: "All of it",
      priority: 3,
      max_attempts: 4,
      gates: [{ kind: "human_approval", label: "Mine" }],
      completion_criteria: criteria,
    },
  },
  "outcomeTasks.update": {
    request: async () => ({ params: await ofTask(3), body: { version: 1, title: "Other" } }),
    values: { title: "Third", description: "All of it", priority: 3, max_attempts: 4, completion_criteria: criteria },
  },
  "outcomeTasks.markObsolete": {
    request: async () => ({ params: await ofTask(3), body: {} }),
    values: { why: "Not needed" },
  },
  "outcomeTasks.split": {
    request: async () => ({ params: await ofTask(2), body: { parts: [{ title: "One" }, { title: "Two" }] } }),
    values: { in_order: true },
  },
  "homr.setConfig": {
    request: async () => ({ params: await ofOutcome(), body: {} }),
    values: { ...homr("config"), ...autoResolve },
  },
  "projects.create": {
    request: async () => ({ body: { name: "Barn" } }),
    values: { description: "One line", type_key: "other.kind", state_key: "completed", props: { colour: "red" } },
  },
  "projects.update": {
    request: async () => ({
      params: { projectId: await create("/api/projects", { name: "Barn" }) },
      body: { version: 1, name: "Other" },
    }),
    values: {
      name: "Third",
      description: "One line",
      type_key: "other.kind",
      state_key: "completed",
      props: { colour: "red" },
    },
  },
  ...ofKind("task"),
  ...ofKind("goal"),
  ...ofKind("plan"),
  ...ofKind("milestone"),
  ...ofKind("document"),
  "chats.create": { request: async () => ({ body: {} }), values: { title: "Roses", entity_id: seeds.task } },
  "chats.followUp": { request: async () => ({ params: await runIn("canceled"), body: {} }), values: { text: "Why?" } },
  "channels.addWebhook": {
    request: async () => ({ body: { name: "Desk", url: "https://hook.test/x" } }),
    values: { events: ["completed"] },
  },
};

/** Where an effect is not in the rows that the request writes, or where the request needs what only that test has. */
const elsewhere: Readonly<Record<string, string>> = {
  "runs.create engine": "test/contract/run-engines.test.ts",
  "runs.create work_folder": "test/contract/runs.test.ts",
  "outcomes.create engine": "test/contract/outcomes.test.ts",
  "outcomes.create work_folder": "test/contract/outcomes.test.ts",
  "outcomes.intervene task_id": "test/contract/outcomes.test.ts",
  "outcomes.intervene priority": "test/contract/outcomes.test.ts",
  "outcomeTasks.create depends_on": "test/contract/outcome-tasks.test.ts",
  "document.create parent_id": "test/contract/document-tree.test.ts",
  "runs.fork": "test/contract/runs.test.ts",
  "chats.send": "test/contract/chat.test.ts",
  "identity.createKey": "test/contract/api-keys.test.ts",
  "identity.changePassword": "test/contract/sign-in.test.ts",
  "identity.signUp": "test/contract/first-admin.test.ts",
  "identity.setQuota": "test/contract/user-quotas.test.ts",
  "identity.updateUser": "test/contract/shut-accounts.test.ts",
  "identity.createUser": "test/contract/first-sign-up.test.ts",
  "edges.create": "test/contract/route-matrix.test.ts",
  "escalations.answer": "test/contract/homr.test.ts",
  "escalations.dismiss": "test/contract/homr.test.ts",
  "memories.update": "test/contract/homr.test.ts",
  "notifications.setPreferences": "test/contract/notifications.test.ts",
  "channels.update": "test/contract/channels.test.ts",
  "changes.decide": "test/contract/run-changes.test.ts",
  "runs.undo": "test/contract/undo.test.ts",
  "agents.start": "test/contract/agents-api.test.ts",
  "agents.post": "test/contract/agents-api.test.ts",
  "agents.postToProject": "test/contract/agents-api.test.ts",
  "agents.stopTask": "test/contract/agents-api.test.ts",
  "agents.stopRun": "test/contract/agents-api.test.ts",
};

type Def = { readonly type: string; readonly innerType?: z.ZodType; readonly in?: z.ZodType; readonly shape?: object };

/** Fields that may be left out, by their way; lists and records are one field each. */
function optionalFields(schema: z.ZodType, at = "", isOptional = false): readonly string[] {
  const { type, innerType, in: input, shape } = schema.def as unknown as Def;
  const mayMiss = isOptional || schema.safeParse(undefined).success;
  if (type !== "object" && innerType !== undefined) return optionalFields(innerType, at, mayMiss);
  if (type === "pipe" && input !== undefined) return optionalFields(input, at, mayMiss);
  if (type !== "object") return mayMiss ? [at] : [];
  return Object.entries(shape ?? {}).flatMap(([name, field]) =>
    optionalFields(field as z.ZodType, at === "" ? name : `${at}.${name}`, mayMiss && at !== ""),
  );
}

const fieldsOf = Object.entries(routes).flatMap(([family, each]) =>
  Object.entries(each as Readonly<Record<string, AnyRoute>>).flatMap(([name, route]) =>
    route.body === undefined
      ? []
      : optionalFields(route.body).map((field) => [`${family}.${name}`, field, route] as const),
  ),
);

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const times = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.]*(Z|[+-]\d\d(:?\d\d)?)?/g;
/** They count up from one request to the next. */
const counters = ["seq", "number", "change_seq", "token_hash", "prefix", "hash", "secret", "key_hash", "key_prefix"];

/** Ids are numbered as they appear: which of them are the same still counts. */
function normalize(rowsOfTables: unknown): string {
  const seen = new Map<string, string>([
    [projectId, "PROJECT"],
    [seeds.task, "TASK"],
  ]);
  const plain = JSON.stringify(rowsOfTables, (key, value) => (counters.includes(key) ? 0 : value));
  return plain.replaceAll(ids, (id) => seen.get(id) ?? "ID").replaceAll(times, "TIME");
}

const tables = (
  await app.admin.query(
    "select tablename from pg_tables where schemaname = 'homework' and tablename not in ('sessions', 'audit_log', 'idempotency_keys', 'user_feeds', 'user_feed_events', 'onto_changes', 'onto_change_counters') order by 1",
  )
).rows.map(({ tablename }) => tablename as string);

async function play(route: AnyRoute, { params = {}, body }: Request): Promise<string> {
  const url = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
  const { before } = (await app.admin.query("select pg_current_xact_id()::text as before")).rows[0];
  const answer = await app.call(route.method.toUpperCase(), url, anna.session, { body });
  if (answer.status >= 400) throw new Error(`${answer.status} ${answer.text}`);
  const written = await app.admin.query(
    tables
      .map(
        (table) =>
          `select '${table}' as of, to_jsonb(t) as row from homework.${table} t where t.xmin::text::bigint >= ${before}`,
      )
      .join(" union all "),
  );
  return normalize(written.rows.map((each) => normalize(each)).toSorted());
}

function withField(body: Json, way: string, value: unknown): Json {
  const [name = "", ...rest] = way.split(".");
  if (rest.length === 0) return { ...body, [name]: value };
  return { ...body, [name]: withField((body[name] ?? {}) as Json, rest.join("."), value) };
}

const tried = fieldsOf.filter(([name, field]) => rows[name] && Object.hasOwn(rows[name].values, field));

test.for(tried)("%s: %s changes what is written", async ([name, field, route]) => {
  const { request, values, beside = {} } = rows[name] as Row;
  const make = async () => {
    const { params, body } = await request();
    return { ...(params === undefined ? {} : { params }), body: { ...body, ...beside[field] } };
  };
  const once = await make();
  const usual = await play(route, once).catch((error: Error) => error.message);
  const other = await make();
  const changed = await play(route, { ...other, body: withField(other.body, field, values[field]) });
  expect(changed).not.toBe(usual);
});

test.for(Object.entries(rows))("%s writes the same for the same request", async ([name, { request }]) => {
  const [, , route] = fieldsOf.find(([each]) => each === name) ?? [];
  if (route === undefined) throw new Error(`no route ${name}`);
  const play2 = async () => play(route, await request()).catch((error: Error) => error.message.slice(0, 60));
  expect(await play2()).toBe(await play2());
});

test("every field has a row, or says which test shows its effect", () => {
  const missing = fieldsOf
    .map(([name, field]) => [name, `${name} ${field}`, field] as const)
    .filter(
      ([name, whole, field]) =>
        !Object.hasOwn(rows[name]?.values ?? {}, field) && !elsewhere[name] && !elsewhere[whole],
    );
  expect(missing.map(([, whole]) => whole)).toEqual([]);
  expect(Object.values(elsewhere).filter((file) => !existsSync(file))).toEqual([]);
});

// Who may call which route, written down a second time and by hand: the matrix compares the server with this page, not
// with its own policies. A route that is missing here fails the matrix.

import type { AgentTaskIds } from "../helpers/agent-desks.ts";
import { type OutcomeIds, outcomeIds } from "../helpers/outcome-rows.ts";
import type { World } from "../helpers/test-world.ts";
import { modelRows } from "./model-rows.ts";

/** What stands behind the ids of a request. */
export type Target = "own" | "foreign project" | "foreign thing";

export type Fixture = {
  readonly own: World;
  readonly foreign: World;
  /** Ids that belong to the caller, and to somebody else. */
  readonly sessionId: Readonly<Record<"own" | "foreign", string>>;
  readonly keyId: Readonly<Record<"own" | "foreign", string>>;
  /** A run of the caller, in a state in which the route can be carried out, and somebody else's. */
  readonly runId: Readonly<Record<"own" | "foreign", string>>;
  /** Something those runs made. */
  readonly outputId: Readonly<Record<"own" | "foreign", string>>;
  /** A staged write of those runs. */
  readonly changeId: Readonly<Record<"own" | "foreign", string>>;
  readonly notificationId: Readonly<Record<"own" | "foreign", string>>;
  /** A webhook. */
  readonly channelId: Readonly<Record<"own" | "foreign", string>>;
  /** A conversation whose second message waits for a word about two calls. */
  readonly chatId: Readonly<Record<"own" | "foreign", string>>;
  /** An outcome with tasks, a question and all else; in a state in which the route can be carried out. */
  readonly outcome: Readonly<Record<"own" | "foreign", OutcomeIds>>;
  /** A task of an agent in the caller's own root, and one in somebody else's. */
  readonly agent: Readonly<Record<"own" | "foreign", AgentTaskIds>>;
  /** A member of the own project that can go, and someone who is no member. */
  readonly memberId: Readonly<Record<"own" | "foreign", string>>;
  /** Someone with an account, and an id that nobody has. */
  readonly userId: Readonly<Record<"own" | "foreign", string>>;
  readonly email: { readonly ofStranger: string; readonly unused: string; readonly known: string };
  readonly password: { readonly ofCaller: string; readonly ofKnown: string };
};

/** Least role, scope of a key, and the status of success. */
export type Row = {
  readonly need: `${"anyone" | "user" | "viewer" | "editor" | "owner" | "admin"} ${"read" | "run" | "admin"} ${200 | 201}`;
  readonly body?: (fixture: Fixture) => unknown;
  readonly query?: string;
  /** Refused with a key of whatever scope. */
  readonly sessionOnly?: boolean;
};

const [changed, made] = [() => ({ version: 1, title: "Changed" }), () => ({ title: "New" })];
const project = "/api/projects/{projectId}";

/** Six rows for each kind of thing. */
function rowsOf(plural: string): Record<string, Row> {
  return {
    [`GET ${project}/${plural}`]: { need: "viewer read 200" },
    [`POST ${project}/${plural}`]: { need: "editor run 201", body: made },
    [`GET ${project}/${plural}/{entityId}`]: { need: "viewer read 200" },
    [`PATCH ${project}/${plural}/{entityId}`]: { need: "editor run 200", body: changed },
    [`DELETE ${project}/${plural}/{entityId}`]: { need: "editor run 200" },
    [`POST ${project}/${plural}/{entityId}/restore`]: { need: "editor run 200" },
  };
}

const identityRows: Readonly<Record<string, Row>> = {
  "POST /api/auth/sign-up": {
    need: "anyone read 201",
    body: ({ email }) => ({ name: "New", email: email.unused, password: "a long password" }),
  },
  "POST /api/auth/sign-in": {
    need: "anyone read 200",
    body: ({ email, password }) => ({ email: email.known, password: password.ofKnown }),
  },
  "POST /api/auth/sign-out": { need: "user read 200" },
  "GET /api/me": { need: "user read 200" },
  "PATCH /api/me": { need: "user admin 200", body: () => ({ name: "Renamed" }) },
  "POST /api/me/password": {
    need: "user admin 200",
    sessionOnly: true,
    body: ({ password }) => ({ current_password: password.ofCaller, new_password: "another long password" }),
  },
  "GET /api/me/sessions": { need: "user admin 200" },
  "DELETE /api/me/sessions": { need: "user admin 200" },
  "DELETE /api/me/sessions/{sessionId}": { need: "user admin 200" },
  "GET /api/me/keys": { need: "user admin 200" },
  "POST /api/me/keys": { need: "user admin 201", body: () => ({ name: "New", scopes: ["read"] }) },
  "DELETE /api/me/keys/{keyId}": { need: "user admin 200" },
  "GET /api/users": { need: "admin admin 200" },
  "POST /api/users": {
    need: "admin admin 201",
    body: ({ email }) => ({ name: "New", email: email.unused, password: "a long password" }),
  },
  "PATCH /api/users/{userId}": { need: "admin admin 200", body: () => ({ role: "user" }) },
  "GET /api/audit": { need: "admin admin 200" },
  "GET /api/quotas": { need: "admin admin 200" },
  "PATCH /api/quotas": { need: "admin admin 200", body: ({ userId }) => ({ user_id: userId.own, runs_at_once: 2 }) },
  "GET /api/me/quota": { need: "user read 200" },
  "GET /api/runs": { need: "admin admin 200" },
  "POST /api/runs/{anyRunId}/cancel": { need: "admin admin 200" },
};

const projectRows: Readonly<Record<string, Row>> = {
  "GET /api/projects": { need: "user read 200" },
  "POST /api/projects": { need: "user run 201", body: () => ({ name: "New" }) },
  "GET /api/search": { need: "user read 200", query: "?q=garden" },
  [`GET ${project}`]: { need: "viewer read 200" },
  [`PATCH ${project}`]: { need: "editor run 200", body: () => ({ version: 1, name: "Changed" }) },
  [`DELETE ${project}`]: { need: "owner run 200" },
  [`POST ${project}/restore`]: { need: "owner run 200" },
  [`GET ${project}/members`]: { need: "viewer read 200" },
  [`POST ${project}/members`]: {
    need: "owner admin 201",
    body: ({ email }) => ({ email: email.ofStranger, role: "viewer" }),
  },
  [`PATCH ${project}/members/{userId}`]: { need: "owner admin 200", body: () => ({ role: "editor" }) },
  [`DELETE ${project}/members/{userId}`]: { need: "owner admin 200" },
  [`GET ${project}/changes`]: { need: "viewer read 200" },
  [`GET ${project}/stream`]: { need: "viewer read 200" },
  [`GET ${project}/document-tree`]: { need: "viewer read 200" },
  [`GET ${project}/documents/{entityId}/authors`]: { need: "viewer read 200" },
  [`POST ${project}/documents/{entityId}/move`]: { need: "editor run 200", body: () => ({ parent_id: null }) },
  [`GET ${project}/edges`]: { need: "viewer read 200" },
  [`POST ${project}/edges`]: {
    need: "editor run 201",
    body: ({ own }) => ({ src_id: own.things.task, rel: "needs", dst_id: own.things.goal }),
  },
  [`DELETE ${project}/edges/{edgeId}`]: { need: "editor run 200" },
};

const runs = "/api/homework/runs";

const runRows: Readonly<Record<string, Row>> = {
  [`POST ${runs}`]: { need: "user run 201", body: () => ({ objective: "Write the report" }) },
  [`GET ${runs}`]: { need: "user read 200" },
  [`GET ${runs}/{runId}`]: { need: "user read 200" },
  [`PATCH ${runs}/{runId}`]: { need: "user run 200", body: () => ({ title: "Mine" }) },
  [`POST ${runs}/{runId}/cancel`]: { need: "user run 200" },
  [`POST ${runs}/{runId}/pause`]: { need: "user run 200" },
  [`POST ${runs}/{runId}/resume`]: { need: "user run 200", body: () => ({ budgets: { max_iterations: 30 } }) },
  [`POST ${runs}/{runId}/respond`]: {
    need: "user run 200",
    body: () => ({ answers: [{ question_id: "question_1", text: "This one" }] }),
  },
  [`POST ${runs}/{runId}/steer`]: { need: "user run 200", body: () => ({ message: "Mind the gap" }) },
  [`POST ${runs}/{runId}/fork`]: { need: "user run 201", body: () => ({ iteration: 1 }) },
  [`POST ${runs}/{runId}/continue`]: { need: "user run 201", body: () => ({ objective: "Now also in French" }) },
  [`GET ${runs}/{runId}/changes`]: { need: "user read 200" },
  [`GET ${runs}/{runId}/changes/{changeId}`]: { need: "user read 200" },
  [`POST ${runs}/{runId}/changes`]: {
    need: "user run 200",
    body: ({ changeId }) => ({ decisions: [{ change_id: changeId.own, decision: "approve" }] }),
  },
  [`POST ${runs}/{runId}/undo`]: { need: "user run 200", body: () => ({}) },
  [`POST ${runs}/{runId}/restore`]: { need: "user run 200" },
  [`GET ${runs}/{runId}/work`]: { need: "user read 200" },
  [`POST ${runs}/{runId}/merge`]: { need: "user run 200" },
  [`POST ${runs}/{runId}/discard`]: { need: "user run 200" },
  [`GET ${runs}/{runId}/stream`]: { need: "user read 200" },
  "GET /api/homework/stream": { need: "user read 200" },
  "POST /api/homework/visit": { need: "user run 200" },
  "GET /api/homework/home": { need: "user read 200" },
  "GET /api/homework/news": { need: "user read 200" },
  "GET /api/homework/counts": { need: "user read 200" },
  "GET /api/homework/estimate": { need: "user read 200" },
  "GET /api/live": { need: "user read 200", query: "?topics=feed" },
  [`GET ${runs}/{runId}/iterations/{iteration}`]: { need: "user read 200" },
  [`GET ${runs}/{runId}/outputs`]: { need: "user read 200" },
  [`GET ${runs}/{runId}/outputs/{entityId}`]: { need: "user read 200" },
  [`GET ${runs}/{runId}/scratchpad`]: { need: "user read 200" },
  [`GET ${runs}/{runId}/sources`]: { need: "user read 200" },
  [`GET ${runs}/{runId}/series`]: { need: "user read 200" },
  "GET /api/notifications/preferences": { need: "user read 200" },
  "PATCH /api/notifications/preferences": {
    need: "user run 200",
    body: () => ({ preferences: [{ event: "failed", in_app: true, browser: false }] }),
  },
  "GET /api/notifications": { need: "user read 200" },
  "POST /api/notifications/{notificationId}/read": { need: "user run 200" },
  "POST /api/notifications/visited": { need: "user run 200", body: () => ({ path: "/homework" }) },
  "POST /api/notifications/read-all": { need: "user run 200" },
};

const channels = "/api/channels";

const channelRows: Readonly<Record<string, Row>> = {
  [`GET ${channels}`]: { need: "user read 200" },
  [`POST ${channels}/webhooks`]: {
    need: "user admin 201",
    body: () => ({ name: "New", url: "https://hook.example/new" }),
  },
  [`POST ${channels}/telegram/link`]: { need: "user admin 200" },
  [`PATCH ${channels}/{channelId}`]: { need: "user admin 200", body: () => ({ name: "Renamed" }) },
  [`DELETE ${channels}/{channelId}`]: { need: "user admin 200" },
  [`POST ${channels}/{channelId}/secret`]: { need: "user admin 200" },
  [`POST ${channels}/{channelId}/test`]: { need: "user admin 200" },
  [`GET ${channels}/{channelId}/deliveries`]: { need: "user read 200" },
};

const chats = "/api/chat/sessions";

const chatRows: Readonly<Record<string, Row>> = {
  [`POST ${chats}`]: { need: "user run 201", body: () => ({}) },
  [`GET ${chats}`]: { need: "user read 200" },
  [`GET ${chats}/{chatId}`]: { need: "user read 200" },
  [`PATCH ${chats}/{chatId}`]: { need: "user run 200", body: () => ({ title: "Renamed" }) },
  [`DELETE ${chats}/{chatId}`]: { need: "user run 200" },
  [`POST ${chats}/{chatId}/messages`]: { need: "user run 201", body: () => ({ text: "Hello" }) },
  // One of two: the other still waits, so nothing begins.
  [`POST ${chats}/{chatId}/messages/{messageSeq}/confirm`]: {
    need: "user run 200",
    body: () => ({ decisions: [{ call_id: "call_2_1", decision: "reject" }] }),
  },
  [`POST ${chats}/{chatId}/stop`]: { need: "user run 200" },
  [`GET ${chats}/{chatId}/stream`]: { need: "user read 200" },
  [`POST ${runs}/{runId}/follow-up`]: { need: "user run 201", body: () => ({}) },
};

const outcomes = "/api/outcomes";
const outcome = `${outcomes}/{outcomeId}`;
const outcomeTask = `${outcome}/tasks/{taskId}`;
const homr = `${outcome}/homr`;
const escalation = `${homr}/escalations/{escId}`;

const outcomeRows: Readonly<Record<string, Row>> = {
  [`POST ${outcomes}`]: { need: "user run 201", body: () => ({ brief: "A shop for lamps" }) },
  [`GET ${outcomes}`]: { need: "user read 200" },
  [`GET ${outcome}`]: { need: "user read 200" },
  [`PATCH ${outcome}`]: { need: "user run 200", body: () => ({ version: 1, name: "Renamed" }) },
  [`POST ${outcome}/start`]: { need: "user run 200" },
  [`POST ${outcome}/pause`]: { need: "user run 200" },
  [`POST ${outcome}/resume`]: { need: "user run 200" },
  [`POST ${outcome}/archive`]: { need: "user run 200" },
  [`DELETE ${outcome}`]: { need: "user run 200" },
  [`GET ${outcome}/designs`]: { need: "user read 200" },
  [`POST ${outcome}/designs`]: { need: "user run 201", body: () => ({ version: 1, text: "Another design" }) },
  [`GET ${outcome}/interventions`]: { need: "user read 200" },
  [`POST ${outcome}/interventions`]: { need: "user run 201", body: () => ({ message: "Mind the gap" }) },
  [`DELETE ${outcome}/interventions/{interventionId}`]: { need: "user run 200" },
  [`GET ${outcome}/stream`]: { need: "user read 200" },
  [`GET ${outcome}/tasks`]: { need: "user read 200" },
  [`POST ${outcome}/tasks`]: { need: "user run 201", body: made },
  [`GET ${outcomeTask}`]: { need: "user read 200" },
  [`PATCH ${outcomeTask}`]: { need: "user run 200", body: changed },
  [`POST ${outcomeTask}/retry`]: { need: "user run 200" },
  [`POST ${outcomeTask}/obsolete`]: { need: "user run 200", body: () => ({}) },
  [`POST ${outcomeTask}/split`]: {
    need: "user run 200",
    body: () => ({ parts: [{ title: "One" }, { title: "Two" }] }),
  },
  [`POST ${outcomeTask}/dependencies`]: {
    need: "user run 200",
    body: ({ outcome: { own } }) => ({ depends_on: own.tasks[3] }),
  },
  [`DELETE ${outcomeTask}/dependencies/{dependsOn}`]: { need: "user run 200" },
  [`POST ${outcomeTask}/gates/{gateId}`]: { need: "user run 200", body: () => ({ given: "Yes" }) },
  [`GET ${homr}`]: { need: "user read 200" },
  [`POST ${homr}/enable`]: { need: "user run 200" },
  [`POST ${homr}/disable`]: { need: "user run 200" },
  [`GET ${homr}/config`]: { need: "user read 200" },
  [`PATCH ${homr}/config`]: { need: "user run 200", body: () => ({ config: { max_discoveries: 20 } }) },
  [`GET ${homr}/context`]: { need: "user read 200" },
  [`POST ${homr}/context/{itemId}/resolve`]: { need: "user run 200" },
  [`DELETE ${homr}/context/{itemId}`]: { need: "user run 200" },
  [`GET ${homr}/context/{itemId}/receipts`]: { need: "user read 200" },
  [`GET ${homr}/briefs`]: { need: "user read 200" },
  [`GET ${homr}/briefs/{taskRunId}/{iteration}`]: { need: "user read 200" },
  [`GET ${homr}/observations`]: { need: "user read 200" },
  [`GET ${homr}/observations/{observationId}`]: { need: "user read 200" },
  [`GET ${homr}/activity`]: { need: "user read 200" },
  [`GET ${homr}/reviews`]: { need: "user read 200" },
  [`GET ${homr}/escalations`]: { need: "user read 200" },
  [`GET ${escalation}`]: { need: "user read 200" },
  [`POST ${escalation}/answer`]: { need: "user run 200", body: () => ({ selected_option: "plain" }) },
  [`POST ${escalation}/dismiss`]: { need: "user run 200", body: () => ({}) },
  [`POST ${escalation}/think`]: { need: "user run 200" },
  [`POST ${escalation}/confirm`]: { need: "user run 200" },
  [`POST ${escalation}/reject`]: { need: "user run 200" },
  "GET /api/escalations": { need: "user read 200" },
  "GET /api/escalations/{escId}": { need: "user read 200" },
  "GET /api/memories": { need: "user read 200" },
  "PATCH /api/memories/{memoryId}": { need: "user run 200", body: () => ({ importance: "high" }) },
  "DELETE /api/memories/{memoryId}": { need: "user run 200" },
};

const agents = "/api/agents";
const agentProject = `${agents}/projects/{agentProject}`;
const agentTask = `${agentProject}/tasks/{agentTask}`;
const agentRun = `${agentTask}/runs/{agentRun}`;
const message = () => ({ message: "Hello" });

const agentRows: Readonly<Record<string, Row>> = {
  [`GET ${agents}`]: { need: "user read 200" },
  [`GET ${agents}/projects`]: { need: "user read 200" },
  [`GET ${agentProject}`]: { need: "user read 200" },
  [`GET ${agentProject}/tasks`]: { need: "user read 200" },
  [`POST ${agentProject}/tasks`]: { need: "user run 201", body: () => ({ prompt: "Water the roses" }) },
  [`GET ${agentProject}/runs`]: { need: "user read 200" },
  [`GET ${agentProject}/bus`]: { need: "user read 200" },
  [`POST ${agentProject}/bus`]: { need: "user run 201", body: message },
  [`GET ${agentProject}/bus/stream`]: { need: "user read 200" },
  [`GET ${agentProject}/facts`]: { need: "user read 200" },
  [`GET ${agentProject}/file`]: { need: "user read 200", query: "?name=FACT-20261116-1200000000-soil.md" },
  [`GET ${agentTask}`]: { need: "user read 200" },
  [`POST ${agentTask}/stop`]: { need: "user run 200", body: () => ({}) },
  [`GET ${agentTask}/bus`]: { need: "user read 200" },
  [`POST ${agentTask}/bus`]: { need: "user run 201", body: message },
  [`POST ${agentTask}/answer`]: {
    need: "user run 201",
    body: ({ agent }) => ({ question_id: agent.own.questionId, text: "Yes" }),
  },
  [`GET ${agentTask}/bus/stream`]: { need: "user read 200" },
  [`GET ${agentTask}/stream`]: { need: "user read 200" },
  [`GET ${agentTask}/facts`]: { need: "user read 200" },
  [`GET ${agentTask}/file`]: { need: "user read 200", query: "?name=TASK.md" },
  [`GET ${agentRun}`]: { need: "user read 200" },
  [`POST ${agentRun}/stop`]: { need: "user run 200", body: () => ({}) },
  [`GET ${agentRun}/file`]: { need: "user read 200", query: "?name=prompt.md" },
  [`GET ${agentRun}/log`]: { need: "user read 200" },
};

export const table: Readonly<Record<string, Row>> = {
  "GET /api/instance": { need: "anyone read 200" },
  "GET /api/models": { need: "user read 200" },
  "GET /healthz": { need: "anyone read 200" },
  "GET /readyz": { need: "anyone read 200" },
  ...identityRows,
  ...modelRows,
  ...projectRows,
  ...runRows,
  ...channelRows,
  ...chatRows,
  ...agentRows,
  ...outcomeRows,
  ...rowsOf("tasks"),
  ...rowsOf("goals"),
  ...rowsOf("plans"),
  ...rowsOf("milestones"),
  ...rowsOf("documents"),
};

/** Addresses outside of the contract: pages, files and figures. Anyone may have them, but for the figures. */
export const pages: readonly string[] = [
  "GET /auth/once",
  "GET /metrics",
  "GET /openapi.json",
  "GET /api-reference",
  "GET /api-reference/swagger-ui.css",
  "GET /api-reference/swagger-ui-bundle.js",
  "GET /assets/*",
  "GET /favicon.svg",
  "GET /favicon.ico",
  "GET /*",
];

const kindOfPlural = {
  tasks: "task",
  goals: "goal",
  plans: "plan",
  milestones: "milestone",
  documents: "document",
} as const;

/** The address of a row with ids in place. */
export function urlOf(name: string, fixture: Fixture, target: Target): string {
  const pattern = name.slice(name.indexOf(" ") + 1);
  const world = target === "foreign project" ? fixture.foreign : fixture.own;
  const things = target === "own" ? fixture.own : fixture.foreign;
  const which = target === "foreign thing" ? "foreign" : "own";
  const plural = pattern.split("/")[4] as keyof typeof kindOfPlural;
  const ids: Readonly<Record<string, string | undefined>> = {
    projectId: world.projectId,
    entityId: pattern.startsWith(runs) ? fixture.outputId[which] : things.things[kindOfPlural[plural]],
    iteration: "1",
    edgeId: things.edgeId,
    sessionId: fixture.sessionId[which],
    keyId: fixture.keyId[which],
    runId: fixture.runId[which],
    anyRunId: which === "own" ? fixture.runId.own : fixture.userId.foreign,
    changeId: fixture.changeId[which],
    notificationId: fixture.notificationId[which],
    channelId: fixture.channelId[which],
    chatId: fixture.chatId[which],
    messageSeq: "2",
    ...outcomeIds(pattern, fixture.outcome[which]),
    agentProject: fixture.agent[which].project,
    agentTask: fixture.agent[which].task,
    agentRun: fixture.agent[which].run,
    role: which === "own" ? "planner" : "cook",
    provider: which === "own" ? "anthropic" : "demo",
    userId: plural === undefined ? fixture.userId[which] : fixture.memberId[which],
  };
  return pattern.replaceAll(/\{(\w+)\}/g, (_, param: string) => ids[param] ?? "") + (table[name]?.query ?? "");
}

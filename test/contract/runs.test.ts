// Runs over HTTP: handing over an objective, looking at it, and every command, also where it has to be refused.

import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { insertRun, type RowStatus } from "../helpers/run-rows.ts";
import { type Answer, type Person, testApp } from "../helpers/test-app.ts";
import { makeWorld } from "../helpers/test-world.ts";

const app = await testApp({ maxConcurrentRuns: 1_000 });
const anna = await app.signUp("anna");
const ben = await app.signUp("ben");
const world = await makeWorld(app.admin, { [anna.id]: "owner", [ben.id]: "viewer" });
const other = await makeWorld(app.admin, { [anna.id]: "editor" });
const foreign = await makeWorld(app.admin, { [ben.id]: "owner" });

const runs = "/api/homework/runs";
const post = (url: string, body?: unknown, by: Person = anna) =>
  app.call("POST", url, by.session, body === undefined ? {} : { body });
const create = (over: object = {}, by: Person = anna) => post(runs, { objective: "Write the report", ...over }, by);
const show = async (runId: string, query = "", by: Person = anna) =>
  (await app.call("GET", `${runs}/${runId}${query}`, by.session)).body;
const created = async (over: object = {}, by: Person = anna) => {
  const { status, text, body } = await create(over, by);
  if (status !== 201) throw new Error(text);
  return (await show(body.run_id, "", by)).run;
};
const inStatus = (status: RowStatus, by: Person = anna) => insertRun(app.admin, by.id, status);
const said = ({ status, body }: Answer) => [status, body?.error?.code ?? body.status];
const countRuns = async () => (await app.admin.query("select from homework.homework_runs")).rowCount;

test("a run is handed over, and its page shows what was asked and what was left to us", async () => {
  const answer = await create();
  expect([answer.status, answer.body]).toEqual([
    201,
    {
      run_id: expect.any(String),
      status: "queued",
      place_in_line: null,
      url: `/homework/runs/${answer.body.run_id}`,
    },
  ]);
  const { run } = await show(answer.body.run_id);
  expect(routes.runs.get.result.shape.run.parse(run)).toEqual(run);
  expect(run).toMatchObject({
    objective: "Write the report",
    engine: "planner",
    scope: "global",
    project_ids: [],
    context_type: "global",
    budgets: { max_iterations: 20, max_wall_clock_ms: 3_600_000, max_cost_usd: null, hard: false },
    permissions: { write_mode: "autopilot", allowed_tools: null },
    forecast: null,
    report: null,
  });
});

test("everything that may be said about a run is kept", async () => {
  const criteria = [
    { kind: "entity_exists", entity: "task", title_like: "buy" },
    { kind: "entity_state", entity_id: world.things.task, state: "done" },
    {
      kind: "document_has",
      document_id: null,
      title_like: "",
      headings: ["Sources"],
      words_at_least: 300,
      sources_at_least: 2,
    },
    { kind: "link_exists", rel: "needs", src_id: world.things.task, dst_id: world.things.goal },
    { kind: "http_ok", url: "https://example.org/" },
  ];
  const run = await created({
    engine: "planner",
    scope: "multi_project",
    project_ids: [world.projectId, other.projectId],
    context_type: "task",
    entity_id: world.things.task,
    budgets: { max_iterations: 5, max_cost_usd: 0.1 + 0.2, max_total_tokens: 1_000, max_tool_calls: null, hard: true },
    permissions: { write_mode: "per_write", allowed_tools: ["create_task"] },
    completion_criteria: criteria,
    judge: true,
    time_zone: "Europe/Vienna",
  });
  expect(run).toMatchObject({
    engine: "planner",
    scope: "multi_project",
    project_ids: [world.projectId, other.projectId],
    context_type: "task",
    entity_id: world.things.task,
    budgets: { max_iterations: 5, max_cost_usd: 0.3, max_total_tokens: 1_000, max_tool_calls: null, hard: true },
    permissions: { write_mode: "per_write", allowed_tools: ["create_task"] },
    judge: true,
    time_zone: "Europe/Vienna",
  });
  const kept = run.completion_criteria.map((check: { kind: string; target: object }) => ({
    kind: check.kind,
    ...check.target,
  }));
  expect(kept).toEqual([...criteria, { kind: "plan_complete" }, { kind: "judge", rubric: expect.any(String) }]);
  const givers = run.completion_criteria.map(({ given_by: by }: { given_by: string }) => by);
  expect(givers).toEqual([...criteria.map(() => "user"), "platform", "platform"]);
});

test("without a scope it is the projects that are named, else the project of the entity", async () => {
  const scopeOf = async (body: object) => {
    const { scope, project_ids: ids, context_type: context } = await created(body);
    return [scope, ids, context];
  };
  expect(await scopeOf({ project_ids: [world.projectId] })).toEqual(["project", [world.projectId], "project"]);
  const both = [world.projectId, other.projectId];
  expect(await scopeOf({ project_ids: [...both, world.projectId] })).toEqual(["multi_project", both, "global"]);
  expect(await scopeOf({ entity_id: world.things.goal })).toEqual(["project", [world.projectId], "goal"]);
  expect(await scopeOf({ entity_id: world.projectId })).toEqual(["project", [world.projectId], "project"]);
  expect(await scopeOf({ entity_id: world.things.goal, scope: "global" })).toEqual(["global", [], "goal"]);
});

test("a project one may only look at can be named by a run that only looks", async () => {
  expect(
    (await create({ project_ids: [world.projectId], permissions: { allowed_tools: ["search", "get_document"] } }, ben))
      .status,
  ).toBe(201);
});

const bad: readonly (readonly [string, number, object])[] = [
  ["an empty objective", 400, { objective: "" }],
  ["an objective of blanks", 400, { objective: " \n\t" }],
  ["an objective of 100 kB", 400, { objective: "x".repeat(100_000) }],
  ["a negative budget", 400, { budgets: { max_iterations: -1 } }],
  ["a budget of nothing", 400, { budgets: { max_cost_usd: 0 } }],
  ["less than a micro-dollar", 400, { budgets: { max_cost_usd: 1e-9 } }],
  ["an absurd budget", 400, { budgets: { max_wall_clock_ms: 1e15 } }],
  ["a budget nobody knows", 400, { budgets: { max_patience: 1 } }],
  ["an unknown scope", 400, { scope: "galaxy" }],
  ["an engine that is not there yet", 400, { engine: "agent" }],
  ["a scope without its project", 400, { scope: "project" }],
  ["a scope with a project too many", 400, { scope: "project", project_ids: [world.projectId, other.projectId] }],
  ["projects with a scope that takes none", 400, { scope: "global", project_ids: [world.projectId] }],
  ["a foreign project", 404, { project_ids: [foreign.projectId] }],
  ["a foreign project among one's own", 404, { project_ids: [world.projectId, foreign.projectId] }],
  ["a project that is not there", 404, { project_ids: ["00000000-0000-7000-8000-000000000000"] }],
  ["a foreign entity", 404, { entity_id: foreign.things.task }],
  ["a foreign project as entity", 404, { entity_id: foreign.projectId }],
  ["an entity that is something else", 400, { context_type: "goal", entity_id: world.things.task }],
  ["a context without its entity", 400, { context_type: "task" }],
  ["a time zone that there is not", 400, { time_zone: "Europe/Atlantis" }],
  ["the 51st criterion", 400, { completion_criteria: Array(51).fill({ kind: "judge", rubric: "x" }) }],
  ["a criterion the platform keeps for itself", 400, { completion_criteria: [{ kind: "plan_complete" }] }],
];
test.for(bad)("%s is refused with %i, and nothing is written", async ([, status, over]) => {
  const before = await countRuns();
  expect((await create(over)).status).toBe(status);
  expect(await countRuns()).toBe(before);
});

test("a project in the bin is not worked on", async () => {
  const gone = await makeWorld(app.admin, { [anna.id]: "owner" });
  await app.call("DELETE", `/api/projects/${gone.projectId}`, anna.session);
  expect(said(await create({ project_ids: [gone.projectId] }))).toEqual([409, "deleted"]);
});

test("the same Idempotency-Key starts one run", async () => {
  const headers = { "idempotency-key": "one-run" };
  const options = { body: { objective: "Only once" }, headers };
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.call("POST", runs, ben.session, options)));
  expect(new Set(answers.map(({ body }) => body.run_id)).size).toBe(1);
});

test("pause stops it, resume goes on with larger budgets, cancel ends it", async () => {
  const { id } = await created({ budgets: { max_iterations: 5, max_cost_usd: 1 } });
  const paused = await post(`${runs}/${id}/pause`);
  expect(paused.body).toMatchObject({
    status: "stopped",
    stop_reason: { type: "paused" },
    report: { status: "stopped" },
  });
  const resumed = await post(`${runs}/${id}/resume`, { budgets: { max_iterations: 9, max_total_tokens: 77 } });
  expect(resumed.body).toMatchObject({ status: "queued", stop_reason: null, completed_at: null });
  expect(resumed.body.budgets).toMatchObject({ max_iterations: 9, max_cost_usd: 1, max_total_tokens: 77 });
  const unlimited = await post(`${runs}/${id}/pause`).then(() =>
    post(`${runs}/${id}/resume`, { budgets: { max_cost_usd: null } }),
  );
  expect(unlimited.body.budgets.max_cost_usd).toBeNull();
  const canceled = await post(`${runs}/${id}/cancel`);
  expect(canceled.body).toMatchObject({ status: "canceled", report: { stopping_reason: { type: "canceled" } } });
  expect(routes.runs.cancel.result.parse(canceled.body)).toEqual(canceled.body);
});

test("a run that used up its iterations needs a larger budget to go on", async () => {
  const id = await inStatus("stopped");
  const refused = await post(`${runs}/${id}/resume`, { budgets: { max_iterations: 1 } });
  expect([...said(refused), refused.body.error.message]).toEqual([
    409,
    "wrong_status",
    "1 of 1 iterations used: resume it with a higher limit",
  ]);
  expect(said(await post(`${runs}/${id}/resume`, { budgets: { max_iterations: 3 } }))).toEqual([200, "queued"]);
});

test("an answer sends a waiting run back to work, and the second one is told who was first", async () => {
  const id = await inStatus("waiting_on_user");
  const answers = [{ question_id: "question_1", text: "The second" }];
  expect((await show(id)).run.questions).toEqual([
    { id: "question_1", kind: "question", text: "Which one?", options: [] },
  ]);
  const first = await post(`${runs}/${id}/respond`, { answers });
  expect(first.body).toMatchObject({ status: "queued", iteration: 3, unread_messages: 1, questions: [] });
  const second = await post(`${runs}/${id}/respond`, { answers });
  expect(said(second)).toEqual([409, "wrong_status"]);
  expect(second.body.error.details).toMatchObject({ status: "queued", run: { id, iteration: 3 } });
});

test("of ten answers at once one is taken", async () => {
  const id = await inStatus("waiting_on_user");
  const answers = [{ question_id: "question_1", text: "Mine" }];
  const all = await Promise.all(Array.from({ length: 10 }, () => post(`${runs}/${id}/respond`, { answers })));
  expect(all.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
  const { rowCount } = await app.admin.query("select from homework.homework_run_messages where run_id = $1", [id]);
  expect(rowCount).toBe(1);
});

test("a question it did not ask, or one left open, is named", async () => {
  const id = await inStatus("waiting_on_user");
  await app.admin.query(
    `update homework.homework_runs set questions = questions || '[{"id": "q2", "kind": "question", "text": "And when?", "options": []}]'
      where id = $1`,
    [id],
  );
  const respond = (...ids: string[]) =>
    post(`${runs}/${id}/respond`, { answers: ids.map((question_id) => ({ question_id, text: "x" })) });
  const unknown = await respond("question_1", "q3");
  expect([...said(unknown), unknown.body.error.message]).toEqual([
    409,
    "wrong_status",
    'The run did not ask "q3"; it asks question_1, q2',
  ]);
  expect((await respond("question_1")).body.error.message).toBe("Also answer: And when?");
  expect((await respond("question_1", "question_1")).status).toBe(400);
  expect(said(await respond("question_1", "q2"))).toEqual([200, "queued"]);
});

test("a message is kept for the next iteration", async () => {
  const { id } = await created();
  expect((await post(`${runs}/${id}/steer`, { message: "Mind the gap" })).body.unread_messages).toBe(1);
  const { events } = await show(id, "?include_events=true");
  expect(events.items.at(-1)).toMatchObject({ type: "run_steered", event: { message: "Mind the gap" } });
});

test("a fork begins with the plan of an iteration, and the old run stays as it is", async () => {
  const id = await inStatus("canceled");
  const forked = await post(`${runs}/${id}/fork`, { objective: "Once more", budgets: { max_cost_usd: 2 } });
  expect([forked.status, forked.body]).toMatchObject([
    201,
    {
      status: "queued",
      iteration: 1,
      objective: "Once more",
      forked_from: { run_id: id, iteration: 1 },
      budgets: { max_iterations: 20, max_cost_usd: 2 },
      plan: [{ title: "After the first iteration" }],
    },
  ]);
  expect((await show(id)).run.status).toBe("canceled");
});

test("a run and a fork of it ask the models that were chosen for them", async () => {
  const models = { planner: "anthropic/claude-sonnet-4-5", judge: "openai/gpt-5:free" };
  expect((await created()).models).toBeNull();
  expect((await created({ models })).models).toEqual(models);
  const id = await inStatus("canceled");
  await app.admin.query("update homework.homework_runs set models = $2 where id = $1", [id, JSON.stringify(models)]);
  const forked = async (change: object) => (await post(`${runs}/${id}/fork`, change)).body.models;
  expect(await forked({})).toEqual(models);
  expect(await forked({ models: { planner: "demo/rules" } })).toEqual({ ...models, planner: "demo/rules" });
  expect(await forked({ models: null })).toBeNull();
  for (const wrong of [{ cook: "demo/rules" }, { planner: "" }, { planner: "a b" }])
    expect((await post(`${runs}/${id}/fork`, { models: wrong })).status).toBe(400);
});

test("nothing is forked from an iteration that has not ended", async () => {
  expect(said(await post(`${runs}/${await inStatus("queued")}/fork`, { iteration: 2 }))).toEqual([404, "not_found"]);
  const { id } = await created();
  expect(said(await post(`${runs}/${id}/fork`, {}))).toEqual([409, "wrong_status"]);
});

test("a fork does not bring back a project one has left", async () => {
  const left = await makeWorld(app.admin, { [anna.id]: "editor", [ben.id]: "owner" });
  const id = await inStatus("stopped");
  await app.admin.query("update homework.homework_runs set scope = 'project', project_ids = $2 where id = $1", [
    id,
    [left.projectId],
  ]);
  expect((await post(`${runs}/${id}/fork`, {})).status).toBe(201);
  await app.call("DELETE", `/api/projects/${left.projectId}/members/${anna.id}`, ben.session);
  expect(said(await post(`${runs}/${id}/fork`, {}))).toEqual([404, "not_found"]);
});

const commands = { cancel: undefined, pause: undefined, resume: {}, steer: { message: "x" } } as const;
const answers = { answers: [{ question_id: "question_1", text: "x" }] };
const wrong: readonly (readonly [RowStatus, string, unknown])[] = [
  ["canceled", "cancel", commands.cancel],
  ["canceled", "pause", commands.pause],
  ["canceled", "resume", commands.resume],
  ["canceled", "steer", commands.steer],
  ["canceled", "respond", answers],
  ["stopped", "pause", commands.pause],
  ["stopped", "respond", answers],
  ["queued", "resume", commands.resume],
  ["queued", "respond", answers],
  ["waiting_on_user", "pause", commands.pause],
  ["waiting_on_user", "resume", commands.resume],
];
test.for(wrong)("to a %s run, %s is refused and says how it stands", async ([status, command, body]) => {
  const id = await inStatus(status);
  const { run: before } = await show(id);
  const answer = await post(`${runs}/${id}/${command}`, body);
  expect(said(answer)).toEqual([409, "wrong_status"]);
  expect(answer.body.error.details).toEqual({ status, run: before });
  expect((await show(id)).run).toEqual(before);
});

test("every command leaves its line in the audit log, and a refused one leaves none", async () => {
  const { id } = await created();
  const waiting = await inStatus("waiting_on_user");
  const steps: readonly (readonly [string, string, unknown])[] = [
    [id, "steer", commands.steer],
    [id, "pause", undefined],
    [id, "pause", undefined],
    [id, "resume", {}],
    [id, "cancel", undefined],
    [id, "cancel", undefined],
    [waiting, "respond", answers],
    [waiting, "fork", {}],
  ];
  for (const [runId, command, body] of steps) await post(`${runs}/${runId}/${command}`, body);
  const { rows } = await app.admin.query(
    "select action, target, actor_id from homework.audit_log where action like 'run\\_%' order by seq desc limit 7",
  );
  expect(rows.map(({ action }) => action).toReversed()).toEqual([
    ...["run_created", "run_steered", "run_paused", "run_resumed", "run_canceled", "run_answered", "run_forked"],
  ]);
  expect(rows[5]).toEqual({ action: "run_steered", target: `run:${id}`, actor_id: anna.id });
});

test("iterations and events come in pages", async () => {
  const id = await inStatus("queued");
  await app.admin.query(
    `insert into homework.homework_run_iterations (run_id, iteration, attempts, status, started_at)
     values ($1, 2, 3, 'running', now())`,
    [id],
  );
  for (const message of ["a", "b", "c"]) await post(`${runs}/${id}/steer`, { message });
  const first = await show(id, "?include_iterations=true&include_events=true&limit=1");
  expect(first.iterations.items).toMatchObject([{ iteration: 2, attempts: 3, status: "running", metrics: null }]);
  expect(first.events).toMatchObject({ items: [{ seq: 1 }], next_since_seq: 1 });
  const query = `?include_iterations=true&iterations_cursor=${first.iterations.next_cursor}`;
  const rest = await show(id, `${query}&include_events=true&events_since_seq=1`);
  expect(rest.iterations).toMatchObject({ items: [{ iteration: 1, decision: "continue" }], next_cursor: null });
  expect(rest.events.items.map(({ seq }: { seq: number }) => seq)).toEqual([2, 3]);
  expect(rest.events.next_since_seq).toBeNull();
  const middle = await show(id, "?include_iterations=true&iterations_before=2");
  expect(middle.iterations.items).toMatchObject([{ iteration: 1 }]);
  expect((await show(id, "?include_events=true&events_since_seq=99")).events).toEqual({
    items: [],
    next_since_seq: null,
  });
});

test("a workspace shows the documents the run made for itself, as far as one may see them", async () => {
  const id = await inStatus("queued");
  const empty = await show(id, "?include_workspace=true");
  expect(empty.workspace).toEqual({
    root_document_id: null,
    project_id: null,
    documents: [],
    edges: [],
    scratchpad: null,
  });
  const mark = (projectId: string, title: string, of: string) =>
    app.admin.query(
      `insert into homework.onto_documents (id, project_id, title, props, created_by_run)
       values (gen_random_uuid(), $1, $2, $3, $4)`,
      [projectId, title, JSON.stringify({ homework: { run_id: of } }), of],
    );
  await mark(world.projectId, "Scratchpad", id);
  await mark(foreign.projectId, "Elsewhere", id);
  await mark(world.projectId, "Of another run", await inStatus("queued"));
  const { documents } = (await show(id, "?include_workspace=true")).workspace;
  expect(documents).toEqual([
    {
      id: expect.any(String),
      project_id: world.projectId,
      title: "Scratchpad",
      type_key: expect.any(String),
      parent_id: null,
      path: null,
      tags: [],
    },
  ]);
});

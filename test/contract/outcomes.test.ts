// Outcomes over HTTP: made by hand or from a brief, edited against a version, started, paused, deleted while runs are at work.

import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { insertOutcome } from "../helpers/outcome-rows.ts";
import { type Answer, type Person, testApp } from "../helpers/test-app.ts";
import { makeWorld } from "../helpers/test-world.ts";

const app = await testApp({ maxConcurrentRuns: 1_000 });
const anna = await app.signUp("anna");
const ben = await app.signUp("ben");

const outcomes = "/api/outcomes";
const get = async (path: string, by: Person = anna) => app.call("GET", `${outcomes}/${path}`, by.session);
const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app.call("POST", `${outcomes}${path}`, anna.session, body === undefined ? { headers } : { body, headers });
const patch = (path: string, body: unknown) => app.call("PATCH", `${outcomes}/${path}`, anna.session, { body });
const said = ({ status, body }: Answer) => [status, body?.error?.code ?? body.status];

const twoTasks = [{ title: "Draw it" }, { title: "Build it", depends_on: [1] }];
const created = async (over: object = {}) => {
  const answer = await post("", { name: "A shop for lamps", tasks: twoTasks, ...over });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
};
const tasksOf = async (id: string) => (await get(`${id}/tasks`)).body.items;
const runsOf = async (id: string) =>
  (
    await app.admin.query(
      `select r.status from homework.homework_runs r join homework.outcome_tasks t on t.id = r.outcome_task_id
        where t.outcome_id = $1 order by t.number`,
      [id],
    )
  ).rows.map(({ status }) => status);
const jobsOf = async (id: string) =>
  (
    await app.admin.query(
      "select data->'turn'->>'kind' as kind from homework.open_jobs where data->>'outcome_id' = $1",
      [id],
    )
  ).rows.map(({ kind }) => kind);

test("an outcome with tasks is written down as it was given, and waits to be started", async () => {
  const outcome = await created({
    intent: { summary: "Sell lamps", items: [{ title: "A page" }], success_criteria: ["A lamp can be bought"] },
    approach: "A plain page",
    workers: 2,
    run_budgets: { max_iterations: 5 },
    max_cost_usd: 1.5,
    homr: { max_discoveries: 20, failure_patterns: { lookback_count: 7 } },
    auto_resolve: { mode: "semi_auto" },
  });
  expect(routes.outcomes.get.result.parse(outcome)).toEqual(outcome);
  expect(outcome).toMatchObject({
    status: "dormant",
    tasks: { pending: 2, running: 0 },
    intent: { items: [{ id: "item_1", title: "A page", priority: "medium", acceptance_criteria: [] }] },
    approach: { version: 1, text: "A plain page" },
    run_budgets: { max_iterations: 5, max_wall_clock_ms: 3_600_000 },
    max_cost_usd: 1.5,
    homr: {
      max_discoveries: 20,
      enabled: true,
      failure_patterns: { lookback_count: 7, consecutive_failure_threshold: 3 },
    },
    auto_resolve: { mode: "semi_auto", threshold: 0.8, deadline_hours: null },
    is_drafting: false,
    version: 1,
  });
  const [first, second] = await tasksOf(outcome.id);
  expect([first.number, second.depends_on]).toEqual([1, [first.id]]);
  expect(await runsOf(outcome.id)).toEqual([]);
});

test("one that starts at once has a run on the task that is ready, and on no other", async () => {
  const outcome = await created({ start: true, workers: 3 });
  expect(outcome).toMatchObject({ status: "active", tasks: { running: 1, pending: 1 } });
  expect(await runsOf(outcome.id)).toEqual(["queued"]);
});

test("a brief is drafted by a job, and its name is its beginning", async () => {
  const outcome = (await post("", { brief: "A page for the bakery\nwith opening hours" })).body;
  expect(outcome).toMatchObject({ name: "A page for the bakery", status: "dormant", is_drafting: true });
  expect(await jobsOf(outcome.id)).toEqual(["draft"]);
  const begun = (await post("", { brief: "A page for the bakery", start: true })).body;
  expect([begun.status, begun.is_drafting]).toEqual(["active", true]);
});

test("the same Idempotency-Key makes one outcome", async () => {
  const key = { "idempotency-key": "outcome-1" };
  const body = { name: "Once", tasks: twoTasks };
  const answers = [await post("", body, key), await post("", body, key)];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers[0]?.body).toEqual(answers[1]?.body);
  expect((await app.call("GET", `${outcomes}?q=once`, anna.session)).body.items).toHaveLength(1);
});

test("tasks that wait for each other in a circle, and places that are not there, are refused", async () => {
  const circle = [
    { title: "A", depends_on: [3] },
    { title: "B", depends_on: [1] },
    { title: "C", depends_on: [2] },
  ];
  expect(said(await post("", { name: "Circle", tasks: circle }))).toEqual([400, "invalid_request"]);
  expect(said(await post("", { name: "Gap", tasks: [{ title: "A", depends_on: [9] }] }))).toEqual([
    400,
    "invalid_request",
  ]);
});

test("a project that one may not see, and an engine that is not here, are refused", async () => {
  const foreign = await makeWorld(app.admin, { [ben.id]: "owner" });
  expect((await post("", { brief: "x", project_id: foreign.projectId })).status).toBe(404);
  expect(said(await post("", { brief: "x", engine: "agent" }))).toEqual([400, "invalid_request"]);
});

test("an edit against an older version is refused and shows what is there", async () => {
  const outcome = await created();
  const first = await patch(outcome.id, { version: 1, name: "Renamed", approach: "Another way" });
  expect([first.status, first.body.version, first.body.approach]).toEqual([
    200,
    2,
    { version: 1, text: "Another way" },
  ]);
  const late = await patch(outcome.id, { version: 1, name: "Late" });
  expect([said(late), late.body.error.details.current.name]).toEqual([[409, "stale_version"], "Renamed"]);
});

test("every new approach is a version of the design, and the old ones are kept", async () => {
  const outcome = await created({ approach: "One" });
  const late = await post(`/${outcome.id}/designs`, { version: outcome.version + 1, text: "Late" });
  expect(said(late)).toEqual([409, "stale_version"]);
  const second = await post(`/${outcome.id}/designs`, { version: outcome.version, text: "Two" });
  expect([second.status, second.body.version, second.body.made_by]).toEqual([201, 2, "user"]);
  const designs = (await get(`${outcome.id}/designs`)).body.items;
  expect(designs.map(({ version, text }: { version: number; text: string }) => [version, text])).toEqual([
    [2, "Two"],
    [1, "One"],
  ]);
});

test("pausing pauses its runs, resuming goes on with them, archiving cancels them", async () => {
  const { id } = await created({ start: true });
  expect((await post(`/${id}/pause`)).body.status).toBe("paused");
  expect(await runsOf(id)).toEqual(["stopped"]);
  expect(said(await post(`/${id}/pause`))).toEqual([409, "wrong_status"]);
  expect((await post(`/${id}/resume`)).body.status).toBe("active");
  expect(await runsOf(id)).toEqual(["queued"]);
  expect((await post(`/${id}/archive`)).body.status).toBe("archived");
  expect(await runsOf(id)).toEqual(["canceled"]);
});

test("deleting one while a worker has its task cancels the run, and it is gone everywhere", async () => {
  const { id } = await created({ start: true });
  const deleted = await app.call("DELETE", `${outcomes}/${id}`, anna.session);
  expect([deleted.status, deleted.body]).toEqual([200, { id, deleted: true }]);
  expect(await runsOf(id)).toEqual(["canceled"]);
  for (const path of ["", "/tasks", "/homr", "/homr/escalations", "/designs", "/stream"])
    expect([path, (await get(`${id}${path}`)).status]).toEqual([path, 404]);
  expect((await app.call("DELETE", `${outcomes}/${id}`, anna.session)).status).toBe(404);
  const ids = (await app.call("GET", `${outcomes}?limit=200`, anna.session)).body.items.map(
    (one: { id: string }) => one.id,
  );
  expect(ids).not.toContain(id);
});

test("lists come in pages by status and name, last changed first", async () => {
  const { outcomeId } = await insertOutcome(app.admin, ben.id, { status: "achieved", name: "Lanterns" });
  await insertOutcome(app.admin, ben.id, { name: "Candles" });
  const list = async (query: string) => (await app.call("GET", `${outcomes}?${query}`, ben.session)).body;
  const first = await list("limit=1");
  expect(first.items.map(({ name }: { name: string }) => name)).toEqual(["Candles"]);
  expect((await list(`limit=1&cursor=${first.next_cursor}`)).items[0].id).toBe(outcomeId);
  expect((await list("status=achieved")).items.map((one: { id: string }) => one.id)).toEqual([outcomeId]);
  expect((await list("q=LANT")).items).toHaveLength(1);
  expect(first.items[0]).toMatchObject({
    tasks: { completed: 1, paused: 1, failed: 1, pending: 1 },
    open_escalations: 1,
    latest: { summary: "Observed task #1" },
  });
});

test("what a person says stands in the prompts that come, until it is taken back", async () => {
  const { id } = await created();
  const told = await post(`/${id}/interventions`, { message: "Only brass lamps" });
  expect([told.status, told.body.type, told.body.status]).toEqual([201, "redirect", "acknowledged"]);
  const injections = async () =>
    (await get(`${id}/homr/context`)).body.injections.map((one: { content: string; priority: string }) => [
      one.content,
      one.priority,
    ]);
  expect(await injections()).toEqual([["Only brass lamps", "must_know"]]);
  const back = await app.call("DELETE", `${outcomes}/${id}/interventions/${told.body.id}`, anna.session);
  expect([back.status, back.body.status]).toEqual([200, "dismissed"]);
  expect(await injections()).toEqual([]);
  const again = await app.call("DELETE", `${outcomes}/${id}/interventions/${told.body.id}`, anna.session);
  expect(said(again)).toEqual([409, "wrong_status"]);
});

test("an outcome that is started at once waits for its user before it tells anyone, as workers do", async () => {
  await created();
  const worker = await app.admin.connect();
  try {
    await worker.query("begin");
    await worker.query("select from homework.auth_users where id = $1 for no key update", [anna.id]);
    const starting = created({ start: true });
    await expect.poll(async () => countWaiting()).toBe(1);
    // A worker tells the user's feed last. If the other one held it already, both would wait for ever.
    await worker.query("update homework.user_feeds set user_id = user_id where user_id = $1", [anna.id]);
    await worker.query("commit");
    expect((await starting).status).toBe("active");
  } finally {
    worker.release(true);
  }
});

/** Sessions of this database that wait for a lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await app.admin.query(
    "select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0].waiting;
}

test("a run on a task names its outcome and its task; a run by itself names none", async () => {
  const { id } = await created({ name: "A shop with a run", start: true });
  const [task] = await tasksOf(id);
  const runOf = async (runId: string) => (await app.call("GET", `/api/homework/runs/${runId}`, anna.session)).body;
  expect((await runOf(task.run_id)).outcome_task).toEqual({
    outcome_id: id,
    outcome_name: "A shop with a run",
    task_id: task.id,
    number: 1,
    title: "Draw it",
  });
  const alone = await app.call("POST", "/api/homework/runs", anna.session, { body: { objective: "Draw it" } });
  expect((await runOf(alone.body.run_id)).outcome_task).toBeNull();
});

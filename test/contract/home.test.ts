// What the home page asks for: titles, what runs made, what was put away, and what happened since the last visit.

import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { insertRun } from "../helpers/run-rows.ts";
import { type Person, testApp } from "../helpers/test-app.ts";
import { makeWorld } from "../helpers/test-world.ts";

const app = await testApp({ maxConcurrentRuns: 1_000 });
let people = 0;
const someone = () => {
  people += 1;
  return app.signUp(`person${people}`);
};

const runs = "/api/homework/runs";
const list = async (by: Person, query: Readonly<Record<string, string>> = {}) => {
  const answer = await app.call("GET", `${runs}?${new URLSearchParams(query)}`, by.session);
  return routes.runs.list.result.parse(answer.body).items;
};
const ids = async (by: Person, query: Readonly<Record<string, string>> = {}) =>
  (await list(by, query)).map(({ id }) => id);
const label = (by: Person, runId: string, body: object) => app.call("PATCH", `${runs}/${runId}`, by.session, { body });
const set = (runId: string, column: string, value: unknown) =>
  app.admin.query(`update homework.homework_runs set ${column} = $2 where id = $1`, [runId, value]);

/** Hours before now. */
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

async function endedAgo(by: Person, hours: number): Promise<string> {
  const id = await insertRun(app.admin, by.id, "stopped");
  await set(id, "stop_reason", "no_progress");
  await set(id, "ended_at", ago(hours));
  return id;
}

test("a run is called by the first line of its objective until its user names it, and is found by either", async () => {
  const anna = await someone();
  const id = await insertRun(app.admin, anna.id, "queued");
  await set(id, "objective", `\n  Plan the ${"long ".repeat(30)}garden\nwith a pond`);
  const [row] = await list(anna);
  expect(row?.title).toMatch(/^Plan the long .*…$/);
  expect(row?.title.length).toBeLessThanOrEqual(80);
  const renamed = await label(anna, id, { title: "My garden" });
  expect([renamed.status, renamed.body.title]).toEqual([200, "My garden"]);
  expect((await list(anna))[0]?.title).toBe("My garden");
  expect(await ids(anna, { q: "my gard" })).toEqual([id]);
  expect(await ids(anna, { q: "pond" })).toEqual([id]);
  expect((await label(anna, id, { title: null })).body.title).toBe(row?.title);
});

test.each([{}, { title: "" }, { title: "x".repeat(201) }, { is_archived: "yes" }, { objective: "Other" }])(
  "%o is no label",
  async (body) => {
    const anna = await someone();
    expect((await label(anna, await insertRun(app.admin, anna.id, "stopped"), body)).status).toBe(400);
  },
);

test("an ended run can be put away and taken out again; search finds it all the same", async () => {
  const anna = await someone();
  const [away, stays] = [await endedAgo(anna, 1), await endedAgo(anna, 1)];
  const answer = await label(anna, away, { is_archived: true });
  expect([answer.status, answer.body.is_archived]).toEqual([200, true]);
  expect(await ids(anna)).toEqual([stays]);
  expect(await ids(anna, { archived: "only" })).toEqual([away]);
  expect(await ids(anna, { archived: "all" })).toEqual([stays, away]);
  expect(await ids(anna, { q: "report" })).toEqual([stays, away]);
  const { body } = await app.call("GET", "/api/homework/counts", anna.session);
  expect(body.counts.stopped).toBe(1);
  expect((await label(anna, away, { is_archived: false })).body.is_archived).toBe(false);
  expect(await ids(anna)).toEqual([stays, away]);
});

test("a run that goes on cannot be put away, and one that was put away is shown again when it is resumed", async () => {
  const anna = await someone();
  const waits = await insertRun(app.admin, anna.id, "waiting_on_user");
  const refused = await label(anna, waits, { is_archived: true });
  expect([refused.status, refused.body.error.code]).toEqual([409, "wrong_status"]);
  const rests = await insertRun(app.admin, anna.id, "stopped");
  await label(anna, rests, { is_archived: true });
  const resumed = await app.call("POST", `${runs}/${rests}/resume`, anna.session, { body: {} });
  expect([resumed.status, resumed.body.is_archived]).toEqual([200, false]);
  expect(await ids(anna)).toEqual([rests, waits]);
});

test("rows say what a run made, and whether one has looked since", async () => {
  const anna = await someone();
  const id = await endedAgo(anna, 1);
  expect(await list(anna)).toMatchObject([{ made: [], is_unread: false }]);
  const made = [{ type: "document", created: 5, updated: 1 }];
  await set(id, "report", JSON.stringify({ what_changed: { counts: made } }));
  await app.admin.query(
    `insert into homework.user_notifications (id, user_id, about, run_id, event, title, message, action_url)
     values (gen_random_uuid(), $1, 'run:' || $2::text, $2::uuid, 'stopped', 'Homework stopped', 'It', '/homework/runs/' || $2::text)`,
    [anna.id, id],
  );
  expect(await list(anna)).toMatchObject([{ made, is_unread: true }]);
  await app.call("POST", "/api/notifications/visited", anna.session, { body: { path: `/homework/runs/${id}` } });
  expect(await list(anna)).toMatchObject([{ made, is_unread: false }]);
});

test("what ended since a moment, and what ended before it", async () => {
  const anna = await someone();
  const [old, fresh] = [await endedAgo(anna, 20), await endedAgo(anna, 2)];
  await insertRun(app.admin, anna.id, "queued");
  expect(await ids(anna, { ended_since: ago(10) })).toEqual([fresh]);
  expect(await ids(anna, { group: "finished", ended_before: ago(10) })).toEqual([old]);
  expect((await app.call("GET", `${runs}?q=a&ended_since=${ago(10)}`, anna.session)).status).toBe(400);
});

test("a project's runs are those that were given it and the one that made it", async () => {
  const anna = await someone();
  const { projectId } = await makeWorld(app.admin, { [anna.id]: "owner" });
  const [given, maker] = [await insertRun(app.admin, anna.id), await insertRun(app.admin, anna.id)];
  await insertRun(app.admin, anna.id);
  await app.admin.query(
    "update homework.homework_runs set scope = 'project', project_ids = array[$2::uuid] where id = $1",
    [given, projectId],
  );
  await app.admin.query("update homework.onto_projects set created_by_run = $2 where id = $1", [projectId, maker]);
  expect(await ids(anna, { project_id: projectId })).toEqual([maker, given]);
  expect(await ids(await someone(), { project_id: projectId })).toEqual([]);
});

const news = async (by: Person) =>
  routes.runParts.news.result.parse((await app.call("GET", "/api/homework/news", by.session)).body);
const visit = async (by: Person) =>
  routes.runParts.visit.result.parse((await app.call("POST", "/api/homework/visit", by.session)).body);
const seen = (by: Person, hours: number) =>
  app.admin.query("update homework.user_visits set seen_at = $2 where user_id = $1", [by.id, ago(hours)]);

const ended = { completed: 0, stopped: 1, failed: 0 };

test("on a first visit everything so far is news", async () => {
  const anna = await someone();
  await endedAgo(anna, 1);
  const soFar = { since: null, finished: 1, ...ended, needs_you: 0, cost_micro_usd: 0, unpriced_calls: 0 };
  expect(await news(anna)).toEqual(soFar);
  expect(await visit(anna)).toEqual(soFar);
  expect(await visit(anna)).toEqual(soFar);
});

test("a visit tells what finished by itself since the last one, what needs its user, and what was spent", async () => {
  const anna = await someone();
  await visit(anna);
  await seen(anna, 14);
  const finished = await endedAgo(anna, 3);
  await endedAgo(anna, 20);
  await insertRun(app.admin, anna.id, "canceled");
  await insertRun(app.admin, anna.id, "stopped");
  await insertRun(app.admin, anna.id, "waiting_on_user");
  for (const [hours, cost] of [
    [3, 4_120_000],
    [20, 7],
  ] as const)
    await app.admin.query(
      `insert into homework.llm_usage_logs (call_id, user_id, run_id, role, model, state, reserved_micro_usd, cost_micro_usd, priced_by, created_at, settled_at)
       values (gen_random_uuid(), $1, $2, 'planner', 'm', 'settled', $3, $3, 'table', $4, $4)`,
      [anna.id, finished, cost, ago(hours)],
    );
  const told = await visit(anna);
  expect(told).toMatchObject({ finished: 1, ...ended, needs_you: 1, cost_micro_usd: 4_120_000 });
  // What was undone is no longer something that stopped.
  await set(finished, "undone_at", ago(1));
  expect(await news(anna)).toMatchObject({ finished: 1, stopped: 0 });
  await set(finished, "undone_at", null);
  expect(Date.now() - Date.parse(told.since ?? "")).toBeGreaterThan(13 * 3_600_000);
  expect(await visit(anna)).toEqual(told);
  expect(await news(anna)).toEqual(told);
});

test("a visit goes on over a short absence", async () => {
  const anna = await someone();
  await visit(anna);
  await seen(anna, 0.4);
  expect((await visit(anna)).since).toBeNull();
  await seen(anna, 0.6);
  expect((await visit(anna)).since).not.toBeNull();
});

const home = async (by: Person) =>
  routes.runParts.home.result.parse((await app.call("GET", "/api/homework/home", by.session)).body);
const idsIn = (page: { readonly items: readonly { readonly id: string }[] } | null) => page?.items.map(({ id }) => id);

test("home begins with the runs of each group, and splits what ended at the last visit", async () => {
  const anna = await someone();
  const [old, fresh] = [await endedAgo(anna, 20), await endedAgo(anna, 2)];
  const waiting = await insertRun(app.admin, anna.id, "waiting_on_user");
  const queued = await insertRun(app.admin, anna.id, "queued");
  const first = await home(anna);
  expect(first.news.since).toBeNull();
  expect(first.finished_since).toBeNull();
  expect(idsIn(first.finished)?.toSorted()).toEqual([old, fresh].toSorted());
  await visit(anna);
  await seen(anna, 10);
  const later = await home(anna);
  expect(idsIn(later.needs_you)).toEqual([waiting]);
  expect(idsIn(later.active)).toEqual([queued]);
  expect(idsIn(later.finished_since)).toEqual([fresh]);
  expect(idsIn(later.finished)).toEqual([old]);
});

test("a visit that is noted later says the same as the home page before it", async () => {
  const anna = await someone();
  await visit(anna);
  await seen(anna, 10);
  expect(await visit(anna)).toEqual((await home(anna)).news);
  await seen(anna, 1);
  const before = await home(anna);
  expect(await visit(anna)).toEqual(before.news);
});

test("questions of one's own agents are among what every page shows, until they are answered; those of others are not", async () => {
  const [anna, ben] = [await someone(), await someone()];
  const { project, task, questionId } = app.desks.makeTask(anna.id, "garden");
  app.desks.makeTask(ben.id, "garden");
  const asked = async (by: Person) =>
    (await app.call("GET", "/api/homework/counts", by.session)).body.agent_questions as readonly object[];
  expect(await asked(anna)).toEqual([
    {
      project_id: project,
      task_id: task,
      title: "Water the plants",
      question_id: questionId,
      question: "The roses, too?",
      asked_at: "2026-11-16T12:00:00.000Z",
    },
  ]);
  await app.call("POST", `/api/agents/projects/${project}/tasks/${task}/answer`, anna.session, {
    body: { question_id: questionId, text: "Yes" },
  });
  expect([(await asked(anna)).length, (await asked(ben)).length]).toEqual([0, 1]);
});

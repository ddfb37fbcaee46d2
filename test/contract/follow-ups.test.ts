// Following up a run that has ended: a new run that remembers it, once per key, and shown on the pages of both.

import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { noAgents } from "../helpers/no-agents.ts";
import { insertRun, type RowStatus } from "../helpers/run-rows.ts";
import { type Answer, type Person, testApp } from "../helpers/test-app.ts";
import { makeWorld } from "../helpers/test-world.ts";

const agents = { ...noAgents, show: () => ({ names: ["codex"], problem: null }) };
const app = await testApp({ maxConcurrentRuns: 1_000, agents });
const anna = await app.signUp("anna");
const ben = await app.signUp("ben");
const world = await makeWorld(app.admin, { [anna.id]: "owner", [ben.id]: "owner" });

const runs = "/api/homework/runs";
const objective = "Now also in French";
const followUp = (runId: string, over: object = {}, by: Person = anna, headers: Record<string, string> = {}) =>
  app.call("POST", `${runs}/${runId}/continue`, by.session, { body: { objective, ...over }, headers });
const show = async (runId: string) => (await app.call("GET", `${runs}/${runId}`, anna.session)).body;
const inStatus = (status: RowStatus) => insertRun(app.admin, anna.id, status);
const said = ({ status, body }: Answer) => [status, body.error.code, body.error.message];
const change = (id: string, set: string, ...values: readonly unknown[]) =>
  app.admin.query(`update homework.homework_runs set ${set} where id = $1`, [id, ...values]);

/** Its limit is reached; `inStatus("stopped")` is paused. */
async function stoppedAtLimit(): Promise<string> {
  const id = await inStatus("stopped");
  await change(id, "stop_reason = 'max_iterations', detail = '2 of 2 iterations'");
  return id;
}

test("a follow-up is a new run with the place and the rules of the one before it", async () => {
  const id = await stoppedAtLimit();
  const models = { planner: "anthropic/claude-sonnet-4-5" };
  await change(
    id,
    "scope = 'project', project_ids = $2, write_mode = 'approve_plan', allowed_tools = $3, models = $4, time_zone = 'Asia/Tokyo'",
    [world.projectId],
    ["create_task"],
    JSON.stringify(models),
  );
  const { status, body } = await followUp(id);
  expect([status, body]).toMatchObject([
    201,
    {
      status: "queued",
      iteration: 1,
      objective,
      follows_run_id: id,
      forked_from: null,
      scope: "project",
      project_ids: [world.projectId],
      permissions: { write_mode: "approve_plan", allowed_tools: ["create_task"] },
      models,
      time_zone: "Asia/Tokyo",
      plan: [],
      completion_criteria: [{ kind: "plan_complete" }],
    },
  ]);
  expect((await show(id)).run.status).toBe("stopped");
});

test("run, first event and job of a follow-up are there together", async () => {
  const { body } = await followUp(await inStatus("canceled"));
  const { events } = (await app.call("GET", `${runs}/${body.id}?include_events=true`, anna.session)).body;
  expect(events.items[0]).toMatchObject({ type: "run_created", event: { objective } });
  const jobs = await app.queue.fetch("iteration", 1_000);
  expect(jobs.filter(({ data }) => (data as { run_id: string }).run_id === body.id)).toHaveLength(1);
});

test("limits, approvals, models and checks of a follow-up can be others", async () => {
  const { body } = await followUp(await inStatus("canceled"), {
    budgets: { max_iterations: 4 },
    permissions: { write_mode: "per_write" },
    models: { judge: "openai/gpt-5" },
    completion_criteria: [{ kind: "entity_count", entity: "task", at_least: 2 }],
  });
  expect(body).toMatchObject({
    budgets: { max_iterations: 4, max_wall_clock_ms: 3_600_000 },
    permissions: { write_mode: "per_write", allowed_tools: null },
    models: { judge: "openai/gpt-5" },
    completion_criteria: [
      { kind: "entity_count", given_by: "user" },
      { kind: "plan_complete" },
      { kind: "judge", given_by: "platform" },
    ],
  });
});

test("both pages name the other run", async () => {
  const id = await inStatus("canceled");
  const first = (await followUp(id)).body;
  const second = (await followUp(id, { objective: "And in Dutch" })).body;
  await app.call("PATCH", `${runs}/${id}`, anna.session, { body: { title: "The report" } });
  const old = await show(id);
  expect(routes.runs.get.result.parse(old)).toEqual(old);
  expect([old.follows, old.follow_ups]).toEqual([
    null,
    [
      { id: first.id, title: objective, status: "queued" },
      { id: second.id, title: "And in Dutch", status: "queued" },
    ],
  ]);
  const shown = await show(first.id);
  expect([shown.follows, shown.follow_ups]).toEqual([{ id, title: "The report", status: "canceled" }, []]);
});

test("a follow-up can be followed up once it has ended", async () => {
  const first = (await followUp(await inStatus("canceled"))).body;
  await app.call("POST", `${runs}/${first.id}/cancel`, anna.session);
  expect((await followUp(first.id)).body.follows_run_id).toBe(first.id);
});

test("a run that reached a limit, and one whose results were taken back, can be followed up", async () => {
  const undone = await inStatus("canceled");
  await change(undone, "undone_at = now()");
  for (const id of [undone, await stoppedAtLimit()]) expect((await followUp(id)).status).toBe(201);
});

test.each(["queued", "waiting_on_user"] as const)("a run that is %s wants guidance instead", async (status) => {
  const answer = await followUp(await inStatus(status));
  expect(said(answer)).toEqual([409, "wrong_status", "The run is still going. Add guidance instead."]);
  expect(answer.body.error.details.status).toBe(status);
});

test("a paused run is resumed or canceled first", async () => {
  const [status, , message] = said(await followUp(await inStatus("stopped")));
  expect([status, message]).toEqual([409, "The run is paused. Resume it, or cancel it before you follow up."]);
});

test("a follow-up without an objective is refused", async () => {
  const id = await inStatus("canceled");
  for (const wrong of ["", "  ", null]) expect((await followUp(id, { objective: wrong })).status).toBe(400);
});

test("a criterion that can never be met is refused, with what to do", async () => {
  const answer = await followUp(await inStatus("canceled"), {
    completion_criteria: [{ kind: "file_exists", path: "report.md" }],
  });
  expect([answer.status, answer.body.error.message]).toEqual([
    422,
    expect.stringContaining("body.completion_criteria.0"),
  ]);
});

test("a follow-up does not bring back a project one has left", async () => {
  const left = await makeWorld(app.admin, { [anna.id]: "editor", [ben.id]: "owner" });
  const id = await stoppedAtLimit();
  await change(id, "scope = 'project', project_ids = $2", [left.projectId]);
  expect((await followUp(id)).status).toBe(201);
  await app.call("DELETE", `/api/projects/${left.projectId}/members/${anna.id}`, ben.session);
  expect((await followUp(id)).status).toBe(404);
});

test("a run of someone else is not there", async () => {
  expect((await followUp(await inStatus("canceled"), {}, ben)).status).toBe(404);
});

test("the same key follows up once, also when asked twice at the same moment", async () => {
  const id = await inStatus("canceled");
  const answers = await Promise.all([1, 2].map(() => followUp(id, {}, anna, { "idempotency-key": `follow-${id}` })));
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect((await show(id)).follow_ups).toHaveLength(1);
});

test("the audit log says who followed up what", async () => {
  const { body } = await followUp(await inStatus("canceled"));
  const { rows } = await app.admin.query("select action, actor_id from homework.audit_log where target = $1", [
    `run:${body.id}`,
  ]);
  expect(rows).toEqual([{ action: "run_followed_up", actor_id: anna.id }]);
});

test("the page of a run that was removed is still shown to those that followed it", async () => {
  const id = await inStatus("canceled");
  const { body } = await followUp(id);
  await app.call("POST", `${runs}/${body.id}/cancel`, anna.session);
  await app.admin.query("delete from homework.homework_runs where id = $1", [id]);
  expect(await show(body.id)).toMatchObject({ follows: null, run: { follows_run_id: null } });
});

test("guidance for an agents' run that has ended starts a follow-up; any other ended run refuses it", async () => {
  const steer = (id: string) =>
    app.call("POST", `${runs}/${id}/steer`, anna.session, { body: { message: "The tests, too" } });
  const planned = await inStatus("canceled");
  expect(said(await steer(planned))).toMatchObject([409, "wrong_status", expect.stringContaining("start a follow-up")]);
  const id = await inStatus("queued");
  await change(id, "engine = 'agent'");
  expect((await steer(id)).body.id).toBe(id);
  await app.call("POST", `${runs}/${id}/cancel`, anna.session);
  const { status, body } = await steer(id);
  expect([status, body]).toMatchObject([200, { follows_run_id: id, objective: "The tests, too", engine: "agent" }]);
  expect(body.id).not.toBe(id);
});

// The agents of Homework runs over HTTP: their folders are shown to the user of the run and to no one else, how a task stands comes from
// the run, and what only Homework may do to it is refused.

import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { UserId } from "../../src/domain/identity/identity.ts";
import type { RunId } from "../../src/domain/run/run.ts";
import { openBus } from "../../src/runner/bus/bus.ts";
import { readBus } from "../../src/runner/bus/read-bus.ts";
import { inRun, type TaskFolder } from "../../src/runner/layout/runner-root.ts";
import { writeDone } from "../../src/runner/layout/task-files.ts";
import { makeRun } from "../helpers/runner-root.ts";
import { type Person, testApp } from "../helpers/test-app.ts";

const app = await testApp();
const anna = await app.signUp("anna");
const ben = await app.signUp("ben");
const runs = "/api/homework/runs";

async function handOver(person: Person) {
  const { body } = await app.call("POST", runs, person.session, { body: { objective: "Water the plants" } });
  return { id: body.run_id as RunId, userId: person.id as UserId };
}

const at = ({ projectId, taskId }: TaskFolder) => `/api/agents/projects/${projectId}/tasks/${taskId}`;
const get = (url: string, person = anna) => app.call("GET", url, person.session);
const post = (url: string, body: object, person = anna) => app.call("POST", url, person.session, { body });

test("a user sees the tasks of their runs among their projects, as their runs stand", async () => {
  const run = await handOver(anna);
  const task = app.desks.makeRunTask(run);
  const own = app.desks.makeTask(anna.id, "garden");
  const { items } = (await get("/api/agents/projects")).body;
  expect(items).toMatchObject([
    { project_id: own.project, kind: "own" },
    { project_id: task.projectId, kind: "homework_runs", by_status: { starting: 1 } },
  ]);
  const listed = (await get(`/api/agents/projects/${task.projectId}/tasks`)).body.items;
  expect(listed).toMatchObject([
    {
      task_id: task.taskId,
      title: "Water the plants",
      status: "starting",
      why: "The run is queued.",
      restart: { will_restart: "yes" },
      homework_run: { run_id: run.id, objective: "Water the plants", status: "queued", role: "work" },
    },
  ]);
  // DONE is the agent's word; whether the run is done is the gate's.
  writeDone(app.desks.runsRoot, task);
  await post(`${runs}/${run.id}/cancel`, {});
  expect((await get(at(task))).body).toMatchObject({ status: "canceled", why: "The run was canceled." });
});

test("to anyone else, none of it exists", async () => {
  const run = await handOver(anna);
  const task = app.desks.makeRunTask(run);
  const agentRun = makeRun(app.desks.runsRoot, task);
  writeFileSync(inRun(agentRun, "stdout"), "a secret of anna\n");
  app.desks.makeRunTask(await handOver(ben));
  const log = `${at(task)}/runs/${agentRun.runId}`;
  for (const url of [
    `/api/agents/projects/${task.projectId}`,
    `/api/agents/projects/${task.projectId}/tasks`,
    `/api/agents/projects/${task.projectId}/runs`,
    `/api/agents/projects/${task.projectId}/bus`,
    `/api/agents/projects/${task.projectId}/bus/stream`,
    `/api/agents/projects/${task.projectId}/facts`,
    at(task),
    `${at(task)}/bus`,
    `${at(task)}/bus/stream`,
    `${at(task)}/stream`,
    `${at(task)}/facts`,
    `${at(task)}/file?name=TASK.md`,
    log,
    `${log}/log`,
    `${log}/file?name=agent-stdout.txt`,
  ]) {
    const { status, text } = await get(url, ben);
    expect([url, status, text.includes("secret")]).toEqual([url, 404, false]);
  }
  const acts = [
    post(`${at(task)}/stop`, {}, ben),
    post(`${log}/stop`, {}, ben),
    post(`${at(task)}/bus`, { message: "Hello" }, ben),
    post(`${at(task)}/answer`, { question_id: "MSG-1", text: "Yes" }, ben),
    post(`/api/agents/projects/${task.projectId}/tasks`, { prompt: "Dig" }, ben),
  ];
  for (const { status } of await Promise.all(acts)) expect(status).toBe(404);
  const projects = (await get("/api/agents/projects", ben)).body.items.map(
    ({ project_id: id }: { project_id: string }) => id,
  );
  expect(projects).not.toContain(task.projectId);
  expect((await get(`${log}/log`)).body.lines).toMatchObject([{ text: "a secret of anna" }]);
});

test("what only Homework does is refused, and the answer says what to use", async () => {
  const run = await handOver(anna);
  const task = app.desks.makeRunTask(run);
  const review = app.desks.makeRunTask(run, "reviewTaskId");
  const tasks = `/api/agents/projects/${task.projectId}/tasks`;
  const refused = [
    [tasks, { prompt: "Dig" }, /Start a new run, or resume this one/],
    [tasks, { attach_mode: "restart", task_id: task.taskId }, /Start a new run, or resume this one/],
    [`${at(task)}/stop`, {}, /No agent is working now.*pause or cancel/],
    [`/api/agents/projects/${task.projectId}/bus`, { message: "All" }, /Post to the task of one run/],
    [`${at(review)}/bus`, { message: "Mind the roses" }, /Add guidance on the run's page/],
  ] as const;
  for (const [url, body, why] of refused) {
    const { status, body: answer } = await post(url, body);
    expect([url, status, answer.error.message]).toEqual([url, 422, expect.stringMatching(why)]);
  }
});

test("a message on the bus is guidance of the run, and is not put on the bus twice", async () => {
  const run = await handOver(anna);
  const task = app.desks.makeRunTask(run);
  expect((await post(`${at(task)}/bus`, { message: "Mind the roses" })).status).toBe(201);
  expect((await post(`${at(task)}/bus`, { message: "Roses are red", type: "FACT" })).status).toBe(201);
  const { messages } = (await get(`${runs}/${run.id}`)).body.run;
  expect(messages).toMatchObject([{ kind: "steer", text: "Mind the roses" }]);
  const { entries } = readBus(openBus(app.desks.runsRoot, task));
  expect(entries.map(({ type, body, meta }) => [type, body, meta.message])).toEqual([
    ["USER", "Mind the roses", messages[0].id],
    ["FACT", "Roses are red", undefined],
  ]);
});

test("a run that has ended hears nothing more, and neither does its bus", async () => {
  const run = await handOver(anna);
  const task = app.desks.makeRunTask(run);
  await post(`${runs}/${run.id}/cancel`, {});
  expect((await post(`${at(task)}/bus`, { message: "Too late" })).status).toBe(409);
  expect(readBus(openBus(app.desks.runsRoot, task)).entries).toEqual([]);
});

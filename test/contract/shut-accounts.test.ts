// A shut account: everything done in its name ends in the transaction that shuts it, workers take none of its runs, and admins see and
// end the runs of everyone.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { realEnv } from "../../src/main/env.ts";
import { takeRun } from "../../src/runs/take-run.ts";
import { findDueAnswers } from "../../src/store/chat/chat-answer-store.ts";
import { runStore } from "../../src/store/run/run-store.ts";
import { insertChat, insertOpenAnswer } from "../helpers/chat-rows.ts";
import { insertOutcome } from "../helpers/outcome-rows.ts";
import { patienceMs } from "../helpers/patience.ts";
import { insertRun } from "../helpers/run-rows.ts";
import { takenRun } from "../helpers/taken-run.ts";
import { testApp } from "../helpers/test-app.ts";

/** No heartbeat within a test: what ends a stream is that it was told. */
const hour = 3_600_000;
const streamLimits = { heartbeatMs: hour, maxAgeMs: 2 * hour, slowClientMs: hour, perUser: 20 };
const app = await testApp({ listen: true, streamLimits });
const admin = await app.signUp("admin");

const set = (id: string, disabled: boolean) =>
  app.call("PATCH", `/api/users/${id}`, admin.session, { body: { disabled } });
const all = async (sql: string, values: readonly unknown[]) => (await app.admin.query(sql, [...values])).rows;

test("runs, chats, outcomes, streams, sessions and keys end in the transaction that shuts the account", async () => {
  const anna = await app.signUp("anna");
  const running = await takenRun(app, anna);
  const waiting = await insertRun(app.admin, anna.id, "waiting_on_user");
  const queued = await insertRun(app.admin, anna.id, "queued");
  const stopped = await insertRun(app.admin, anna.id, "stopped");
  const chats = [await insertChat(app.admin, anna.id), await insertOpenAnswer(app.admin, anna.id, 0)];
  const { outcomeId } = await insertOutcome(app.admin, anna.id);
  const followed = await app.fetch("GET", "/api/homework/stream", anna.session);
  expect(followed.status).toBe(200);
  const stream = followed.body?.getReader();
  await stream?.read();

  expect((await set(anna.id, true)).status).toBe(200);
  const states = await all("select id, status from homework.homework_runs where user_id = $1", [anna.id]);
  const statusOf = (id: string) => states.find((row) => row.id === id)?.status;
  expect([running.runId, waiting, queued, stopped].map(statusOf)).toEqual([
    "canceled",
    "canceled",
    "canceled",
    "stopped",
  ]);
  expect(
    await all("select state from homework.chat_messages where session_id = any ($1) and seq = 2", [chats]),
  ).toEqual([{ state: "stopped" }, { state: "stopped" }]);
  expect(await all("select status from homework.outcomes where id = $1", [outcomeId])).toEqual([{ status: "paused" }]);
  const call = { callId: realEnv.newId(), key: "k", role: "planner", model: "lab/model", reservedMicroUsd: 1 };
  expect(await running.store.reserveCall(running.lease, call)).toBe("lost");

  const longest = sleep(patienceMs, "still open" as const, { ref: false });
  const ended = (async () => {
    while (!(await stream?.read())?.done);
    return "ended" as const;
  })();
  expect(await Promise.race([ended, longest])).toBe("ended");
});

test("a run that was handed over at the last moment is not worked on", async () => {
  const ben = await app.signUp("ben");
  const { run_id: runId } = (
    await app.call("POST", "/api/homework/runs", ben.session, { body: { objective: "Find a hall" } })
  ).body;
  await app.admin.query("update homework.auth_users set disabled_at = now() where id = $1", [ben.id]);
  const store = runStore(app.db, app.queue, () => {});
  const jobs = await app.queue.fetch("iteration", 50);
  const job = jobs.find(({ data }) => (data as { run_id: string }).run_id === runId);
  const due = { id: job?.id ?? "", attempt: job?.attempt ?? 0, runId: runId as never, iteration: 1 };
  expect(await takeRun(store, due, "test", { maxConcurrentRuns: 3 })).toBeNull();
  expect(await all("select status from homework.homework_runs where id = $1", [runId])).toEqual([
    { status: "canceled" },
  ]);
});

test("no model is asked in the name of a shut account, and no answer of its chats goes on", async () => {
  const cleo = await app.signUp("cleo");
  const running = await takenRun(app, cleo);
  const chatId = await insertOpenAnswer(app.admin, cleo.id, 1_000);
  await app.admin.query("update homework.auth_users set disabled_at = now() where id = $1", [cleo.id]);
  const call = { callId: realEnv.newId(), key: "k", role: "planner", model: "lab/model", reservedMicroUsd: 1 };
  expect(await running.store.reserveCall(running.lease, call)).toBe("refused");
  const due = await app.db.asSystem((tx) => findDueAnswers(tx, 100));
  expect(due.map((one) => one.chatId)).not.toContain(chatId);
});

test("an account that is opened again has its outcomes and stopped runs, and may begin new ones", async () => {
  const dora = await app.signUp("dora");
  await set(dora.id, true);
  await set(dora.id, false);
  const session = await app.newSession(dora.id);
  const answer = await app.call("POST", "/api/homework/runs", session, { body: { objective: "Find a hall" } });
  expect(answer.status).toBe(201);
});

test("an admin sees owner, state and cost of every run, nothing of what it is about, and cancels it", async () => {
  const emil = await app.signUp("emil");
  const running = await takenRun(app, emil, "A secret objective");
  await running.asked({ key: "a", answer: { text: "" } });
  const listed = await app.call("GET", "/api/runs?limit=200", admin.session);
  const found = listed.body.items.find(({ id }: { id: string }) => id === running.runId);
  expect(found).toMatchObject({ user_id: emil.id, user_name: "emil", status: "running", cost_usd: 0.000_007 });
  expect(listed.text).not.toContain("secret");
  const cancel = () => app.call("POST", `/api/runs/${running.runId}/cancel`, admin.session);
  expect((await cancel()).body).toMatchObject({ status: "canceled" });
  expect((await cancel()).status).toBe(409);
  const active = (await app.call("GET", "/api/runs?limit=200", admin.session)).body.items;
  expect(active.map(({ id }: { id: string }) => id)).not.toContain(running.runId);
  const { rows } = await app.admin.query(
    "select actor_id, details from homework.audit_log where target = $1 and action = 'run_canceled'",
    [`run:${running.runId}`],
  );
  expect(rows).toEqual([{ actor_id: admin.id, details: { owner: emil.id } }]);
});

test("nothing of the above failed on our side", () => {
  expect(app.failures).toEqual([]);
});

test("a member who is removed is told nothing more of the project at once", async () => {
  const [anna, ben] = [await app.signUp("anna"), await app.signUp("ben")];
  const { body: project } = await app.call("POST", "/api/projects", anna.session, { body: { name: "Garden" } });
  const members = `/api/projects/${project.id}/members`;
  await app.call("POST", members, anna.session, { body: { email: ben.email, role: "viewer" } });
  const followed = await app.fetch("GET", `/api/live?topics=project:${project.id}`, ben.session);
  const stream = followed.body?.pipeThrough(new TextDecoderStream()).getReader();
  const told: string[] = [(await stream?.read())?.value ?? ""];
  expect((await app.call("DELETE", `${members}/${ben.id}`, anna.session)).status).toBe(200);
  while (!told.join("").includes("event: gone")) told.push((await stream?.read())?.value ?? "");
  await stream?.cancel();
});

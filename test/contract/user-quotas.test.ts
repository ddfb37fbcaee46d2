// What admins let people use: money in a month, the limit of a run, models, runs at once; how each of them holds, and what people see.

import { expect, test } from "vitest";
import type { UserId } from "../../src/domain/identity/identity.ts";
import { toOutcome } from "../../src/engine/tools/call-tool.ts";
import { realEnv } from "../../src/main/env.ts";
import { createEntity } from "../../src/store/entity/entity-store.ts";
import { takenRun } from "../helpers/taken-run.ts";
import { type Person, testApp } from "../helpers/test-app.ts";

const app = await testApp();
const admin = await app.signUp("admin");

const set = (user: Person | null, body: object) =>
  app.call("PATCH", "/api/quotas", admin.session, { body: { user_id: user?.id ?? null, ...body } });
const handOver = (by: Person, body: object = {}) =>
  app.call("POST", "/api/homework/runs", by.session, { body: { objective: "Find a hall", ...body } });
const call = (reservedMicroUsd: number, over: object = {}) => ({
  callId: realEnv.newId(),
  key: realEnv.newId(),
  role: "planner",
  model: "lab/model",
  reservedMicroUsd,
  ...over,
});

test("nothing is set at first, and everyone may use what the settings say", async () => {
  const anna = await app.signUp("anna");
  expect((await app.call("GET", "/api/me/quota", anna.session)).body).toEqual({
    monthly_usd: null,
    run_cost_usd: null,
    allowed_models: null,
    runs_at_once: 3,
    cost_usd_this_month: 0,
    reserved_usd: 0,
    storage_bytes: null,
    storage_used_bytes: 0,
  });
});

test("who has used up the room may shorten and delete, and write again once there is some", async () => {
  const [anna, ben] = [await app.signUp("anna"), await app.signUp("ben")];
  const made = await app.call("POST", "/api/projects", anna.session, { body: { name: "Garden" } });
  const path = `/api/projects/${made.body.id}/documents`;
  const write = (by: Person, content: string) =>
    app.call("POST", path, by.session, { body: { title: "Page", content } });
  await app.call("POST", `/api/projects/${made.body.id}/members`, anna.session, {
    body: { email: ben.email, role: "editor" },
  });
  await set(anna, { storage_bytes: 1_000 });
  const first = (await write(anna, "ä".repeat(450))).body;
  expect((await app.call("GET", "/api/me/quota", anna.session)).body).toMatchObject({
    storage_bytes: 1_000,
    storage_used_bytes: 904,
  });
  const refused = await write(anna, "x".repeat(200));
  expect([refused.status, refused.body.error]).toMatchObject([413, { code: "storage_full" }]);
  expect(refused.body.error.message).toContain("no room left");
  const change = (content: string, version: number) =>
    app.call("PATCH", `${path}/${first.id}`, anna.session, { body: { content, version } });
  expect((await change("ä".repeat(900), first.version)).status).toBe(413);
  expect((await write(ben, "x".repeat(200))).status).toBe(201);
  expect((await change("short", first.version)).status).toBe(200);
  expect((await write(anna, "x".repeat(200))).status).toBe(201);
});

test("what a run writes counts as its user's, but for its working notes; the model is told that no room is left", async () => {
  const anna = await app.signUp("anna");
  const { body: project } = await app.call("POST", "/api/projects", anna.session, { body: { name: "Garden" } });
  await set(anna, { storage_bytes: 100 });
  const run = await takenRun(app, anna);
  const page = (type_key: string) =>
    app.db.asUser({ userId: anna.id as UserId, runId: run.runId }, (tx) =>
      createEntity(
        tx,
        "document",
        { id: realEnv.newId(), projectId: project.id, by: anna.id as UserId },
        {
          title: "Page",
          content: "x".repeat(200),
          type_key,
        },
      ),
    );
  await page("document.homework.note");
  const full = await page("document").catch((thrown: unknown) => thrown);
  expect(full).toMatchObject({ code: "storage_full" });
  expect(toOutcome(full)).toMatchObject({ ok: false, text: expect.stringContaining("no room left") });
});

test("a call beyond the month's budget is refused, of any number at once as well, and what others spend does not count", async () => {
  const [anna, ben] = [await app.signUp("anna"), await app.signUp("ben")];
  await set(anna, { monthly_usd: 0.001 });
  const runs = [await takenRun(app, anna), await takenRun(app, anna)];
  const other = await takenRun(app, ben);
  expect(await other.store.reserveCall(other.lease, call(5_000))).toBe("kept");
  const rooms = await Promise.all(
    Array.from({ length: 10 }, (_, n) => runs[n % 2]?.store.reserveCall(runs[n % 2]?.lease as never, call(300))),
  );
  expect(rooms.toSorted()).toEqual([...Array(3).fill("kept"), ...Array(7).fill("monthly_quota")]);
  const mine = (await app.call("GET", "/api/me/quota", anna.session)).body;
  expect(mine).toMatchObject({ monthly_usd: 0.001, cost_usd_this_month: 0.0009, reserved_usd: 0.0009 });
});

test("what was spent before this month does not count", async () => {
  const anna = await app.signUp("anna");
  const run = await takenRun(app, anna);
  await run.asked({ key: "old", answer: { text: "" } });
  await set(anna, { monthly_usd: 0.000_01 });
  expect(await run.store.reserveCall(run.lease, call(10))).toBe("monthly_quota");
  await app.admin.query("alter table homework.llm_usage_logs disable trigger user");
  await app.admin.query(
    "update homework.llm_usage_logs set created_at = now() - interval '32 days' where user_id = $1",
    [anna.id],
  );
  await app.admin.query("alter table homework.llm_usage_logs enable trigger user");
  expect(await run.store.reserveCall(run.lease, call(10))).toBe("kept");
});

test("a model without a price is not asked on a budget", async () => {
  const anna = await app.signUp("anna");
  const run = await takenRun(app, anna);
  expect(await run.store.reserveCall(run.lease, call(0, { isUnpriced: true }))).toBe("kept");
  await set(anna, { monthly_usd: 100 });
  expect(await run.store.reserveCall(run.lease, call(0, { isUnpriced: true }))).toBe("unpriced");
});

test("a run that names no cost limit has the one that is set; one's own comes before that of everyone", async () => {
  const [anna, ben] = [await app.signUp("anna"), await app.signUp("ben")];
  await set(null, { run_cost_usd: 2 });
  await set(ben, { run_cost_usd: 5 });
  const limitOf = async (by: Person, body: object = {}) => {
    const { run_id: id } = (await handOver(by, body)).body;
    return (await app.call("GET", `/api/homework/runs/${id}`, by.session)).body.run.budgets.max_cost_usd;
  };
  expect([await limitOf(anna), await limitOf(ben)]).toEqual([2, 5]);
  expect(await limitOf(anna, { budgets: { max_cost_usd: 1 } })).toBe(1);
  await set(null, { run_cost_usd: null });
});

test("a person may name the models that are allowed to them, and those of the installation", async () => {
  const anna = await app.signUp("anna");
  await set(anna, { allowed_models: ["lab/small"] });
  const statusWith = async (planner: string) => (await handOver(anna, { models: { planner } })).status;
  expect([await statusWith("lab/large"), await statusWith("lab/small"), await statusWith("demo/rules")]).toEqual([
    403, 201, 201,
  ]);
  const outcome = { brief: "A shop", models: { planner: "lab/large" } };
  expect((await app.call("POST", "/api/outcomes", anna.session, { body: outcome })).status).toBe(403);
  const { id } = (await app.call("POST", "/api/outcomes", anna.session, { body: { brief: "A shop" } })).body;
  const observeWith = async (observation_model: string) =>
    (
      await app.call("PATCH", `/api/outcomes/${id}/homr/config`, anna.session, {
        body: { config: { observation_model } },
      })
    ).status;
  expect([await observeWith("lab/large"), await observeWith("lab/small"), await observeWith("sonnet")]).toEqual([
    403, 200, 200,
  ]);
});

test("runs at once: the others wait in line", async () => {
  const anna = await app.signUp("anna");
  await set(anna, { runs_at_once: 1 });
  const answers = [await handOver(anna), await handOver(anna)];
  expect(answers.map(({ body }) => body.place_in_line)).toEqual([null, 1]);
});

test("only admins set them, the audit log tells, and what is left out stays", async () => {
  const anna = await app.signUp("anna");
  const body = { user_id: anna.id, monthly_usd: 1_000 };
  expect((await app.call("PATCH", "/api/quotas", anna.session, { body })).status).toBe(403);
  await set(anna, { monthly_usd: 7 });
  expect((await set(anna, { runs_at_once: 2 })).body).toMatchObject({ monthly_usd: 7, runs_at_once: 2 });
  expect((await set(anna, { monthly_usd: null })).body).toMatchObject({ monthly_usd: null, runs_at_once: 2 });
  expect((await set({ ...anna, id: realEnv.newId() }, { monthly_usd: 7 })).status).toBe(404);
  const { items } = (await app.call("GET", "/api/quotas?limit=200", admin.session)).body;
  expect(items.find(({ id }: { id: string }) => id === anna.id).quota).toMatchObject({ runs_at_once: 2 });
  const { rows } = await app.admin.query(
    "select details from homework.audit_log where target = $1 order by seq limit 1",
    [`user:${anna.id}`],
  );
  expect(rows.length).toBe(1);
});

test("nothing of the above failed on our side", () => {
  expect(app.failures).toEqual([]);
});

// Settings → Models over HTTP: who sees and changes what, that a key goes in and never comes out, and that a test is paid for.

import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readOrUndefined } from "../../src/files/owned-files.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { openModelSettings } from "../../src/main/model-settings.ts";
import { createModelsSource } from "../../src/main/models-source.ts";
import { openSettingsFile } from "../../src/main/settings-file.ts";
import { type Caller, origin, testApp } from "../helpers/test-app.ts";
import { startLab } from "../lab/lab.ts";

const homeDir = mkdtempSync(path.join(os.tmpdir(), "homework-model-settings-"));
afterAll(() => rmSync(homeDir, { recursive: true }));
const lab = await startLab({ script: () => ({ text: "ready", usage: { input: 1_000, output: 100 } }), models: [] });
afterAll(lab.close);

const settings = openSettingsFile({
  flags: { configFile: null, values: {} },
  environment: {
    HOMEWORK_FIND_LOCAL_MODELS: "false",
    HOMEWORK_ANTHROPIC_BASE_URL: lab.baseUrl("anthropic"),
    OPENAI_API_KEY: "sk-of-the-environment-0000",
  },
  readFile: (name) => readOrUndefined(name) ?? null,
  homeDir,
  workingDir: homeDir,
});
const source = createModelsSource({ config: settings.loaded.config, logger: silentLogger });
const app = await testApp({ modelSettings: openModelSettings({ settings, source, logger: silentLogger }) });
const admin = await app.signUp("admin"); // The first one manages the installation.
const user = await app.signUp("user");

const key = "sk-ant-this-key-is-secret-9c41";
const sonnet = "anthropic/claude-sonnet-5-5";
const keyUrl = "/api/models/keys/anthropic";
const fileText = () => readOrUndefined(settings.loaded.file);

/** The same request from another place. */
async function callFrom(address: string, method: string, url: string, caller: Caller, body?: unknown) {
  const headers = { host: "127.0.0.1:4180", origin, "content-type": "application/json", ...caller };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const env = { incoming: { socket: { remoteAddress: address } } };
  const answer = await app.app.fetch(new Request(`${origin}${url}`, { method, headers, ...sent }), env);
  return { status: answer.status, text: await answer.text() };
}

test("an admin elsewhere, behind a proxy, or with too small a key changes nothing, and is told why", async () => {
  const remote = await callFrom("192.168.1.7", "PATCH", keyUrl, admin.session, { key });
  expect([remote.status, JSON.parse(remote.text).error.code]).toEqual([403, "forbidden"]);
  const proxied = await callFrom(
    "127.0.0.1",
    "PATCH",
    keyUrl,
    { ...admin.session, "x-forwarded-for": "1.2.3.4" },
    { key },
  );
  expect(proxied.status).toBe(403);
  const small = await app.newKey(admin.id, ["run"]);
  expect((await app.call("PATCH", keyUrl, small, { body: { key } })).status).toBe(403);
  const role = await callFrom("10.0.0.1", "PATCH", "/api/models/roles/judge", admin.session, { model: "demo/rules" });
  const gone = await callFrom("10.0.0.1", "DELETE", keyUrl, admin.session);
  expect([role.status, gone.status, fileText()]).toEqual([403, 403, undefined]);
  const shown = JSON.parse((await callFrom("192.168.1.7", "GET", "/api/models/settings", admin.session)).text);
  expect([shown.may_change, shown.who_may_change]).toEqual([
    false,
    expect.stringContaining("computer that runs Homework"),
  ]);
});

test("a user sees models and prices, no keys, and who can change them", async () => {
  const { status, body } = await app.call("GET", "/api/models/settings", user.session);
  expect([status, body.keys, body.config_file, body.may_change]).toEqual([200, [], null, false]);
  expect(body.who_may_change).toContain("manages this installation");
  expect(body.models).toContainEqual(
    expect.objectContaining({ id: "openai/gpt-6.1-sol", price: { input: 2, output: 10 } }),
  );
  expect((await app.call("PATCH", keyUrl, user.session, { body: { key } })).status).toBe(403);
  expect(fileText()).toBeUndefined();
});

test("the local owner saves a key: it is in the file and in use, and nowhere else", async () => {
  const saved = await app.call("PATCH", keyUrl, admin.session, { body: { key } });
  expect([saved.status, saved.body.notice, saved.body.may_change]).toEqual([200, null, true]);
  expect(saved.body.keys[0]).toEqual({
    provider: "anthropic",
    source: "file",
    from: settings.loaded.file,
    end: "9c41",
  });
  expect(saved.body.roles[0]).toMatchObject({ role: "planner", models: [sonnet, "openai/gpt-6.1-sol"] });
  expect(JSON.parse(readFileSync(settings.loaded.file, "utf8"))).toEqual({ anthropic_api_key: key });
  expect(statSync(settings.loaded.file).mode & 0o777).toBe(0o600);
  const again = await app.call("GET", "/api/models/settings", admin.session);
  const audit = await app.call("GET", "/api/audit", admin.session);
  expect(audit.body.items[0]).toMatchObject({ action: "model_key_set", target: "provider:anthropic", details: {} });
  const { rows } = await app.admin.query("select row_to_json(t)::text as row from homework.idempotency_keys t");
  for (const text of [saved.text, again.text, audit.text, JSON.stringify(rows), JSON.stringify(app.failures)])
    expect(text).not.toContain(key.slice(0, -4));
});

test("a key that is refused is not in the answer", async () => {
  const bad = `${key} with blanks`;
  const { status, text } = await app.call("PATCH", keyUrl, admin.session, { body: { key: bad } });
  expect([status, text.includes(key)]).toEqual([400, false]);
  const locked = await app.call("PATCH", "/api/models/keys/openai", admin.session, { body: { key } });
  expect([locked.status, locked.body.error.message.includes("OPENAI_API_KEY"), locked.text.includes(key)]).toEqual([
    422,
    true,
    false,
  ]);
});

test("a test makes one small call, and its user pays for it", async () => {
  const { status, body } = await app.call("POST", "/api/models/test", user.session, { body: { model: sonnet } });
  expect([status, body.works, body.detail]).toEqual([200, true, null]);
  expect(body.message).toMatch(/^Works, \d+\.\d s$/);
  expect(body.cost_usd).toBeCloseTo(0.003, 6);
  const { rows } = await app.admin.query(
    `select user_id, role, model, state, cost_micro_usd::int as cost, input_tokens::int as input from homework.llm_usage_logs`,
  );
  expect(rows).toEqual([
    { user_id: user.id, role: "test", model: sonnet, state: "settled", cost: 3_000, input: 1_000 },
  ]);
  const quotas = await app.call("GET", "/api/quotas", admin.session);
  const spent = quotas.body.items.map((one: Record<string, unknown>) => [one.name, one.cost_usd_day, one.active_runs]);
  expect(spent).toEqual([
    ["admin", 0, 0],
    ["user", 0.003, 0],
  ]);
  expect(quotas.body.limits).toMatchObject({ runs_at_once: 3 });
});

test("a model of a provider without a key cannot be tested, and tests are rationed", async () => {
  const send = (model: string) => app.call("POST", "/api/models/test", user.session, { body: { model } });
  expect((await send("google/gemini-4-argon")).status).toBe(422);
  const many = await Promise.all(Array.from({ length: 25 }, () => send("demo/rules")));
  expect(many.map(({ status }) => status)).toContain(429);
  expect((await app.call("POST", "/api/models/test", admin.session, { body: { model: "demo/rules" } })).status).toBe(
    200,
  );
});

test("the local owner sets the model of a role, and removes a key that nothing needs", async () => {
  const judge = "/api/models/roles/judge";
  const set = await app.call("PATCH", judge, admin.session, { body: { model: sonnet } });
  expect(set.body.roles.find(({ role }: { role: string }) => role === "judge")).toMatchObject({ is_set: true });
  const needed = await app.call("DELETE", keyUrl, admin.session);
  expect([needed.status, needed.body.error.message]).toEqual([422, expect.stringContaining("The judge uses")]);
  expect((await app.call("PATCH", judge, admin.session, { body: { model: null } })).status).toBe(200);
  expect((await app.call("DELETE", keyUrl, admin.session)).body.keys[0].source).toBeNull();
  expect(JSON.parse(fileText() ?? "")).toEqual({});
  const { body } = await app.call("GET", "/api/audit", admin.session);
  expect(body.items.slice(0, 3).map(({ action }: { action: string }) => action)).toEqual([
    "model_key_removed",
    "model_default_set",
    "model_default_set",
  ]);
});

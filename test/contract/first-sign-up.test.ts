// The very first accounts of an installation that takes no others, and how often one may try to sign in.

import { expect, test } from "vitest";
import { defaultHomrConfig } from "../../src/domain/homr/homr-config.ts";
import { defaultBreakers } from "../../src/domain/run/gate/breakers.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { realEnv } from "../../src/main/env.ts";
import { createApp } from "../../src/server/app.ts";
import { noDesks } from "../../src/server/routes/agent-routes.ts";
import { engineProblems, noAgents } from "../helpers/no-agents.ts";
import { anonymous, noBot, noModelSettings, noModels, origin, silentChat, testApp } from "../helpers/test-app.ts";

const signInsPerMinute = 8;
const app = await testApp({ signUp: "closed", signInsPerMinute });

const signUp = (name: string) =>
  app.call("POST", "/api/auth/sign-up", anonymous, {
    body: { name, email: `${name}@example.test`, password: `${name} password` },
  });

test("of several who sign up first at once, one manages the installation and the others are refused", async () => {
  const answers = await Promise.all(["anna", "ben", "cleo"].map(signUp));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403, 403]);
  const { rows } = await app.admin.query("select role from homework.auth_users");
  expect(rows).toEqual([{ role: "admin" }]);
  expect(answers.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1);
});

test("after the first, nobody can sign up here", async () => {
  const answer = await signUp("dora");
  expect([answer.status, answer.body.error.code]).toEqual([403, "forbidden"]);
  expect((await app.call("GET", "/api/instance", anonymous)).body.sign_up).toBe(false);
});

test("too many tries are refused alike for addresses that exist and that do not", async () => {
  const attempt = async (email: string) => {
    const body = { email, password: "not the password" };
    return app.call("POST", "/api/auth/sign-in", anonymous, { body });
  };
  const { rows } = await app.admin.query<{ email: string }>("select email from homework.auth_users");
  for (let tries = 0; tries < signInsPerMinute; tries++) await attempt("nobody@example.test");
  const known = await attempt(rows[0]?.email ?? "");
  const unknown = await attempt("nobody@example.test");
  expect([known.status, known.body.error.code]).toEqual([429, "rate_limited"]);
  expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
  expect(Number(known.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("without accounts nobody can sign in or up, and the answer says how", async () => {
  const settings = {
    mode: "local" as const,
    signUp: "open" as const,
    isReachable: false,
    hasFirstQuota: false,
    allowedHosts: ["127.0.0.1"],
    origin,
    trustedProxies: [],
    ratePerMinute: 1_000,
    signInsPerMinute: 1_000,
    version: "0.0.0-test",
    schemaVersion: 0,
    timeZone: "UTC",
    homr: defaultHomrConfig,
    webDir: null,
  };
  const local = createApp({
    db: app.db,
    auth: app.auth,
    env: realEnv,
    logger: silentLogger,
    settings,
    jobs: app.queue,
    chat: silentChat,
    models: noModels,
    modelSettings: noModelSettings,
    limits: { maxConcurrentRuns: 3 },
    breakers: defaultBreakers,
    engines: engineProblems,
    agents: noAgents,
    desks: noDesks,
    channels: noBot,
  });
  const headers = { host: "127.0.0.1", "content-type": "application/json" };
  const bodies = {
    "sign-up": { name: "Eve", email: "eve@example.test", password: "eve's password" },
    "sign-in": { email: "eve@example.test", password: "eve's password" },
  };
  for (const [what, body] of Object.entries(bodies)) {
    const request = new Request(`${origin}/api/auth/${what}`, { method: "POST", headers, body: JSON.stringify(body) });
    const answer = await local.fetch(request);
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining("link")]);
  }
});

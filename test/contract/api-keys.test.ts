// API keys: kept as a hash, shown once, limited by scope and time, and gone the moment they are revoked.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { patienceMs } from "../helpers/patience.ts";
import { type Caller, testApp } from "../helpers/test-app.ts";
import { makeWorld } from "../helpers/test-world.ts";

const heartbeatMs = 60;
const app = await testApp({
  streamLimits: { heartbeatMs, maxAgeMs: 60_000, slowClientMs: 30_000, perUser: 5 },
});
const admin = await app.signUp("admin");
const anna = await app.signUp("anna");
const world = await makeWorld(app.admin, { [anna.id]: "owner" });
const stream = `/api/projects/${world.projectId}/stream`;

async function makeKey(body: object) {
  const answer = await app.call("POST", "/api/me/keys", anna.session, { body });
  const caller: Caller = { authorization: `Bearer ${answer.body.key}` };
  return { answer, caller, id: answer.body.id as string, key: answer.body.key as string };
}

/** Everything the tables hold, as text. */
async function dump(): Promise<string> {
  const { rows } = await app.admin.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'homework'",
  );
  const parts = await Promise.all(
    rows.map(({ name }) => app.admin.query(`select coalesce(json_agg(t)::text, '') as text from homework.${name} t`)),
  );
  return parts.map((part) => part.rows[0].text).join("\n");
}

test("the tables hold neither a key nor a password nor a link's token", async () => {
  const { key } = await makeKey({ name: "secret", scopes: ["read"] });
  const link = await app.auth.loginLink(anna.email);
  const held = await dump();
  const token = new URL(link).searchParams.get("token");
  for (const secret of [key, key.slice("hw_".length), anna.password, token ?? ""]) {
    expect(secret.length).toBeGreaterThan(10);
    expect(held).not.toContain(secret);
  }
});

test("a key is shown once, and long enough", async () => {
  const { key, id } = await makeKey({ name: "shown", scopes: ["read"] });
  expect(key).toMatch(/^hw_[A-Za-z0-9]{43,}$/); // 43 letters of 62 are 256 bits.
  const listed = await app.call("GET", "/api/me/keys", anna.session);
  expect(listed.text).not.toContain(key);
  expect(listed.body.items.find((one: { id: string }) => one.id === id).start.length).toBeLessThan(10);
});

test("a name and a time at the contract's limits are taken", async () => {
  const { answer } = await makeKey({ name: "n".repeat(60), scopes: ["read"], expires_in_days: 3650 });
  expect(answer.status).toBe(201);
  expect(answer.body.name).toBe("n".repeat(60));
});

test("a key may do what its scope says", async () => {
  const read = await makeKey({ name: "read", scopes: ["read"] });
  const run = await makeKey({ name: "run", scopes: ["run"] });
  const tasks = `/api/projects/${world.projectId}/tasks`;
  const body = { title: "by key" };
  expect((await app.call("GET", tasks, read.caller)).status).toBe(200);
  expect((await app.call("POST", tasks, read.caller, { body })).body.error.code).toBe("scope_missing");
  expect((await app.call("POST", tasks, run.caller, { body })).status).toBe(201);
  expect((await app.call("GET", "/api/me/keys", run.caller)).body.error.code).toBe("scope_missing");
});

test("a key cannot make a key of a wider scope than its own", async () => {
  const run = await makeKey({ name: "run", scopes: ["run"] });
  const wider = await app.call("POST", "/api/me/keys", run.caller, { body: { name: "wider", scopes: ["admin"] } });
  expect(wider.status).toBe(403);
});

test("a key whose scopes are unreadable may do nothing", async () => {
  const { caller, id } = await makeKey({ name: "odd", scopes: ["admin"] });
  for (const permissions of ['{"homework":["everything"]}', '{"other":["admin"]}', "[]", "null"]) {
    await app.admin.query("update homework.auth_api_keys set permissions = $1 where id = $2", [permissions, id]);
    expect((await app.call("GET", "/api/me", caller)).status).toBe(403);
  }
});

test("a key that has expired is refused", async () => {
  const { caller, id } = await makeKey({ name: "old", scopes: ["read"], expires_in_days: 1 });
  expect((await app.call("GET", "/api/me", caller)).status).toBe(200);
  await app.admin.query("update homework.auth_api_keys set expires_at = now() - interval '1 s' where id = $1", [id]);
  expect((await app.call("GET", "/api/me", caller)).status).toBe(401);
});

test("a key without an end is only made when asked for", async () => {
  const usual = await makeKey({ name: "usual", scopes: ["read"] });
  const endless = await makeKey({ name: "endless", scopes: ["read"], expires_in_days: null });
  expect([usual.answer.body.expires_at === null, endless.answer.body.expires_at]).toEqual([false, null]);
});

test("when a key was last used can be seen", async () => {
  const { caller, id, answer } = await makeKey({ name: "used", scopes: ["read"] });
  expect(answer.body.last_used_at).toBeNull();
  await app.call("GET", "/api/me", caller);
  const listed = await app.call("GET", "/api/me/keys", anna.session);
  const used = listed.body.items.find((one: { id: string }) => one.id === id).last_used_at;
  expect(Date.now() - Date.parse(used)).toBeLessThan(60_000);
});

test("a key that was revoked stops at once", async () => {
  const { caller, id } = await makeKey({ name: "revoked", scopes: ["admin"] });
  expect((await app.call("GET", "/api/me", caller)).status).toBe(200);
  expect((await app.call("DELETE", `/api/me/keys/${id}`, anna.session)).status).toBe(200);
  expect((await app.call("GET", "/api/me", caller)).status).toBe(401);
  expect((await app.call("DELETE", `/api/me/keys/${id}`, anna.session)).status).toBe(404);
});

/** Opens a stream, takes something away, and reads the stream to its end. */
async function endsAfter(caller: Caller, takeAway: () => Promise<unknown>): Promise<"ended" | "still open"> {
  const response = await app.fetch("GET", stream, caller);
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  await reader?.read();
  await takeAway();
  const longest = sleep(patienceMs, "still open" as const, { ref: false });
  const ended = (async () => {
    while (!(await reader?.read())?.done);
    return "ended" as const;
  })();
  const how = await Promise.race([ended, longest]);
  await reader?.cancel();
  return how;
}

test("a stream ends by itself once its key is revoked", async () => {
  const { caller, id } = await makeKey({ name: "stream", scopes: ["read"] });
  expect(await endsAfter(caller, () => app.call("DELETE", `/api/me/keys/${id}`, anna.session))).toBe("ended");
});

test("a stream ends by itself once its session is over", async () => {
  const session = await app.newSession(anna.id);
  expect(await endsAfter(session, () => app.call("POST", "/api/auth/sign-out", session))).toBe("ended");
});

test("a stream ends by itself once its user is no member any more", async () => {
  const ben = await app.signUp("ben");
  const members = `/api/projects/${world.projectId}/members`;
  await app.call("POST", members, anna.session, { body: { email: ben.email, role: "viewer" } });
  const leave = () => app.call("DELETE", `${members}/${ben.id}`, anna.session);
  expect(await endsAfter(ben.session, leave)).toBe("ended");
});

test("a stream ends by itself once its account is shut", async () => {
  const cleo = await app.signUp("cleo");
  const members = `/api/projects/${world.projectId}/members`;
  await app.call("POST", members, anna.session, { body: { email: cleo.email, role: "viewer" } });
  const shut = () => app.call("PATCH", `/api/users/${cleo.id}`, admin.session, { body: { disabled: true } });
  expect(await endsAfter(cleo.session, shut)).toBe("ended");
});

test("one user's streams are limited, and those that closed do not count", async () => {
  const open = await Promise.all(Array.from({ length: 5 }, () => app.fetch("GET", stream, anna.session)));
  const sixth = await app.call("GET", stream, anna.session);
  expect([sixth.status, sixth.body.error.code]).toEqual([429, "too_many_streams"]);
  await Promise.all(open.map((one) => one.body?.cancel()));
  expect((await app.call("GET", stream, anna.session)).status).toBe(200);
});

test("nothing of the above failed on our side", () => {
  expect(app.failures).toEqual([]);
});

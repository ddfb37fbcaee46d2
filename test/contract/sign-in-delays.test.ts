// Who guesses at a password waits longer and longer; the owner of the account does not. Where a request comes from is the connection, or
// what a proxy of ours says.

import { expect, test } from "vitest";
import { AppError } from "../../src/lib/app-error.ts";
import { realEnv } from "../../src/main/env.ts";
import { anonymous, type Caller, cookieOf, origin, testApp } from "../helpers/test-app.ts";

// The first delay is a second, and a busy machine takes longer between two tries: time stands still.
const startedAt = realEnv.now();
const app = await testApp({ trustedProxies: ["10.0.0.0/8"], now: () => startedAt });
const anna = await app.signUp("anna");

type From = { readonly socket: string; readonly forwarded?: string; readonly caller?: Caller };

async function signIn(email: string, password: string, { socket, forwarded, caller = anonymous }: From) {
  const headers = new Headers({ host: "127.0.0.1:4180", origin, "content-type": "application/json", ...caller });
  if (forwarded !== undefined) headers.set("x-forwarded-for", forwarded);
  const body = JSON.stringify({ email, password });
  const request = new Request(`${origin}/api/auth/sign-in`, { method: "POST", headers, body });
  const answer = await app.app.fetch(request, { incoming: { socket: { remoteAddress: socket } } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const wrong = "not the password";

/** Until the guesser has to wait. */
async function guess(email: string, from: From) {
  for (let tries = 0; tries < 5; tries++) await signIn(email, wrong, from);
  return signIn(email, wrong, from);
}

test("after some wrong tries an address waits, while the owner comes in from another", async () => {
  const refused = await guess(anna.email, { socket: "203.0.113.1" });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await signIn(anna.email, anna.password, { socket: "203.0.113.1" })).status).toBe(429);
  expect((await signIn(anna.email, anna.password, { socket: "198.51.100.1" })).status).toBe(200);
});

test("a browser that signed in before comes in from the address of the guesser", async () => {
  const before = await signIn(anna.email, anna.password, { socket: "198.51.100.2" });
  const device =
    cookieOf(before.headers)
      .split("; ")
      .find((pair) => pair.startsWith("homework.device=")) ?? "";
  expect((await guess(anna.email, { socket: "203.0.113.2" })).status).toBe(429);
  const known = await signIn(anna.email, anna.password, { socket: "203.0.113.2", caller: { cookie: device } });
  expect(known.status).toBe(200);
  const ben = await app.signUp("ben");
  expect((await guess(ben.email, { socket: "203.0.113.2", caller: { cookie: device } })).status).toBe(429);
});

test("known and unknown addresses of people get the same answers, waiting included", async () => {
  const from = { socket: "203.0.113.3" };
  for (let tries = 0; tries < 6; tries++) {
    const known = await signIn(anna.email, wrong, from);
    const unknown = await signIn("nobody@example.test", wrong, from);
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
  }
});

test("behind a proxy of ours each client waits alone; other headers are not believed", async () => {
  const proxy = "10.1.2.3";
  expect((await guess(anna.email, { socket: proxy, forwarded: "203.0.113.4" })).status).toBe(429);
  expect((await signIn(anna.email, anna.password, { socket: proxy, forwarded: "198.51.100.4" })).status).toBe(200);
  expect((await guess(anna.email, { socket: "203.0.113.5", forwarded: "198.51.100.5" })).status).toBe(429);
  expect((await signIn(anna.email, wrong, { socket: "203.0.113.5", forwarded: "198.51.100.6" })).status).toBe(429);
  const { rows } = await app.admin.query(
    "select ip_address from homework.auth_sessions where ip_address like '198.%.4'",
  );
  expect(rows).toHaveLength(1);
});

const changePassword = (caller: Caller, current: string, next = "a new password") =>
  app.call("POST", "/api/me/password", caller, { body: { current_password: current, new_password: next } });

test("a flood of wrong current passwords is refused and counted; others sign in and change theirs", async () => {
  const [carl, dora] = [await app.signUp("carl"), await app.signUp("dora")];
  const flood = Array.from({ length: 60 }, () => changePassword(carl.session, wrong));
  const [signedIn, changed] = await Promise.all([
    signIn(dora.email, dora.password, { socket: "198.51.100.8" }),
    changePassword(dora.session, dora.password),
  ]);
  expect([signedIn.status, changed.status]).toEqual([200, 200]);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
  expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
  const late = await changePassword(carl.session, carl.password);
  expect([late.status, late.body.error.message]).toEqual([429, expect.stringContaining("Too many wrong passwords.")]);
  expect((await signIn(carl.email, carl.password, { socket: "198.51.100.9" })).status).toBe(200);
});

test("characters of a password are counted as people count them, by every route", async () => {
  const long = "😀".repeat(129);
  const eva = await app.signUp("eva");
  expect((await changePassword(eva.session, eva.password, long)).status).toBe(200);
  expect((await signIn(eva.email, long, { socket: "198.51.100.10" })).status).toBe(200);
  for (const password of ["😀".repeat(201), "😀".repeat(9)]) {
    expect((await changePassword(eva.session, long, password)).status).toBe(400);
    const body = { name: "Finn", email: "finn@example.test", password };
    expect((await app.call("POST", "/api/auth/sign-up", anonymous, { body })).status).toBe(400);
  }
  const body = { name: "Finn", email: "finn@example.test", password: long };
  expect((await app.call("POST", "/api/auth/sign-up", anonymous, { body })).status).toBe(201);
});

test("nothing of the above failed on our side, but for answers that more is under way than can be done", () => {
  expect(app.failures.filter(({ error }) => AppError.from(error).code !== "busy")).toEqual([]);
});

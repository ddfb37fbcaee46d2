// The first admin of an installation that others can reach: no stranger becomes it, and the owner of the time before accounts stays
// the owner of everything they had.

import { expect, test } from "vitest";
import { ensureOwner } from "../../src/main/local-owner.ts";
import { anonymous, cookieOf, testApp } from "../helpers/test-app.ts";

const app = await testApp({ signUp: "closed", isReachable: true });
const token = app.auth.bootstrapToken.value;

const signUp = (name: string, more: object = {}) =>
  app.call("POST", "/api/auth/sign-up", anonymous, {
    body: { name, email: `${name}@example.test`, password: `${name} password`, ...more },
  });
const bootstrap = async () => (await app.call("GET", "/api/instance", anonymous)).body.bootstrap;
const admins = async () => (await app.admin.query("select name from homework.auth_users where role = 'admin'")).rows;

test("where nobody is yet, a stranger without the printed token gets no account", async () => {
  expect(await bootstrap()).toBe("token");
  for (const more of [{}, { bootstrap_token: "x" }, { bootstrap_token: token.slice(1) }])
    expect((await signUp("eve", more)).status).toBe(403);
  expect(await admins()).toEqual([]);
});

test("of several with the printed token at once, one becomes the admin", async () => {
  const answers = await Promise.all(["anna", "ben"].map((name) => signUp(name, { bootstrap_token: token })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403]);
  expect(await admins()).toHaveLength(1);
  expect(await bootstrap()).toBe("closed");
  expect((await signUp("eve", { bootstrap_token: token })).status).toBe(403);
  await app.admin.query("delete from homework.auth_users");
});

test("the local owner closes the door to strangers and turns into the admin with everything they had", async () => {
  const owner = await ensureOwner(app.db, app.auth);
  const before = await app.newSession(owner.id);
  const project = await app.call("POST", "/api/projects", before, { body: { name: "Garden" } });
  expect(await bootstrap()).toBe("token");
  expect((await signUp("eve")).status).toBe(403);
  expect((await signUp("eve", { bootstrap_token: "x" })).status).toBe(403);

  const answers = await Promise.all(["olga", "otto"].map((name) => signUp(name, { bootstrap_token: token })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403]);
  const claimed = answers.find(({ status }) => status === 201);
  expect(claimed?.body.user).toMatchObject({ id: owner.id, role: "admin" });
  const session = { cookie: cookieOf(claimed?.headers ?? new Headers()) };
  expect((await app.call("GET", `/api/projects/${project.body.id}`, session)).status).toBe(200);
  expect((await app.call("GET", "/api/me", before)).status).toBe(401);
  expect(await bootstrap()).toBe("closed");
  expect(await ensureOwner(app.db, app.auth)).toMatchObject({ id: owner.id, email: claimed?.body.user.email });
});

test("a login link for the admin takes neither password nor sessions away", async () => {
  const { rows } = await app.admin.query<{ email: string }>("select email from homework.auth_users");
  const email = rows[0]?.email ?? "";
  const link = await app.auth.loginLink(email);
  await app.call("GET", link.slice(new URL(link).origin.length), anonymous);
  const password = `${email.split("@")[0]} password`;
  expect((await app.call("POST", "/api/auth/sign-in", anonymous, { body: { email, password } })).status).toBe(200);
});

test("nothing of the above failed on our side", () => {
  expect(app.failures).toEqual([]);
});

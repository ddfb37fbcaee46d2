// Sessions: how they begin, what they cannot tell a stranger, and everything that ends them.

import { expect, test } from "vitest";
import { anonymous, cookieOf, type Person, testApp } from "../helpers/test-app.ts";

const app = await testApp();
const admin = await app.signUp("admin");

const signIn = (email: string, password: string) =>
  app.call("POST", "/api/auth/sign-in", anonymous, { body: { email, password } });

const isSignedIn = async (caller: Readonly<Record<string, string>>) =>
  (await app.call("GET", "/api/me", caller)).status === 200;

async function sessionsOf({ id }: Person): Promise<number> {
  const { rowCount } = await app.admin.query("select from homework.auth_sessions where user_id = $1", [id]);
  return rowCount ?? 0;
}

test("the first to sign up manages the installation, the second does not", async () => {
  const second = await app.signUp("second");
  const roles = await Promise.all(
    [admin, second].map(async ({ session }) => (await app.call("GET", "/api/me", session)).body.user.role),
  );
  expect(roles).toEqual(["admin", "user"]);
});

test("a session's cookie is for this server alone and out of a script's reach", async () => {
  const answer = await signIn(admin.email, admin.password);
  expect(answer.status).toBe(200);
  const [cookie = ""] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/; HttpOnly/);
  expect(cookie).toMatch(/; SameSite=(Lax|Strict)/);
  expect(cookie).toMatch(/; Path=\//);
  expect(cookie).not.toMatch(/; Domain=/);
  expect(answer.text).not.toContain(decodeURIComponent(cookie.split("=")[1] ?? "").split(".")[0]);
});

test("a new sign-in gives a new session, whatever cookie came with it", async () => {
  const body = { email: admin.email, password: admin.password };
  const before = await app.newSession(admin.id);
  const answer = await app.call("POST", "/api/auth/sign-in", before, { body });
  expect(cookieOf(answer.headers)).not.toBe(before.cookie);
});

test("a wrong password and an unknown address get the same answer", async () => {
  const wrong = await signIn(admin.email, "not the password");
  const unknown = await signIn("nobody@example.test", "not the password");
  expect([wrong.status, wrong.body.error.code]).toEqual([401, "wrong_credentials"]);
  expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
  expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()]);
});

test("an address is the same in capitals", async () => {
  expect((await signIn(admin.email.toUpperCase(), admin.password)).status).toBe(200);
});

test("signing out ends the session at once, and only that one", async () => {
  const [one, other] = [await app.newSession(admin.id), await app.newSession(admin.id)];
  const answer = await app.call("POST", "/api/auth/sign-out", one);
  expect(answer.status).toBe(200);
  expect(answer.headers.getSetCookie()[0]).toMatch(/Max-Age=0/);
  expect([await isSignedIn(one), await isSignedIn(other)]).toEqual([false, true]);
});

test("a session that has expired is over", async () => {
  const anna = await app.signUp("anna");
  await app.admin.query("update homework.auth_sessions set expires_at = now() - interval '1 s' where user_id = $1", [
    anna.id,
  ]);
  expect(await isSignedIn(anna.session)).toBe(false);
});

test("one's sessions can be listed and ended one by one, without their tokens", async () => {
  const anna = await app.signUp("anna");
  const other = await app.newSession(anna.id);
  const listed = await app.call("GET", "/api/me/sessions", anna.session);
  expect(listed.body.items).toHaveLength(2);
  expect(listed.text).not.toContain(decodeURIComponent(other.cookie.split("=")[1] ?? "").split(".")[0]);
  const id = listed.body.items.find((one: { current: boolean }) => !one.current).id;
  expect((await app.call("DELETE", `/api/me/sessions/${id}`, anna.session)).status).toBe(200);
  expect([await isSignedIn(other), await isSignedIn(anna.session)]).toEqual([false, true]);
});

test("a new password ends the other sessions and the old password", async () => {
  const anna = await app.signUp("anna");
  const other = await app.newSession(anna.id);
  const body = { current_password: anna.password, new_password: "a new password" };
  expect((await app.call("POST", "/api/me/password", anna.session, { body })).status).toBe(200);
  expect([await isSignedIn(anna.session), await isSignedIn(other)]).toEqual([true, false]);
  expect((await signIn(anna.email, anna.password)).status).toBe(401);
  expect((await signIn(anna.email, "a new password")).status).toBe(200);
});

test("a password is not changed by someone who does not know it", async () => {
  const anna = await app.signUp("anna");
  const body = { current_password: "a guess of it", new_password: "a new password" };
  const answer = await app.call("POST", "/api/me/password", anna.session, { body });
  expect([answer.status, answer.body.error.code]).toEqual([401, "wrong_credentials"]);
  expect((await signIn(anna.email, anna.password)).status).toBe(200);
});

test("an account that is shut loses its sessions and keys, and opens without them", async () => {
  const anna = await app.signUp("anna");
  const key = await app.newKey(anna.id, ["admin"]);
  const set = (disabled: boolean) => app.call("PATCH", `/api/users/${anna.id}`, admin.session, { body: { disabled } });
  expect((await set(true)).status).toBe(200);
  expect([await isSignedIn(anna.session), await isSignedIn(key)]).toEqual([false, false]);
  const refused = await signIn(anna.email, anna.password);
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []]);
  expect(await sessionsOf(anna)).toBe(0);
  expect((await set(false)).status).toBe(200);
  expect([await isSignedIn(anna.session), await isSignedIn(key)]).toEqual([false, false]);
  expect((await signIn(anna.email, anna.password)).status).toBe(200);
});

test("a shut account with a wrong password is told what everyone is told", async () => {
  const anna = await app.signUp("anna");
  await app.call("PATCH", `/api/users/${anna.id}`, admin.session, { body: { disabled: true } });
  const answer = await signIn(anna.email, "not the password");
  expect([answer.status, answer.body.error.code]).toEqual([401, "wrong_credentials"]);
});

test("whoever manages the installation sees who is shut out", async () => {
  const anna = await app.signUp("anna");
  await app.call("PATCH", `/api/users/${anna.id}`, admin.session, { body: { disabled: true } });
  const { items } = (await app.call("GET", "/api/users", admin.session)).body;
  expect(items.find(({ id }: { id: string }) => id === anna.id)).toMatchObject({ disabled: true });
});

test("whoever manages the installation cannot leave it without anyone who does", async () => {
  for (const body of [{ disabled: true }, { role: "user" }]) {
    const answer = await app.call("PATCH", `/api/users/${admin.id}`, admin.session, { body });
    expect([answer.status, answer.body.error.code]).toEqual([409, "last_owner"]);
  }
  expect(await isSignedIn(admin.session)).toBe(true);
});

const pathOf = (link: string) => link.slice(new URL(link).origin.length);

test("a one-time link signs in once; then it leads to the page that says so", async () => {
  const anna = await app.signUp("anna");
  const link = pathOf(await app.auth.loginLink(anna.email));
  const first = await app.call("GET", link, anonymous);
  expect([first.status, first.headers.get("location")]).toEqual([303, "/"]);
  expect(await isSignedIn({ cookie: cookieOf(first.headers) })).toBe(true);
  const second = await app.call("GET", link, anonymous);
  expect([second.status, second.headers.get("location")]).toEqual([303, "/sign-in?error=link_expired"]);
  expect(second.headers.getSetCookie()).toEqual([]);
});

test("a link for an address that was never verified takes password, sessions and keys of whoever signed up away", async () => {
  const stranger = await app.signUp("stranger");
  const key = await app.newKey(stranger.id, ["admin"]);
  const answer = await app.call("GET", pathOf(await app.auth.loginLink(stranger.email)), anonymous);
  expect(await isSignedIn({ cookie: cookieOf(answer.headers) })).toBe(true);
  expect([await isSignedIn(stranger.session), await isSignedIn(key)]).toEqual([false, false]);
  expect((await signIn(stranger.email, stranger.password)).status).toBe(401);
});

test("a link for an address that an admin vouches for takes nothing away", async () => {
  const made = { name: "Mia", email: "mia@example.test", password: "the password of mia" };
  const { id } = (await app.call("POST", "/api/users", admin.session, { body: made })).body;
  const session = await app.newSession(id);
  const key = await app.newKey(id, ["read"]);
  await app.call("GET", pathOf(await app.auth.loginLink(made.email)), anonymous);
  expect([await isSignedIn(session), await isSignedIn(key)]).toEqual([true, true]);
  expect((await signIn(made.email, made.password)).status).toBe(200);
});

test("looking at a link without opening it uses nothing up", async () => {
  const anna = await app.signUp("anna");
  const link = pathOf(await app.auth.loginLink(anna.email));
  const looked = await app.call("HEAD", link, anonymous);
  expect([looked.status, looked.headers.getSetCookie()]).toEqual([200, []]);
  expect((await app.call("GET", link, anonymous)).headers.get("location")).toBe("/");
});

test("of ten who follow the same link at once, one comes in", async () => {
  const anna = await app.signUp("anna");
  const link = pathOf(await app.auth.loginLink(anna.email));
  const answers = await Promise.all(Array.from({ length: 10 }, () => app.call("GET", link, anonymous)));
  expect(answers.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1);
});

test("a link that is too old, cut or made up signs nobody in", async () => {
  const anna = await app.signUp("anna");
  const link = pathOf(await app.auth.loginLink(anna.email));
  await app.admin.query("update homework.auth_verifications set expires_at = now() - interval '1 s'");
  const links = [link, link.slice(0, -1), "/auth/once", `/auth/once?token=${"a".repeat(32)}`, "/auth/once?token=%00"];
  for (const one of links) {
    const answer = await app.call("GET", one, anonymous);
    expect([answer.headers.get("location"), answer.headers.getSetCookie()]).toEqual([
      "/sign-in?error=link_expired",
      [],
    ]);
  }
});

test("a link for an account that was shut since signs nobody in", async () => {
  const anna = await app.signUp("anna");
  const link = pathOf(await app.auth.loginLink(anna.email));
  await app.call("PATCH", `/api/users/${anna.id}`, admin.session, { body: { disabled: true } });
  const answer = await app.call("GET", link, anonymous);
  expect([answer.headers.get("location"), answer.headers.getSetCookie()]).toEqual(["/sign-in?error=link_expired", []]);
  expect(await sessionsOf(anna)).toBe(0);
});

test("someone without a password is told so when they want to change it, and can set one", async () => {
  const { internalAdapter } = await app.auth.context;
  const { id } = await internalAdapter.createUser(
    { email: "link@example.test", name: "Link" },
    { method: "magic-link" },
  );
  const session = await app.newSession(id);
  const setPassword = (body: object) => app.call("POST", "/api/me/password", session, { body });
  const answer = await setPassword({ current_password: "there is none", new_password: "a new password" });
  expect([answer.status, answer.body.error.code]).toEqual([403, "forbidden"]);
  expect((await setPassword({ new_password: "a first password" })).status).toBe(200);
  expect((await signIn("link@example.test", "a first password")).status).toBe(200);
});

test("who has a password has to say it to get another", async () => {
  const anna = await app.signUp("anna");
  const body = { new_password: "a new password" };
  const answer = await app.call("POST", "/api/me/password", anna.session, { body });
  expect([answer.status, answer.body.error.code]).toEqual([401, "wrong_credentials"]);
  expect((await signIn(anna.email, anna.password)).status).toBe(200);
});

test("of two who sign up with the same address at once, one gets it", async () => {
  const body = { name: "Twin", email: "twin@example.test", password: "a long password" };
  const answers = await Promise.all([1, 2, 3].map(() => app.call("POST", "/api/auth/sign-up", anonymous, { body })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
});

test("an account that someone else makes signs nobody in", async () => {
  const body = { name: "Made", email: "made@example.test", password: "a long password" };
  const answer = await app.call("POST", "/api/users", admin.session, { body });
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([201, []]);
  const { rowCount } = await app.admin.query("select from homework.auth_sessions where user_id = $1", [answer.body.id]);
  expect(rowCount).toBe(0);
});

test("nothing of the above failed on our side", () => {
  expect(app.failures).toEqual([]);
});

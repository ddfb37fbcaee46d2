// What one request can do to all others: bodies that are large, slow or made to be slow to read, and searches that are slow.

import { expect, test } from "vitest";
import { anonymous, testApp } from "../helpers/test-app.ts";

const stallMs = 100;
const poolSize = 4;
const app = await testApp({ bodyLimits: { bytesInAll: 1_000_000, stallMs }, poolSize });
const ann = await app.signUp("Ann");
const project = (await app.call("POST", "/api/projects", ann.session, { body: { name: "Garden" } })).body;
const tasks = `/api/projects/${project.id}/tasks`;

const signIn = "/api/auth/sign-in";
const credentials = { email: "ann@example.test", password: "wrong password" };

test("who is not signed in may send 16 kB", async () => {
  const fits = { ...credentials, password: "x".repeat(200) };
  expect((await app.call("POST", signIn, anonymous, { body: fits })).status).toBe(401);
  for (const url of [signIn, "/api/auth/sign-up"]) {
    const raw = JSON.stringify({ ...credentials, password: "x".repeat(17_000) });
    const answer = await app.call("POST", url, anonymous, { raw });
    expect([url, answer.status, answer.body.error.code]).toEqual([url, 413, "too_large"]);
  }
});

test("a body that does not say how long it is, is read as far as its route takes it", async () => {
  let sent = 0;
  const endless = new ReadableStream({
    pull: (controller) => {
      sent += 1_000;
      controller.enqueue(new Uint8Array(1_000).fill(0x20));
    },
  });
  const answer = await app.call("POST", signIn, anonymous, { raw: endless });
  expect([answer.status, answer.body.error.code]).toEqual([413, "too_large"]);
  expect(sent).toBeLessThan(30_000);
});

test.each([
  ["lists without end", `[${"[],".repeat(120_000)}[]]`, 413, "too_large"],
  ["the same with a key that is looked for", `{"__proto__":[${"[],".repeat(120_000)}[]]}`, 413, "too_large"],
  ["nesting without end", `{"title":${"[".repeat(200)}${"]".repeat(200)}}`, 400, "invalid_request"],
  ["a prototype, deep inside", '{"title":"x","props":{"a":[{"__proto__":{"b":1}}]}}', 400, "invalid_request"],
  ["a prototype in disguise", '{"title":"x","props":{"\\u005f\\u005fpro\\u0074o__":{"b":1}}}', 400, "invalid_request"],
])("a body of %s is refused", async (_, raw, status, code) => {
  const answer = await app.call("POST", tasks, ann.session, { raw });
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});

test("brackets, commas and quotes inside of texts are text", async () => {
  const title = `${"[{,".repeat(1_000)}"\\"`;
  const made = await app.call("POST", tasks, ann.session, { body: { title, props: { 'a,"[': ["\\", '\\\\"'] } } });
  expect([made.status, made.body.title]).toEqual([201, title]);
});

test("a body that stands still is not waited for", async () => {
  const answer = await app.call("POST", tasks, ann.session, { raw: new ReadableStream() });
  expect([answer.status, answer.body.error.code]).toEqual([408, "body_late"]);
  expect(answer.headers.get("retry-after")).toBe("2");
});

test("documents of one word over and over are found in time, with a passage around the word", async () => {
  const documents = `/api/projects/${project.id}/documents`;
  const page = (content: string) => app.call("POST", documents, ann.session, { body: { title: "Long", content } });
  for (let count = 0; count < 12; count += 1) expect((await page("repair ".repeat(14_000))).status).toBe(201);
  expect((await page(`${"other words ".repeat(5_000)} the Zeppelin landed ${"and more ".repeat(5_000)}`)).status).toBe(
    201,
  );
  const found = await app.call("GET", "/api/search?q=repair&limit=50", ann.session);
  expect([found.status, found.body.items.length]).toEqual([200, 12]);
  const late = await app.call("GET", "/api/search?q=zeppelin", ann.session);
  expect(late.body.items[0].snippet).toContainEqual({ text: "Zeppelin", match: true });
});

test("more searches of one user than have a turn are told to wait, and others search meanwhile", async () => {
  const bob = await app.signUp("Bob");
  const flood = Array.from({ length: 40 }, () => app.call("GET", "/api/search?q=repair", ann.session));
  const other = await app.call("GET", "/api/search?q=repair", bob.session);
  expect([other.status, other.body.items]).toEqual([200, []]);
  const answers = await Promise.all(flood);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
  const refused = answers.find(({ status }) => status === 503);
  expect([refused?.body.error.code, refused?.headers.get("retry-after")]).toEqual(["busy", "2"]);
});

/** Takes every connection that requests of users have. */
async function holdPool(): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const begun: Promise<void>[] = [];
  const held = Array.from({ length: poolSize }, () => {
    const begins = Promise.withResolvers<void>();
    begun.push(begins.promise);
    return app.db.asUser({ userId: ann.id }, async () => {
      begins.resolve();
      await released;
    });
  });
  await Promise.all(begun);
  return async () => {
    release();
    await Promise.all(held);
  };
}

test("where users' connections to the database are all taken, people can sign in, passwords are compared, and health is told", async () => {
  const release = await holdPool();
  try {
    const body = { current_password: "not hers at all", new_password: "a new password of hers" };
    const asked = await Promise.all([
      app.call("POST", "/api/me/password", ann.session, { body }),
      app.call("POST", signIn, anonymous, { body: { email: ann.email, password: ann.password } }),
      app.call("GET", "/healthz", anonymous),
      app.call("GET", "/readyz", anonymous),
    ]);
    expect(asked.map(({ status }) => status)).toEqual([401, 200, 200, 200]);
  } finally {
    await release();
  }
});

test("a password is changed all the same, and that is written down", async () => {
  const body = { current_password: ann.password, new_password: "a new password of hers" };
  expect((await app.call("POST", "/api/me/password", ann.session, { body })).status).toBe(200);
  const { rows } = await app.admin.query("select actor_id from homework.audit_log where action = 'password_changed'");
  expect(rows).toEqual([{ actor_id: ann.id }]);
});

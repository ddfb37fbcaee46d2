// The same Idempotency-Key creates once: one after the other, at once, after a failure, and with a secret in the answer.

import { expect, test } from "vitest";
import { testApp } from "../helpers/test-app.ts";
import { makeWorld } from "../helpers/test-world.ts";

const app = await testApp();
const anna = await app.signUp("anna");
const ben = await app.signUp("ben");
const world = await makeWorld(app.admin, { [anna.id]: "owner", [ben.id]: "editor" });
const tasks = `/api/projects/${world.projectId}/tasks`;

let keys = 0;
const newKey = () => `key-${++keys}`;

const create = (key: string, body: unknown, { url = tasks, by = anna.session } = {}) =>
  app.call("POST", url, by, { body, headers: { "idempotency-key": key } });

async function titled(title: string): Promise<number> {
  const { rowCount } = await app.admin.query("select from homework.onto_tasks where title = $1", [title]);
  return rowCount ?? 0;
}

test("the same request twice gives the same answer and creates once", async () => {
  const key = newKey();
  const body = { title: "twice", props: { deep: { list: [1, 1.5, null, "x"] } }, priority: 2 };
  const first = await create(key, body);
  const second = await create(key, body);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
  expect(await titled("twice")).toBe(1);
});

test("of twenty at once one creates and all get its answer", async () => {
  const key = newKey();
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(key, { title: "twenty" })));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(await titled("twenty")).toBe(1);
});

test("the same key with another body is refused", async () => {
  const key = newKey();
  await create(key, { title: "one" });
  const other = await create(key, { title: "other" });
  expect([other.status, other.body.error.code]).toEqual([422, "idempotency_mismatch"]);
  expect(await titled("other")).toBe(0);
});

test("the same key with another address is refused", async () => {
  const key = newKey();
  await create(key, { title: "here" });
  const other = await create(key, { title: "here" }, { url: tasks.replace("tasks", "goals") });
  expect(other.status).toBe(422);
});

test("a key belongs to whoever used it", async () => {
  const key = newKey();
  const annas = await create(key, { title: "mine" });
  const bens = await create(key, { title: "mine" }, { by: ben.session });
  expect([annas.status, bens.status]).toEqual([201, 201]);
  expect(bens.body.id).not.toBe(annas.body.id);
});

test("a request that failed does not use up its key", async () => {
  const key = newKey();
  const edge = { src_id: world.things.task, rel: "uses", dst_id: world.things.document };
  const url = `/api/projects/${world.projectId}/edges`;
  const exists = await create(key, edge, { url });
  expect(exists.status).toBe(409);
  await app.call("DELETE", `${url}/${world.edgeId}`, anna.session);
  expect((await create(key, edge, { url })).status).toBe(201);
});

test("a body that is wrong does not use up its key", async () => {
  const key = newKey();
  expect((await create(key, { title: "" })).status).toBe(400);
  expect((await create(key, { title: "right" })).status).toBe(201);
});

test("whoever lost the project does not get the answer again", async () => {
  const key = newKey();
  const body = { title: "ben's" };
  expect((await create(key, body, { by: ben.session })).status).toBe(201);
  await app.call("DELETE", `/api/projects/${world.projectId}/members/${ben.id}`, anna.session);
  expect((await create(key, body, { by: ben.session })).status).toBe(404);
});

test("an answer with a secret is not stored, and not shown again", async () => {
  const key = newKey();
  const body = { name: "robot", scopes: ["read"] };
  const first = await create(key, body, { url: "/api/me/keys" });
  expect(first.status).toBe(201);
  const again = await create(key, body, { url: "/api/me/keys" });
  expect([again.status, again.body.error.code]).toEqual([409, "already_exists"]);
  const { rows } = await app.admin.query("select * from homework.idempotency_keys where key = $1", [key]);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(first.body.key);
  const { rowCount } = await app.admin.query("select from homework.auth_api_keys where name = 'robot'");
  expect(rowCount).toBe(1);
});

test("of ten keys asked for at once with one Idempotency-Key, one is made", async () => {
  const key = newKey();
  const body = { name: "ten", scopes: ["read"] };
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(key, body, { url: "/api/me/keys" })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
  const { rowCount } = await app.admin.query("select from homework.auth_api_keys where name = 'ten'");
  expect(rowCount).toBe(1);
});

test("an account is made once, and its password is not in the stored answer", async () => {
  const key = newKey();
  const body = { name: "Cleo", email: "cleo@example.test", password: "cleo's password" };
  const first = await create(key, body, { url: "/api/users" });
  const second = await create(key, body, { url: "/api/users" });
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
  const { rows } = await app.admin.query("select * from homework.idempotency_keys where key = $1", [key]);
  expect(JSON.stringify(rows)).not.toContain(body.password);
});

const badKeys = ["a b", "a,b", "ä", "a%0d%0aset-cookie: x=y", "../../x", "a".repeat(201), "{}", "a\tb"];
test.for(badKeys)("the key %j is refused", async (key) => {
  // Headers carry bytes; a letter of two of them arrives as two letters.
  const answer = await create(Buffer.from(key).toString("latin1"), { title: "bad key" });
  expect([answer.status, answer.body.error.code]).toEqual([400, "invalid_request"]);
  expect(answer.headers.has("set-cookie")).toBe(false);
});

test("nothing of the above failed on our side", async () => {
  expect(await titled("bad key")).toBe(0);
  expect(app.failures).toEqual([]);
});

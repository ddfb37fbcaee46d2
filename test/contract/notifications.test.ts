// What users were told, over HTTP: pages, reading one, reading all, and never anybody else's.

import { expect, test } from "vitest";
import { routes } from "../../src/protocol/api.ts";
import { allPages } from "../helpers/all-pages.ts";
import { insertNotification } from "../helpers/run-rows.ts";
import { type Person, testApp } from "../helpers/test-app.ts";

const app = await testApp();
const url = "/api/notifications";

const list = async (by: Person, query = "") =>
  routes.runs.listNotifications.result.parse((await app.call("GET", `${url}?${query}`, by.session)).body);
const read = (by: Person, id: string) => app.call("POST", `${url}/${id}/read`, by.session);

async function someone(count: number) {
  const person = await app.signUp("anna");
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await insertNotification(app.admin, person.id));
  return { person, ids };
}

async function feed({ id }: Person) {
  const { rows } = await app.admin.query(
    "select seq::int, type, data from homework.user_feed_events where user_id = $1 order by seq",
    [id],
  );
  return rows;
}

test("they come in pages, newest first, with how many are unread", async () => {
  const { person, ids } = await someone(5);
  await read(person, ids[3] ?? "");
  const all = await allPages(async ({ cursor }) => list(person, `limit=2${cursor ? `&cursor=${cursor}` : ""}`));
  expect(all.map(({ id }) => id)).toEqual(ids.toReversed());
  const unread = await list(person, "unread=true");
  expect(unread.items.map(({ id }) => id)).toEqual([4, 2, 1, 0].map((n) => ids[n]));
  expect(unread.unread_count).toBe(4);
});

test("one that is read stays read since the first time, and the other pages are told once", async () => {
  const { person, ids } = await someone(2);
  const first = await read(person, ids[0] ?? "");
  expect(first.body).toMatchObject({ id: ids[0], read_at: expect.any(String) });
  const again = await read(person, ids[0] ?? "");
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(await feed(person)).toEqual([
    { seq: 1, type: "notification_read", data: { notification_id: ids[0], unread_count: 1 } },
  ]);
});

test("all are read at once, and doing it again is no news", async () => {
  const { person } = await someone(3);
  const all = () => app.call("POST", `${url}/read-all`, person.session);
  expect((await all()).body).toEqual({ read: 3 });
  expect((await all()).body).toEqual({ read: 0 });
  expect(await feed(person)).toEqual([
    { seq: 1, type: "notification_read", data: { notification_id: null, unread_count: 0 } },
  ]);
});

test("twenty readers at once mark each of them once", async () => {
  const { person, ids } = await someone(5);
  const every = () => app.call("POST", `${url}/read-all`, person.session);
  const answers = await Promise.all([...ids, ...ids, ...ids].flatMap((id) => [read(person, id), every()]));
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
  const seqs = (await feed(person)).map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, n) => n + 1));
  expect((await list(person)).unread_count).toBe(0);
  expect(app.failures).toEqual([]);
});

test("eight that are read at once are counted down one by one", async () => {
  const { person, ids } = await someone(8);
  await Promise.all(ids.map((id) => read(person, id)));
  expect((await feed(person)).map(({ data }) => data.unread_count)).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
});

test("another's is not there, and reading all leaves it alone", async () => {
  const [{ person: anna, ids }, { person: ben }] = [await someone(1), await someone(1)];
  expect((await read(ben, ids[0] ?? "")).status).toBe(404);
  await app.call("POST", `${url}/read-all`, ben.session);
  expect((await list(anna)).unread_count).toBe(1);
});

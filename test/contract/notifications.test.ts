// What users were told, over HTTP: pages, reading one, reading all, what they want to be told of, and never anybody else's.

import { expect, test } from "vitest";
import { silentLogger } from "../../src/lib/logger.ts";
import { realEnv } from "../../src/main/env.ts";
import { deliverDue } from "../../src/notify/deliver.ts";
import { routes } from "../../src/protocol/api.ts";
import { toldNotification } from "../../src/protocol/routes/run-shapes.ts";
import { allPages } from "../helpers/all-pages.ts";
import { insertNotification, insertRun } from "../helpers/run-rows.ts";
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
  // One after the other, also where two were made in the same millisecond.
  await app.admin.query(
    `update homework.user_notifications n set created_at = now() - (cardinality($1::uuid[]) - o.place) * interval '1 second'
       from unnest($1::uuid[]) with ordinality as o (id, place) where n.id = o.id`,
    [ids],
  );
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

const preferencesUrl = `${url}/preferences`;
const choose = (by: Person, event: string, in_app: boolean, browser: boolean) =>
  app.call("PATCH", preferencesUrl, by.session, { body: { preferences: [{ event, in_app, browser }] } });

test("whoever chose nothing is told of everything, everywhere; a choice is about one event and one user", async () => {
  const [anna, ben] = [await app.signUp("anna"), await app.signUp("ben")];
  const chosen = await choose(anna, "canceled", false, true);
  expect(chosen.status).toBe(200);
  const { preferences } = routes.runs.notificationPreferences.result.parse(chosen.body);
  expect(preferences.filter(({ in_app, browser }) => !in_app || !browser)).toEqual([
    { event: "canceled", in_app: false, browser: true },
  ]);
  expect((await app.call("GET", preferencesUrl, anna.session)).body).toEqual({ preferences });
  await choose(anna, "canceled", true, false);
  expect((await app.call("GET", preferencesUrl, anna.session)).body.preferences).toContainEqual({
    event: "canceled",
    in_app: true,
    browser: false,
  });
  const ofBen = (await app.call("GET", preferencesUrl, ben.session)).body.preferences;
  expect(ofBen).toHaveLength(6);
  expect(ofBen.every((one: { in_app: boolean; browser: boolean }) => one.in_app && one.browser)).toBe(true);
});

test("an event that is named twice, or that there is not, is refused", async () => {
  const { person } = await someone(0);
  const one = { event: "failed", in_app: true, browser: true };
  for (const preferences of [[one, one], [{ ...one, event: "sneezed" }]]) {
    const answer = await app.call("PATCH", preferencesUrl, person.session, { body: { preferences } });
    expect(answer.status).toBe(400);
  }
});

/** What a user has of a run that ended, and what their pages were told. */
async function afterCancel(person: Person) {
  const runId = await insertRun(app.admin, person.id);
  expect((await app.call("POST", `/api/homework/runs/${runId}/cancel`, person.session)).status).toBe(200);
  await deliverDue({ db: app.db, env: realEnv, logger: silentLogger });
  const { items, unread_count } = await list(person);
  const told = (await feed(person)).find(({ type }) => type === "notification_created");
  return { item: items[0], unread: unread_count, told: toldNotification.parse(told?.data) };
}

test("what one does not want to hear of stands in the history as read, and rings no bell", async () => {
  const { person } = await someone(0);
  await choose(person, "canceled", false, true);
  await choose(person, "failed", false, false);
  const { item, unread, told } = await afterCancel(person);
  expect([item?.event, item?.read_at, unread]).toEqual(["canceled", expect.any(String), 0]);
  expect(told).toMatchObject({ id: item?.id, event: "canceled", is_silent: true, browser: true });
});

test("what one wants to hear of comes unread, with all that a page needs to show it", async () => {
  const { person } = await someone(0);
  await choose(person, "canceled", true, false);
  const { item, unread, told } = await afterCancel(person);
  expect([item?.read_at, unread]).toEqual([null, 1]);
  expect(told).toEqual({ ...item, is_silent: false, browser: false });
  expect(told.title).not.toBe("");
  expect(told.action_url).toBe(`/homework/runs/${item?.run_id}`);
});

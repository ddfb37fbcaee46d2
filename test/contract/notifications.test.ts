// What users were told, over HTTP: pages, reading one, reading all, what they want to be told of, and never anybody else's.

import { expect, test } from "vitest";
import type { UserId } from "../../src/domain/identity/identity.ts";
import type { Notification } from "../../src/domain/notification.ts";
import { routes } from "../../src/protocol/api.ts";
import { toldNotification } from "../../src/protocol/routes/notifications.ts";
import { tellUser } from "../../src/store/notification/notification-store.ts";
import { allPages } from "../helpers/all-pages.ts";
import { makeQuestion } from "../helpers/make-run.ts";
import { insertNotification, insertRun } from "../helpers/run-rows.ts";
import { type Person, testApp } from "../helpers/test-app.ts";

const app = await testApp();
const url = "/api/notifications";

const list = async (by: Person, query = "") =>
  routes.notifications.list.result.parse((await app.call("GET", `${url}?${query}`, by.session)).body);
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
  const chosen = await choose(anna, "failed", false, true);
  expect(chosen.status).toBe(200);
  const { preferences } = routes.notifications.preferences.result.parse(chosen.body);
  expect(preferences.filter(({ in_app, browser }) => !in_app || !browser)).toEqual([
    { event: "failed", in_app: false, browser: true },
  ]);
  expect((await app.call("GET", preferencesUrl, anna.session)).body).toEqual({ preferences });
  await choose(anna, "failed", true, false);
  expect((await app.call("GET", preferencesUrl, anna.session)).body.preferences).toContainEqual({
    event: "failed",
    in_app: true,
    browser: false,
  });
  const ofBen = (await app.call("GET", preferencesUrl, ben.session)).body.preferences;
  expect(ofBen).toHaveLength(8);
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

const makeTold = (person: Person, over: Partial<Notification> = {}): Notification => ({
  userId: person.id as UserId,
  about: "escalation:7",
  event: "failed",
  title: "A task needs a decision",
  message: "Which hall shall it be?",
  actionUrl: "/outcomes/3/escalations/7",
  data: { outcome_id: 3 },
  ...over,
});

/** As any part tells of anything. */
const tell = (person: Person, over: Partial<Notification> = {}) =>
  app.db.asSystem((tx) => tellUser(tx, app.queue, makeTold(person, over)));

/** What a user has of something that was told, and what their pages heard. */
async function afterTelling(person: Person, over: Partial<Notification> = {}) {
  await tell(person, over);
  const { items, unread_count } = await list(person);
  const told = (await feed(person)).findLast(({ type }) => type === "notification_created");
  return { item: items[0], unread: unread_count, told: toldNotification.parse(told?.data) };
}

test("what one does not want to hear of stands in the history as read, and rings no bell", async () => {
  const { person } = await someone(0);
  await choose(person, "failed", false, true);
  await choose(person, "stopped", false, false);
  const { item, unread, told } = await afterTelling(person);
  expect([item?.event, item?.read_at, unread]).toEqual(["failed", expect.any(String), 0]);
  expect(told).toMatchObject({ id: item?.id, event: "failed", is_silent: true, browser: true });
});

test("what one wants to hear of comes unread, with all that a page needs to show it", async () => {
  const { person } = await someone(0);
  await choose(person, "failed", true, false);
  const { item, unread, told } = await afterTelling(person);
  expect([item?.read_at, unread]).toEqual([null, 1]);
  // The list has how the run stands now; this one is about no run.
  expect({ ...told, run: null }).toEqual({ ...item, is_silent: false, browser: false });
  expect(item).toMatchObject({
    ...{ about: "escalation:7", run_id: null, title: "A task needs a decision", data: { outcome_id: 3 } },
    action_url: "/outcomes/3/escalations/7",
  });
});

test("more about the same thing takes its place, unread and told again; about another it stands beside it", async () => {
  const { person } = await someone(0);
  const first = await afterTelling(person);
  await read(person, first.item?.id ?? "");
  const second = await afterTelling(person, { event: "completed", title: "Decided" });
  expect(second.item).toMatchObject({ id: first.item?.id, event: "completed", title: "Decided", read_at: null });
  expect(second.told).toMatchObject({ id: first.item?.id, title: "Decided", is_silent: false });
  expect((await list(person)).items).toHaveLength(1);
  await tell(person, { about: "escalation:8" });
  expect((await list(person)).items.map(({ about }) => about)).toEqual(["escalation:8", "escalation:7"]);
});

test("many at once about one thing are one, and the bell rings for each, last for what the list says", async () => {
  const [{ person }, { person: other }] = [await someone(0), await someone(0)];
  const told = Array.from({ length: 12 }, (_, n) => `Told ${n}`);
  await Promise.all(told.map((title) => tell(person, { title })));
  const { items, unread_count } = await list(person);
  expect([items.length, unread_count]).toEqual([1, 1]);
  const rung = await feed(person);
  expect(rung.map(({ seq, type }) => [seq, type])).toEqual(told.map((_, n) => [n + 1, "notification_created"]));
  expect(new Set(rung.map(({ data }) => data.title))).toEqual(new Set(told));
  expect(rung.at(-1)?.data).toMatchObject({ title: items[0]?.title, created_at: items[0]?.created_at });
  expect(rung.at(-1)?.data).not.toHaveProperty("user_id");
  expect(await feed(other)).toEqual([]);
});

test("one that is told in a transaction that fails was never told, and rang no bell", async () => {
  const { person } = await someone(0);
  const failing = app.db.asSystem(async (tx) => {
    await tellUser(tx, app.queue, makeTold(person));
    throw new Error("undone");
  });
  await expect(failing).rejects.toThrow("undone");
  expect((await list(person)).items).toEqual([]);
  expect(await feed(person)).toEqual([]);
});

test.each([
  ["a thing without a kind", { about: "seven" }],
  ["another site", { actionUrl: "//evil.example/page" }],
  ["an address that is no path", { actionUrl: "https://evil.example" }],
  ["a run that is not there", { about: "run:0198c2a4-0000-7000-8000-0000000000ff" }],
])("the database refuses %s", async (_, over) => {
  const { person } = await someone(0);
  await expect(tell(person, over)).rejects.toThrow();
});

test("the database refuses a second row about the same thing", async () => {
  const { person } = await someone(0);
  await tell(person);
  const again = app.admin.query(
    "insert into homework.user_notifications (id, user_id, about, event, title, message, action_url) select gen_random_uuid(), user_id, about, event, title, message, action_url from homework.user_notifications where user_id = $1",
    [person.id],
  );
  await expect(again).rejects.toThrow("user_notifications_about_one_thing");
});

const visit = (by: Person, path: string) => app.call("POST", `${url}/visited`, by.session, { body: { path } });

test("whoever visits the page that one leads to, or one below it, has read it", async () => {
  const { person } = await someone(0);
  await tell(person, { actionUrl: "/homework/runs/1" });
  await tell(person, { about: "escalation:8", actionUrl: "/homework/runs/12" });
  for (const path of ["/homework", "/homework/runs", "/homework/runs/123", "/"])
    expect((await visit(person, path)).body).toEqual({ read: 0 });
  expect((await visit(person, "/homework/runs/1/report")).body).toEqual({ read: 1 });
  expect((await visit(person, "/homework/runs/1")).body).toEqual({ read: 0 });
  expect((await list(person, "unread=true")).items.map(({ about }) => about)).toEqual(["escalation:8"]);
  expect((await feed(person)).at(-1)).toMatchObject({ type: "notification_read", data: { unread_count: 1 } });
});

test("a question is read by visiting the page it is asked on, whatever place of the page it leads to", async () => {
  const { person } = await someone(0);
  await tell(person, { about: "escalation:9", actionUrl: "/outcomes/3?escalation=9" });
  expect((await visit(person, "/outcomes/31")).body).toEqual({ read: 0 });
  expect((await visit(person, "/outcomes/3")).body).toEqual({ read: 1 });
});

test("visiting a page reads nothing of anybody else's", async () => {
  const [{ person: anna }, { person: ben }] = [await someone(0), await someone(0)];
  await tell(anna);
  expect((await visit(ben, "/outcomes/3/escalations/7")).body).toEqual({ read: 0 });
  expect((await list(anna)).unread_count).toBe(1);
});

const runUrl = (runId: string, verb: string) => `/api/homework/runs/${runId}/${verb}`;

test.each(["cancel", "pause"])("nobody is told of what they did: %s", async (verb) => {
  const { person } = await someone(0);
  const runId = await insertRun(app.admin, person.id);
  expect((await app.call("POST", runUrl(runId, verb), person.session)).status).toBe(200);
  expect((await list(person)).items).toEqual([]);
});

test.each([
  ["respond", { answers: [{ question_id: makeQuestion().id, text: "Blue" }] }],
  ["steer", { message: "Blue" }],
  ["cancel", undefined],
])("what a run asks is read by itself once its user acts on it: %s", async (verb, body) => {
  const { person } = await someone(0);
  const runId = await insertRun(app.admin, person.id, "waiting_on_user");
  await tell(person, { about: `run:${runId}`, event: "waiting_on_user" });
  await tell(person);
  const done = await app.call("POST", runUrl(runId, verb), person.session, body === undefined ? {} : { body });
  expect(done.status).toBe(200);
  expect((await list(person, "unread=true")).items.map(({ about }) => about)).toEqual(["escalation:7"]);
});

test("what is refused has been seen by nobody", async () => {
  const { person } = await someone(0);
  const runId = await insertRun(app.admin, person.id, "canceled");
  await tell(person, { about: `run:${runId}` });
  expect((await app.call("POST", runUrl(runId, "pause"), person.session)).status).toBe(409);
  expect((await list(person)).unread_count).toBe(1);
});

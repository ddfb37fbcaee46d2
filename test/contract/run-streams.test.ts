// Live streams of runs and of what a user has to know: replay and then live, every event once and in order.

import { expect, test } from "vitest";
import { realEnv } from "../../src/main/env.ts";
import { type FeedEvent, type RunEvent, routes } from "../../src/protocol/api.ts";
import { createFollow } from "../../src/protocol/follow.ts";
import { defaultStreamLimits } from "../../src/server/sse/stream.ts";
import { makeClaim } from "../helpers/make-run.ts";
import { insertRun } from "../helpers/run-rows.ts";
import type { Script } from "../helpers/scripted-engine.ts";
import { origin, type Person, testApp } from "../helpers/test-app.ts";
import { testWorkers } from "../helpers/test-workers.ts";

const streamLimits = { ...defaultStreamLimits, heartbeatMs: 100 };
const app = await testApp({ listen: true, poolSize: 8, streamLimits });
const workers = testWorkers(app);

const runs = "/api/homework/runs";
const create = async (by: Person): Promise<string> => {
  const body = { objective: "Follow me", completion_criteria: [{ kind: "document_has", words_at_least: 300 }] };
  return (await app.call("POST", runs, by.session, { body })).body.run_id;
};
const post = (by: Person, url: string, body?: unknown) =>
  app.call("POST", url, by.session, body === undefined ? {} : { body });

function followAs(by: Person) {
  const headers = { host: "127.0.0.1:4180", ...by.session };
  const fetch = async (url: string, init: RequestInit) => app.app.fetch(new Request(url, init));
  return createFollow({ baseUrl: origin, headers, fetch }, realEnv);
}

/** Nobody stops it from outside: whoever has seen enough leaves the loop. */
const { signal } = new AbortController();

/** Every event after `after`, until this one. */
async function eventsOf(by: Person, runId: string, after: number, isLast: (event: RunEvent) => boolean) {
  const seen: RunEvent[] = [];
  const input = { params: { runId }, query: {} };
  for await (const { seq, data } of followAs(by)(routes.runs.stream, input, { after, signal })) {
    expect(data.seq).toBe(seq);
    seen.push(data);
    if (isLast(data)) break;
  }
  return seen;
}

async function feedOf(by: Person, after: number, isLast: (event: FeedEvent) => boolean) {
  const seen: FeedEvent[] = [];
  for await (const { data } of followAs(by)(routes.runs.feed, { query: {} }, { after, signal })) {
    seen.push(data);
    if (isLast(data)) break;
  }
  return seen;
}

const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n);
const seqsOf = (events: readonly { seq: number }[]) => events.map(({ seq }) => seq);
const isCompleted = ({ type }: { type: string }) => type === "run_completed";

const tenIterations: Script = ({ run }) =>
  run.state.iteration < 10
    ? { notes: 4, calls: [{ costMicroUsd: 3, reservedMicroUsd: 9 }] }
    : { ends: { claim: makeClaim() } };

test("replay and then live, without a gap or a repetition, while a worker writes", async () => {
  const anna = await app.signUp("anna");
  const runId = await create(anna);
  const fromTheStart = eventsOf(anna, runId, 0, isCompleted);
  const worker = workers.start(tenIterations);
  // Clients that come in the middle, each with what it has seen so far.
  const late = [1, 2, 15, 30].map(async (after) => {
    await expect.poll(async () => (await lastSeq(anna, runId)) >= after, { interval: 5 }).toBe(true);
    return { after, seen: await eventsOf(anna, runId, after, isCompleted) };
  });
  const all = await fromTheStart;
  const last = await lastSeq(anna, runId);
  expect(seqsOf(all)).toEqual(upTo(1, last));
  for (const { after, seen } of await Promise.all(late)) expect(seen).toEqual(all.slice(after));
  const read = await app.call("GET", `${runs}/${runId}?include_events=true&limit=200`, anna.session);
  expect(read.body.events.items).toEqual(all);
  await worker.close();
});

const lastSeq = async (by: Person, runId: string): Promise<number> =>
  (await app.call("GET", `${runs}/${runId}`, by.session)).body.run.last_seq;

/** The raw text of a stream until it holds this. */
async function rawUntil(by: Person, url: string, until: string, meanwhile: () => Promise<unknown>): Promise<string> {
  const response = await app.fetch("GET", url, by.session);
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const did = meanwhile();
  while (!text.includes(until)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
  }
  await did;
  await reader.cancel();
  return text;
}

test("asked for more than there is, a stream begins at the end", async () => {
  const anna = await app.signUp("anna");
  const runId = await insertRun(app.admin, anna.id);
  for (const message of ["a", "b"]) await post(anna, `${runs}/${runId}/steer`, { message });
  const say = () => post(anna, `${runs}/${runId}/steer`, { message: "the third" });
  const text = await rawUntil(anna, `${runs}/${runId}/stream?since_seq=999999`, "the third", say);
  expect(text.match(/^id: .*$/gm)).toEqual(["id: 3"]);
  expect(text).toContain("event: run_event\n");
});

test("without a word about where to begin, a stream tells what happens from now on", async () => {
  const anna = await app.signUp("anna");
  const runId = await insertRun(app.admin, anna.id);
  await post(anna, `${runs}/${runId}/steer`, { message: "before" });
  const say = () => post(anna, `${runs}/${runId}/steer`, { message: "after" });
  const text = await rawUntil(anna, `${runs}/${runId}/stream`, "after", say);
  expect(text.match(/^id: .*$/gm)).toEqual(["id: 2"]);
});

test("a stream ends when the run is no longer there for its user", async () => {
  const anna = await app.signUp("anna");
  const ben = await app.signUp("ben");
  const runId = await insertRun(app.admin, anna.id);
  const give = () => app.admin.query("update homework.homework_runs set user_id = $2 where id = $1", [runId, ben.id]);
  const text = await rawUntil(anna, `${runs}/${runId}/stream`, "nothing that comes", give);
  expect(text).not.toContain("id:");
  expect((await app.call("GET", `${runs}/${runId}/stream`, anna.session)).status).toBe(404);
});

test("the feed tells of a run from its creation to its notification, and of what was read", async () => {
  const anna = await app.signUp("anna");
  const following = feedOf(anna, 0, ({ type }) => type === "notification_read");
  const worker = workers.start(({ run }) =>
    run.state.iteration < 3 ? { notes: 1 } : { ends: { claim: makeClaim() } },
  );
  const runId = await create(anna);
  const list = async () => (await app.call("GET", "/api/notifications", anna.session)).body;
  await expect.poll(async () => (await list()).unread_count).toBe(1);
  await post(anna, `/api/notifications/${(await list()).items[0].id}/read`);
  const feed = await following;
  expect(seqsOf(feed)).toEqual(upTo(1, feed.length));
  const statuses = feed.filter(({ type }) => type === "run_changed").map(({ data }) => data.status);
  expect([statuses[0], statuses.at(-1)]).toEqual(["queued", "completed"]);
  expect(feed.filter(({ data }) => data.id === runId).length).toBe(statuses.length);
  const rest = feed.filter(({ type }) => type !== "run_changed");
  expect(rest.map(({ type }) => type)).toEqual(["notification_created", "notification_read"]);
  expect(rest[0]?.data).toMatchObject({ run_id: runId, event: "completed", read_at: null });
  expect(rest[1]?.data).toMatchObject({ notification_id: rest[0]?.data.id, unread_count: 0 });
  await worker.close();
});

test("a feed whose beginning was forgotten goes on from where the client is", async () => {
  const anna = await app.signUp("anna");
  for (let n = 0; n < 4; n++) await create(anna);
  const all = await feedOf(anna, 0, ({ seq }) => seq === 6);
  expect(seqsOf(all)).toEqual(upTo(1, 6));
  await app.admin.query("delete from homework.user_feed_events where user_id = $1 and seq <= 4", [anna.id]);
  expect(seqsOf(await feedOf(anna, 4, ({ seq }) => seq === 6))).toEqual([5, 6]);
  const live = feedOf(anna, 2, ({ seq }) => seq === 8);
  await create(anna);
  await create(anna);
  expect(seqsOf(await live)).toEqual([5, 6, 7, 8]);
});

test("nobody hears of another's runs", async () => {
  const anna = await app.signUp("anna");
  const ben = await app.signUp("ben");
  const tell = async () => {
    await create(anna);
    await create(ben);
  };
  const text = await rawUntil(ben, "/api/homework/stream?since_seq=0", "run_changed", tell);
  expect(text.match(/^id: .*$/gm)?.[0]).toBe("id: 1");
  const { rows } = await app.admin.query("select id from homework.homework_runs where user_id = $1", [anna.id]);
  expect(text).not.toContain(rows[0].id);
});

// Live streams of outcomes: replay and then live, without a gap, alone and in a tab's stream; the feed tells lists.

import { expect, test } from "vitest";
import { realEnv } from "../../src/main/env.ts";
import { type FeedEvent, type OutcomeEvent, routes } from "../../src/protocol/api.ts";
import { createFollow } from "../../src/protocol/follow.ts";
import { outcomeEvent } from "../../src/protocol/routes/outcome-shapes.ts";
import { defaultStreamLimits } from "../../src/server/sse/stream.ts";
import { origin, type Person, testApp } from "../helpers/test-app.ts";

const streamLimits = { ...defaultStreamLimits, heartbeatMs: 100 };
const app = await testApp({ listen: true, poolSize: 8, streamLimits });
const anna = await app.signUp("anna");

const post = async (path: string, body?: unknown) => {
  const answer = await app.call("POST", `/api/outcomes${path}`, anna.session, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body;
};
const create = async (): Promise<string> =>
  (await post("", { name: "Lamps", tasks: [{ title: "A" }, { title: "B" }] })).id;

const { signal } = new AbortController();
function followAs(by: Person) {
  const headers = { host: "127.0.0.1:4180", ...by.session };
  return createFollow(
    { baseUrl: origin, headers, fetch: async (url, init) => app.app.fetch(new Request(url, init)) },
    realEnv,
  );
}

async function eventsOf(outcomeId: string, after: number, isLast: (event: OutcomeEvent["event"]) => boolean) {
  const seen: OutcomeEvent[] = [];
  const input = { params: { outcomeId }, query: {} };
  for await (const { seq, data } of followAs(anna)(routes.outcomes.stream, input, { after, signal })) {
    expect(data.seq).toBe(seq);
    seen.push(outcomeEvent.parse(data));
    if (isLast(data.event)) break;
  }
  return seen;
}

const isArchived = (event: OutcomeEvent["event"]) =>
  event.type === "outcome_changed" && "status" in event && event.status === "archived";

test("replay and then live, every event once and in order, while the outcome is changed", async () => {
  const id = await create();
  const fromTheStart = eventsOf(id, 0, isArchived);
  await post(`/${id}/start`);
  const late = eventsOf(id, 2, isArchived);
  await post(`/${id}/tasks`, { title: "C" });
  await post(`/${id}/pause`);
  await post(`/${id}/resume`);
  await post(`/${id}/archive`);
  const all = await fromTheStart;
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, at) => at + 1));
  expect(await late).toEqual(all.slice(2));
  const told = all.flatMap(({ event }) =>
    event.type === "task_changed" && "number" in event ? [[event.number, event.status]] : [],
  );
  expect(told).toContainEqual([1, "running"]);
  expect(told).toContainEqual([3, "pending"]);
  expect(all.some(({ event }) => event.type === "activity_logged")).toBe(true);
});

test("the page that was read says where its stream goes on", async () => {
  const id = await create();
  const { last_seq: seq } = await post(`/${id}/start`);
  const next = eventsOf(id, seq, () => true);
  await post(`/${id}/pause`);
  expect((await next).map((event) => event.seq)).toEqual([seq + 1]);
});

test("a tab follows it together with the feed, and one that is not its own is gone", async () => {
  const id = await create();
  const ben = await app.signUp("ben");
  const read = async (by: Person) => {
    const response = await app.fetch("GET", `/api/live?topics=outcome:${id}@0`, by.session);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!/event: (outcome_event|gone)/.test(text)) text += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    return text;
  };
  expect(await read(anna)).toContain(`data: outcome:${id}`);
  expect(await read(ben)).toContain("event: gone");
});

test("lists hear of every change by the feed", async () => {
  const id = await create();
  const seen: FeedEvent[] = [];
  const input = { query: {} };
  await post(`/${id}/start`);
  for await (const { data } of followAs(anna)(routes.runs.feed, input, { after: 0, signal })) {
    seen.push(data);
    if (data.type === "outcome_changed" && data.data.id === id && data.data.status === "active") break;
  }
  expect(
    seen.filter(({ type, data }) => type === "outcome_changed" && data.id === id).map(({ data }) => data.status),
  ).toEqual(["dormant", "active"]);
});

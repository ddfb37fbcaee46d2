import { expect, test } from "vitest";
import type { Env, Instant } from "../../lib/env.ts";
import { createHub } from "./hub.ts";
import { createStreams, type StreamLimits } from "./stream.ts";
import type { StreamEvent } from "./topic.ts";

/** A clock that moves only when told; it wakes the sleepers whose time has come. */
function makeClock() {
  let nowMs = 0;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const env: Env = {
    now: () => nowMs as Instant,
    newId: () => "id",
    random: () => 0,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: nowMs + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
  };
  const pass = async (ms: number) => {
    nowMs += ms;
    for (const sleeper of sleepers)
      if (sleeper.at <= nowMs) {
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    await settle();
  };
  return { env, pass };
}

const settle = async () => {
  for (let i = 0; i < 50; i++) await null;
};

function setup(limits: Partial<StreamLimits> = {}) {
  const { env, pass } = makeClock();
  const events: StreamEvent[] = [];
  const hub = createHub(async (_topic, after, limit) => events.slice(after, after + limit));
  const streams = createStreams(hub, env, {
    heartbeatMs: 1_000,
    maxAgeMs: 60_000,
    slowClientMs: 5_000,
    perUser: 2,
    ...limits,
  });
  const write = () => events.push({ seq: events.length + 1, name: "change", data: {} });
  const publish = async () => {
    write();
    hub.notify("topic");
    await settle();
  };
  const open = (over: { after?: number; userId?: string; stillAdmitted?: () => Promise<boolean> } = {}) => {
    const request = { userId: "u", topic: "topic", after: 0, stillAdmitted: async () => true, ...over };
    return reading(streams.answer(request));
  };
  return { streams, hub, pass, publish, write, open };
}

/** A client that takes everything at once. */
function reading(response: Response) {
  const client = { text: "", ended: false, failed: false, cancel: () => reader.cancel() };
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const run = async () => {
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read())
        client.text += new TextDecoder().decode(part.value);
      client.ended = true;
    } catch {
      client.failed = true;
    }
  };
  void run();
  return client;
}

const ids = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

test("replays what was missed, then follows", async () => {
  const { publish, open } = setup();
  await publish();
  await publish();
  const client = open({ after: 1 });
  await settle();
  await publish();
  expect(ids(client.text)).toEqual([2, 3]);
  await client.cancel();
});

test("tells the browser when to come back", async () => {
  const client = setup().open();
  await settle();
  expect(client.text).toMatch(/^retry: \d+\n\n/);
  await client.cancel();
});

test("a silent stream beats, so that proxies keep it", async () => {
  const { pass, open } = setup();
  const client = open();
  await settle();
  await pass(1_000);
  expect(client.text).toContain(": alive");
  await client.cancel();
});

test("what nobody announced comes with the next beat", async () => {
  const { pass, publish, write, open } = setup();
  await publish();
  const client = open();
  await settle();
  write();
  await settle();
  expect(ids(client.text)).toEqual([1]);
  await pass(1_000);
  expect(ids(client.text)).toEqual([1, 2]);
  await client.cancel();
});

test("ends when its user may no longer look", async () => {
  const { pass, open } = setup();
  let isAdmitted = true;
  const client = open({ stillAdmitted: async () => isAdmitted });
  await settle();
  isAdmitted = false;
  await pass(1_000);
  expect(client.ended).toBe(true);
});

test("ends after its age, cleanly", async () => {
  const { pass, open } = setup({ maxAgeMs: 3_000 });
  const client = open();
  await settle();
  for (let i = 0; i < 3; i++) await pass(1_000);
  expect(client.ended).toBe(true);
});

test("ends cleanly when the server stops, and takes no new client", async () => {
  const { streams, open } = setup();
  const client = open();
  await settle();
  streams.close();
  await settle();
  expect([client.ended, client.failed, streams.openCount()]).toEqual([true, false, 0]);
  expect(() => open()).toThrow("The server is stopping");
});

test("refuses more streams than a user may have, and frees the place again", async () => {
  const { open } = setup();
  const first = open();
  const second = open();
  expect(() => open()).toThrow("At most 2 live streams");
  expect(() => open({ userId: "other" })).not.toThrow();
  await first.cancel();
  expect(() => open()).not.toThrow();
  await second.cancel();
});

test("drops a client that takes nothing, and keeps nothing for it", async () => {
  const { streams, hub, pass, publish } = setup();
  const slow = streams.answer({ userId: "u", topic: "topic", after: 0, stillAdmitted: async () => true });
  await settle();
  for (let i = 0; i < 20; i++) await publish();
  for (let i = 0; i < 12; i++) await pass(500);
  expect([streams.openCount(), hub.topicCount()]).toEqual([0, 0]);
  await expect(slow.text()).rejects.toThrow("takes nothing");
});

test("a topic is forgotten with its last client", async () => {
  const { hub, open } = setup();
  const client = open();
  await settle();
  expect(hub.topicCount()).toBe(1);
  await client.cancel();
  await settle();
  expect(hub.topicCount()).toBe(0);
});

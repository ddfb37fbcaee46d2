// One stream of several topics, on a clock that moves only when told.

import { expect, test } from "vitest";
import type { Env, Instant } from "../../lib/env.ts";
import { createHub } from "./hub.ts";
import { createStreams, defaultStreamLimits } from "./stream.ts";

const settle = async () => {
  for (let i = 0; i < 200; i++) await null;
};

function setup() {
  let nowMs = 0;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const env: Env = {
    now: () => nowMs as Instant,
    newId: () => "id",
    random: () => 0,
    sleep: (ms) => new Promise((wake) => void sleepers.add({ at: nowMs + ms, wake })),
  };
  const lengths = new Map<string, number>();
  let reads = 0;
  const hub = createHub(async (topic, after, limit) => {
    reads += 1;
    const left = Math.max(0, Math.min(limit, (lengths.get(topic) ?? 0) - after));
    return Array.from({ length: left }, (_, n) => ({ seq: after + n + 1, name: "run_event", data: {} }));
  });
  const streams = createStreams(hub, env, { ...defaultStreamLimits, heartbeatMs: 1_000, perUser: 2 });
  const admitted = new Set(["run:a", "run:b", "run:c"]);
  const write = (topic: string, count = 1) => lengths.set(topic, (lengths.get(topic) ?? 0) + count);
  return {
    hub,
    streams,
    admitted,
    write,
    reads: () => reads,
    publish: async (topic: string, count?: number) => {
      write(topic, count);
      hub.notify(topic);
      await settle();
    },
    pass: async (ms: number) => {
      nowMs += ms;
      for (const sleeper of sleepers)
        if (sleeper.at <= nowMs) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
      await settle();
    },
    answer: (after = 0, gone: readonly string[] = []) =>
      streams.answerMany({
        userId: "u",
        topics: [...admitted].map((name) => ({ name, topic: name, after })),
        gone,
        stillAdmitted: async () => admitted,
      }),
  };
}

/** A client that takes everything at once. */
function reading(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const client = { text: "", hasEnded: false, cancel: () => reader.cancel() };
  void (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      client.text += new TextDecoder().decode(part.value);
    client.hasEnded = true;
  })();
  return client;
}

/** `run:a 1`: which topic said which number, in the order of the stream. */
const told = (text: string) =>
  [...text.matchAll(/^data: (\S+)\nid: (\d+)$/gm)].map(([, topic, id]) => `${topic} ${id}`);

test("an event is the name of its topic in front of what all clients share", async () => {
  const { publish, answer } = setup();
  const client = reading(answer());
  await publish("run:b");
  expect(client.text).toContain("data: run:b\nid: 1\nevent: run_event\ndata: {}\n\n");
  await client.cancel();
});

test("says first where each topic begins, and which are gone", async () => {
  const { answer } = setup();
  const client = reading(answer(7, ["run:x"]));
  await settle();
  expect(client.text).toMatch(/^retry: \d+\n\nevent: begin\ndata: run:a\ndata: \{"seq":7\}\n\n/);
  expect(client.text).toContain("event: gone\ndata: run:x\n\n");
  await client.cancel();
});

test("a topic that is no longer admitted says so once, is forgotten, and the others go on", async () => {
  const { hub, admitted, pass, publish, answer } = setup();
  const client = reading(answer());
  await settle();
  admitted.delete("run:b");
  await pass(1_000);
  expect(hub.topicCount()).toBe(2);
  await publish("run:b");
  await publish("run:c");
  await pass(1_000);
  expect([...client.text.matchAll(/event: gone\ndata: (\S+)\n/g)].map(([, topic]) => topic)).toEqual(["run:b"]);
  expect([told(client.text), client.hasEnded]).toEqual([["run:c 1"], false]);
  await client.cancel();
});

test("the backlog of one topic leaves room for the others", async () => {
  const { write, answer } = setup();
  write("run:a", 1_000);
  write("run:c", 2);
  const client = reading(answer());
  await settle();
  const all = told(client.text);
  expect(all.length).toBe(1_002);
  expect(all.indexOf("run:c 2")).toBeLessThan(250);
  await client.cancel();
});

test("nothing is made for a client that takes nothing, and it is dropped", async () => {
  const { streams, hub, write, pass, reads, answer } = setup();
  for (const topic of ["run:a", "run:b", "run:c"]) write(topic, 5_000);
  const slow = answer();
  await settle();
  expect(reads()).toBeLessThan(4);
  for (let n = 0; n < 40; n++) await pass(1_000);
  expect([streams.openCount(), hub.topicCount()]).toEqual([0, 0]);
  await expect(slow.text()).rejects.toThrow("takes nothing");
});

test("what nobody announced comes with the next beat, whichever topic it is of", async () => {
  const { write, pass, answer } = setup();
  const client = reading(answer());
  await settle();
  write("run:c");
  await settle();
  expect(told(client.text)).toEqual([]);
  await pass(1_000);
  expect(told(client.text)).toEqual(["run:c 1"]);
  expect(client.text).toContain("event: alive\n");
  await client.cancel();
});

test("news of one topic does not read the others", async () => {
  const { publish, reads, answer } = setup();
  const client = reading(answer());
  await settle();
  const before = reads();
  await publish("run:a");
  expect(reads() - before).toBeLessThanOrEqual(2);
  await client.cancel();
});

test("counts as one stream of its user", async () => {
  const { answer } = setup();
  const clients = [reading(answer()), reading(answer())];
  expect(() => answer()).toThrow("At most 2 live streams");
  for (const client of clients) await client.cancel();
});

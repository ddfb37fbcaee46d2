import { expect, test } from "vitest";
import { createTopic, type StreamEvent } from "./topic.ts";

/** A log that counts how often it is read. */
function makeLog(length = 0) {
  const events: StreamEvent[] = [];
  const log = {
    reads: 0,
    append: (count = 1) => {
      for (let n = 0; n < count; n++)
        events.push({ seq: events.length + 1, name: "change", data: { n: events.length + 1 } });
    },
    topic: createTopic(async (after, limit) => {
      log.reads += 1;
      return events.slice(after, after + limit);
    }),
  };
  log.append(length);
  return log;
}

const seqs = (events: readonly { seq: number }[]) => events.map(({ seq }) => seq);

test("a client that comes late gets what it missed", async () => {
  const { topic } = makeLog(5);
  expect(seqs(await topic.next(2))).toEqual([3, 4, 5]);
});

test("an event is written as id, name and data", async () => {
  const { topic } = makeLog(1);
  const [event] = await topic.next(0);
  expect(new TextDecoder().decode(event?.bytes)).toBe('id: 1\nevent: change\ndata: {"n":1}\n\n');
});

test("a thousand clients cost one read per wake-up", async () => {
  const log = makeLog(3);
  await log.topic.next(3);
  const before = log.reads;
  log.append();
  log.topic.notify();
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => log.topic.next(3)));
  expect(answers.every((events) => seqs(events).join() === "4")).toBe(true);
  expect(log.reads - before).toBe(1);
});

test("what is written while a read is under way is not lost", async () => {
  const log = makeLog(1);
  await log.topic.next(1);
  log.append();
  log.topic.notify();
  const reading = log.topic.next(1);
  log.append();
  log.topic.notify();
  await reading;
  expect(seqs(await log.topic.next(1)).at(-1)).toBe(3);
});

test("a client far behind reads pages from the log and misses none", async () => {
  const log = makeLog(1_500);
  await log.topic.next(1_500);
  const got: number[] = [];
  for (let seq = 0; seq < 1_500; ) {
    const events = await log.topic.next(seq);
    got.push(...seqs(events));
    seq = got.at(-1) ?? Number.NaN;
  }
  expect(got).toEqual(Array.from({ length: 1_500 }, (_, n) => n + 1));
});

test("memory stays bounded however much is written", async () => {
  const log = makeLog(0);
  await log.topic.next(0);
  log.append(5_000);
  log.topic.notify();
  expect(seqs(await log.topic.next(4_999))).toEqual([5_000]);
  const before = log.reads;
  await log.topic.next(3_000); // older than what is kept in memory
  expect(log.reads - before).toBe(1);
});

test("whoever waits is woken", async () => {
  const { topic } = makeLog();
  const woken = topic.woken();
  topic.notify();
  await expect(woken).resolves.toBeUndefined();
});

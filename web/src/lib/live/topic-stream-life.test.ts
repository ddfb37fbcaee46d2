// When a tab's stream begins, sleeps, is renewed and ends.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeStream as setup } from "../../../../test/helpers/fake-stream.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a topic that is gone says so once, and the others go on with the same connection", () => {
  const { follow, sources, last, settle } = setup();
  const run = follow("run:a", 1);
  const feed = follow("feed", 1);
  settle();
  last().open();
  last().gone("run:a");
  settle();
  last().event("feed", 2);
  expect([run.gone, feed.seqs, sources.length]).toEqual([1, [2], 1]);
  last().cut();
  vi.advanceTimersByTime(2_000);
  expect(last().topics).toBe("feed@2");
});

test("whoever asks again for what is gone is answered again", () => {
  const { follow, last, settle } = setup();
  follow("run:a", 1);
  settle();
  last().open();
  last().gone("run:a");
  const again = follow("run:a", 1);
  settle();
  last().gone("run:a");
  expect(again.gone).toBe(1);
});

test("the last one to leave closes the connection", () => {
  const { follow, live, last, settle } = setup();
  const run = follow("run:a", 1);
  settle();
  last().open();
  run.leave();
  settle();
  expect(live()).toEqual([]);
});

test("who leaves and comes back at once hears everything once", () => {
  const { follow, sources, last, live, settle } = setup();
  const first = follow("run:a", 1);
  settle();
  last().open();
  last().event("run:a", 2);
  first.leave();
  const again = follow("run:a", 2);
  settle();
  expect(sources.length).toBe(2);
  last().open();
  last().event("run:a", 3);
  expect([first.seqs, again.seqs, live().length]).toEqual([[2], [3], 1]);
});

test("a hidden tab closes its stream after half a minute, and catches up when it is looked at", () => {
  const { stream, follow, last, live, settle, hide, show } = setup();
  const run = follow("run:a", 1);
  const project = follow("project:p");
  settle();
  last().open({ "project:p": 12 });
  hide();
  expect([live().length, stream.status]).toEqual([0, "away"]);
  show();
  expect(last().topics).toBe("project:p,run:a@1");
  last().open({ "project:p": 90 });
  last().event("run:a", 2);
  expect([run.seqs, run.missed, project.missed]).toEqual([[2], 0, 2]);
});

test("a glance at another tab changes nothing", () => {
  const { stream, world, follow, sources, last, settle, show } = setup();
  follow("feed");
  settle();
  last().open();
  world.isVisible = false;
  stream.visibilityChanged();
  vi.advanceTimersByTime(20_000);
  show();
  last().alive();
  vi.advanceTimersByTime(20_000);
  expect(sources.length).toBe(1);
});

test("a hidden tab that may show notifications keeps the feed", () => {
  const { world, follow, last, live, settle, hide } = setup();
  const feed = follow("feed");
  follow("run:a", 1);
  settle();
  last().open({ feed: 3 });
  world.mayRing = true;
  hide();
  last().open();
  last().event("feed", 4);
  expect([live().map(({ topics }) => topics), feed.seqs, feed.missed]).toEqual([["feed@3"], [4], 1]);
});

test("a connection that says nothing for long is given up", () => {
  const { follow, sources, last, settle } = setup();
  follow("feed");
  settle();
  last().open();
  for (let n = 0; n < 3; n++) {
    vi.advanceTimersByTime(40_000);
    last().alive();
  }
  expect(sources.length).toBe(1);
  vi.advanceTimersByTime(45_000);
  expect(sources[0]?.isClosed).toBe(true);
});

test("a connection is renewed before the server ends it, without a pause", () => {
  const { follow, sources, last, live, settle } = setup();
  const run = follow("run:a", 1);
  settle();
  last().open();
  for (let n = 0; n < 20; n++) {
    vi.advanceTimersByTime(10_000);
    sources[0]?.alive();
  }
  sources[0]?.event("run:a", 2);
  last().open();
  last().event("run:a", 2, 3);
  expect([run.seqs, sources.length, live().length]).toEqual([[2, 3], 2, 1]);
});

test("more topics than one stream carries: the feed and the newest", () => {
  const { follow, last, settle } = setup();
  follow("feed", 1);
  const all = Array.from({ length: 10 }, (_, n) => follow(`run:${n}`, 1));
  settle();
  expect(last().topics.split(",").length).toBe(8);
  expect(last().topics).toMatch(/^feed@1,run:9@1,.*run:3@1$/);
  last().open();
  all[9]?.leave();
  settle();
  expect(last().topics).toContain("run:2@1");
});

test("one who fails does not keep the others from hearing", () => {
  const { stream, follow, last, settle } = setup();
  stream.follow("run:a", 1, {
    onEvent: () => {
      throw new Error("a bug of a page");
    },
  });
  const other = follow("run:a", 1);
  settle();
  last().open();
  last().event("run:a", 2);
  expect(other.seqs).toEqual([2]);
  expect(() => vi.advanceTimersByTime(1)).toThrow("a bug of a page");
});

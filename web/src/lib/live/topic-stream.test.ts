import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeStream as setup } from "../../../../test/helpers/fake-stream.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("what is followed at the same moment is one connection", () => {
  const { follow, sources, settle } = setup();
  follow("feed");
  follow("run:a", 40);
  follow("run:a", 38);
  settle();
  expect(sources.map(({ topics }) => topics)).toEqual(["feed,run:a@38"]);
});

test("each follower hears what comes after what it has", () => {
  const { follow, last, settle } = setup();
  const early = follow("run:a", 1);
  const late = follow("run:a", 3);
  settle();
  last().open();
  last().event("run:a", 2, 3, 4);
  expect([early.seqs, late.seqs]).toEqual([[2, 3, 4], [4]]);
});

test("an event is told with its number, its name and its data", () => {
  const { stream, last, settle } = setup();
  const events: unknown[] = [];
  stream.follow("run:a", 1, { onEvent: (event) => events.push(event) });
  settle();
  last().open();
  last().event("run:a", 2);
  expect(events).toEqual([{ seq: 2, name: "run_event", data: { n: 2 } }]);
});

test("a new topic opens a new connection from where the others are, and the old one stays until it is open", () => {
  const { follow, sources, last, live, settle } = setup();
  const run = follow("run:a", 1);
  settle();
  last().open();
  last().event("run:a", 2);
  follow("chat:c", 7);
  settle();
  expect(last().topics).toBe("chat:c@7,run:a@2");
  sources[0]?.event("run:a", 3);
  expect([run.seqs, live().length]).toEqual([[2, 3], 2]);
  last().open();
  last().event("run:a", 3, 4);
  expect([run.seqs, live().length]).toEqual([[2, 3, 4], 1]);
});

test("topics that come and go while a connection opens leave one", () => {
  const { follow, last, live, settle } = setup();
  follow("feed");
  settle();
  last().open();
  for (const topic of ["run:a", "run:b", "run:c"] as const) {
    follow(topic, 1);
    settle();
  }
  last().open();
  expect(live().map(({ topics }) => topics)).toEqual(["feed@0,run:c@1,run:b@1,run:a@1"]);
});

test("who comes late with something older hears the older events, and nobody else hears them twice", () => {
  const { follow, sources, last, settle } = setup();
  const first = follow("run:a", 5);
  settle();
  last().open();
  last().event("run:a", 6, 7);
  const late = follow("run:a", 2);
  settle();
  expect(last().topics).toBe("run:a@2");
  sources[0]?.event("run:a", 8);
  expect(late.seqs).toEqual([]);
  last().open();
  last().event("run:a", 3, 4, 5, 6, 7, 8, 9);
  expect([first.seqs, late.seqs]).toEqual([
    [6, 7, 8, 9],
    [3, 4, 5, 6, 7, 8, 9],
  ]);
});

test("who comes with something older before anything is open hears it too", () => {
  const { follow, last, settle } = setup();
  follow("run:a", 5);
  settle();
  const late = follow("run:a", 2);
  settle();
  last().open();
  last().event("run:a", 3, 4, 5, 6);
  expect(late.seqs).toEqual([3, 4, 5, 6]);
});

test("what was heard lately is told again without a connection", () => {
  const { follow, sources, last, settle } = setup();
  const run = follow("run:a", 1);
  settle();
  last().open();
  last().event("run:a", 2, 3, 4);
  run.moveTo(2); // An older answer took the place of what was shown.
  const other = follow("run:a", 1);
  settle();
  expect([run.seqs, other.seqs, sources.length]).toEqual([[2, 3, 4, 3, 4], [2, 3, 4], 1]);
});

test("what one has already is not told", () => {
  const { follow, last, settle } = setup();
  const run = follow("run:a", 1);
  settle();
  last().open();
  run.moveTo(3);
  last().event("run:a", 2, 3, 4);
  expect(run.seqs).toEqual([4]);
});

test("after a cut it comes back by itself, from where each topic was", () => {
  const { follow, world, sources, last, settle } = setup();
  const run = follow("run:a", 1);
  const feed = follow("feed");
  settle();
  last().open({ feed: 10 });
  last().event("run:a", 2);
  last().event("feed", 11);
  last().cut();
  expect([sources[0]?.isClosed, world.probes]).toEqual([true, 1]);
  vi.advanceTimersByTime(2_000);
  expect(last().topics).toBe("feed@11,run:a@2");
  last().open();
  last().event("run:a", 3);
  expect([run.seqs, feed.seqs, run.missed, feed.missed]).toEqual([[2, 3], [11], 0, 1]);
});

test("a server that is back is not waited for", () => {
  const { stream, follow, sources, last, settle } = setup();
  follow("feed");
  settle();
  last().cut();
  stream.serverIsBack();
  expect(sources.length).toBe(2);
});

test("its state is live, connecting after a cut, and away when nobody answered", () => {
  const { stream, follow, last, settle } = setup();
  follow("feed");
  settle();
  expect(stream.status).toBe("connecting");
  last().open();
  expect(stream.status).toBe("live");
  last().cut();
  expect(stream.status).toBe("connecting");
  vi.advanceTimersByTime(2_000);
  last().cut();
  expect(stream.status).toBe("away");
  vi.advanceTimersByTime(2_000);
  last().open();
  expect(stream.status).toBe("live");
});

test("a server that says no is asked less and less often", () => {
  const { follow, world, sources, last, settle } = setup();
  follow("feed");
  settle();
  for (let n = 0; n < 4; n++) {
    last().refuse();
    vi.advanceTimersByTime(2_000 * (n + 1));
  }
  expect([world.refusals, sources.length]).toEqual([4, 5]);
  last().refuse();
  vi.advanceTimersByTime(9_999);
  expect(sources.length).toBe(5);
});

test("a new connection that fails leaves the old one at work", () => {
  const { follow, sources, last, settle } = setup();
  const run = follow("run:a", 1);
  settle();
  last().open();
  follow("chat:c", 1);
  settle();
  last().cut();
  sources[0]?.event("run:a", 2);
  expect(run.seqs).toEqual([2]);
  vi.advanceTimersByTime(2_000);
  expect(last().topics).toBe("chat:c@1,run:a@2");
});

test("who said nothing of what it has is told to load again, once", () => {
  const { follow, last, settle } = setup();
  const project = follow("project:p");
  settle();
  last().open({ "project:p": 12 });
  expect(project.missed).toBe(1);
  last().event("project:p", 13);
  last().cut();
  vi.advanceTimersByTime(2_000);
  last().open();
  last().event("project:p", 14);
  expect([project.seqs, project.missed]).toEqual([[13, 14], 1]);
});

test("a topic with fewer events than before is loaded again, and followed from there", () => {
  const { follow, last, settle } = setup();
  const run = follow("run:a", 40);
  settle();
  last().open({ "run:a": 3 });
  last().event("run:a", 4);
  expect([run.missed, run.seqs]).toEqual([1, [4]]);
});

test("events that the server has forgotten are said to be missed", () => {
  const { follow, last, settle } = setup();
  const feed = follow("feed", 4);
  settle();
  last().open();
  last().event("feed", 9, 10);
  expect([feed.missed, feed.seqs]).toEqual([1, [9, 10]]);
});

// A page that watched shows what a page opened now shows: for many recorded runs, the view of what the API said at one moment
// with the events since folded onto it is the view of what the API says at every later moment, however they arrived.

import { isDeepStrictEqual } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { deathsMax } from "../../src/domain/run/take.ts";
import type { RunEvent } from "../../src/protocol/api.ts";
import { foldAll, foldEvent, type RunView, viewOf } from "../../src/protocol/run-view.ts";
import { eventKinds, parseEvent } from "../../src/protocol/said-event.ts";
import { type Recording, RunPlayer, type Stage } from "../helpers/recorded-run.ts";
import { testApp } from "../helpers/test-app.ts";
import { seeded } from "../sim/random.ts";

/** Before the first event. */
const unseenRun: RunView = {
  seq: 0,
  state: { status: "queued" },
  iteration: 1,
  attempt: 1,
  maxIterations: 1,
  workedOn: null,
  entries: [],
  silences: [],
  activeMs: null,
  entryCount: 0,
  runningMs: 0,
  costMicroUsd: 0,
  tokens: 0,
  unpricedCalls: 0,
  greenChecks: 0,
  allChecks: 0,
  messages: [],
  unread: 0,
  guidance: null,
  lastWhy: null,
};

const limits = { maxConcurrentRuns: 2 };
const app = await testApp({ poolSize: 10, ...limits });
const stage: Stage = { app, limits, jobs: new Map() };

/** Another one: VIEW_SEED=42 npx vitest run --project words test/contract/view-equality.test.ts */
const seed = Number(process.env.VIEW_SEED ?? 1);
const players = 6;
const runsEach = 34;
const actsMax = 16;

const recordings: Recording[] = [];

beforeAll(async () => {
  const people = await Promise.all(["ada", "ben"].map((name) => app.signUp(name)));
  const projects = await Promise.all(
    people.map(
      async ({ session }) => (await app.call("POST", "/api/projects", session, { body: { name: "P" } })).body.id,
    ),
  );
  await Promise.all(
    Array.from({ length: players }, async (_, n) => {
      const random = seeded(seed * 1_000 + n);
      const [by, projectId] = [people[n % people.length], projects[n % people.length]];
      if (by === undefined) throw new Error("bug: nobody plays");
      const forks: string[] = [];
      for (let played = 0; played < runsEach; played++) {
        const player = new RunPlayer(stage, by, projectId, random);
        recordings.push(await player.play(random.between(4, actsMax), forks.shift()));
        forks.push(...player.forks);
      }
    }),
  );
  const [by, projectId] = [people[0], projects[0]];
  if (by) recordings.push(await new RunPlayer(stage, by, projectId, seeded(seed)).playToDeath(deathsMax + 3));
});

/** Where it first differs, for whoever has to find out. */
function differs(runId: string, what: string, folded: RunView, answered: RunView): void {
  if (!isDeepStrictEqual(folded, answered)) expect({ runId, what, ...folded }).toEqual({ runId, what, ...answered });
}

test("200 runs of many shapes were recorded", () => {
  expect(recordings.length).toBeGreaterThanOrEqual(200);
  const types = new Set(recordings.flatMap(({ events }) => events.map(({ type }) => type)));
  // Nothing else is emitted; checks are not changed here (src/loop/run-iteration-job.test.ts), and models answer in time (src/runs/tell-silence.test.ts).
  const elsewhere: readonly string[] = ["checks_changed", "model_silent", "model_heard"];
  expect([...types].toSorted()).toEqual(eventKinds.filter((kind) => !elsewhere.includes(kind)).toSorted());
  const looks = recordings.flatMap((recording) => recording.looks);
  const some = (is: (look: (typeof looks)[number]) => boolean) => looks.filter(is).length;
  expect(some(({ activity }) => activity.attempt > 1)).toBeGreaterThan(20);
  expect(some(({ activity }) => activity.entry_count > 0 && activity.since !== null)).toBeGreaterThan(100);
  expect(some(({ unread_messages: unread }) => unread > 0)).toBeGreaterThan(20);
  expect(some(({ metrics }) => metrics.unpriced_calls > 0)).toBeGreaterThan(20);
  expect(some(({ place_in_line: place }) => place !== null)).toBeGreaterThan(5);
  expect(some(({ forked_from: from }) => from !== null)).toBeGreaterThan(5);
  const told = recordings.flatMap(({ events }) => events);
  expect(
    told.filter(({ event }) => event.type === "iteration_cost_update" && event.priced_by === "reservation").length,
  ).toBeGreaterThan(20);
  expect(told.filter(({ event }) => event.type === "entry_recorded" && event.unread === 0).length).toBeGreaterThan(5);
});

test("every event that is emitted has exactly the fields of its kind", () => {
  for (const { runId, events } of recordings)
    for (const event of events) {
      const said = parseEvent(event);
      if (!isDeepStrictEqual(said, event.event)) expect(said).toEqual(event.event);
      expect([event.run_id, event.type]).toEqual([runId, event.event.type]);
    }
});

test("folding what came since is asking again, between any two moments", () => {
  let pairs = 0;
  for (const { runId, looks, events } of recordings) {
    const moments = looks.map(viewOf).toSorted((a, b) => a.seq - b.seq);
    const at = Map.groupBy(moments, ({ seq }) => seq);
    for (const from of moments) {
      let view = from;
      for (const same of at.get(from.seq) ?? []) differs(runId, `asked twice at ${from.seq}`, view, same);
      for (const event of events.slice(from.seq)) {
        view = foldEvent(view, event);
        for (const then of at.get(event.seq) ?? []) {
          pairs += 1;
          differs(runId, `from ${from.seq} to ${event.seq}`, view, then);
        }
      }
    }
  }
  expect(pairs).toBeGreaterThan(10_000);
});

test("whoever saw everything from the first event on knows the same", () => {
  for (const { runId, looks, events } of recordings)
    for (const view of looks.map(viewOf))
      differs(runId, `from the beginning to ${view.seq}`, foldAll(unseenRun, events.slice(0, view.seq)), view);
});

test("replay and tail may be cut anywhere and bring anything twice", () => {
  const random = seeded(seed);
  for (const { runId, looks, events } of recordings)
    for (let n = 0; n < 20; n++) {
      const [one, other] = [viewOf(random.pick(looks)), viewOf(random.pick(looks))];
      const [from, to] = one.seq <= other.seq ? [one, other] : [other, one];
      const heard = inPieces(events.slice(0, to.seq), from.seq);
      differs(runId, `in pieces from ${from.seq} to ${to.seq}`, foldAll(from, heard), to);
    }

  /** In order, with steps back: a reconnect sends again what was there before it broke. */
  function inPieces(events: readonly RunEvent[], from: number): readonly RunEvent[] {
    const heard: RunEvent[] = [];
    for (let next = Math.max(0, from - random.below(4)); next < events.length; ) {
      const end = Math.min(events.length, next + random.between(1, 9));
      heard.push(...events.slice(next, end));
      next = end === events.length || random.chance(0.5) ? end : Math.max(0, end - random.below(6));
    }
    return heard;
  }
});

import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { makeEvent, makeWireRun } from "../../test/helpers/cli-runs.ts";
import type { RunEvent } from "./api.ts";
import { foldAll, foldEvent, isSettled, runningMsAt, viewOf } from "./run-view.ts";
import { parseEvent } from "./said-event.ts";

const start = viewOf(makeWireRun({ status: "queued" }));
const question = { id: "q1", kind: "question", text: "Red or blue?", options: ["red", "blue"] } as const;
const at = (event: RunEvent) => Date.parse(event.at);

const started = makeEvent(1, "iteration_started", { iteration: 1, attempt: 1 });
const recorded = makeEvent(5, "entry_recorded", { iteration: 1, entry: "plan", summary: "a plan of 3 steps" });
const paid = makeEvent(6, "iteration_cost_update", {
  iteration: 1,
  model: "m",
  cost_micro_usd: 5,
  tokens: 7,
  total_cost_micro_usd: 12,
  total_tokens: 34,
});
const ended = makeEvent(10, "iteration_completed", {
  iteration: 1,
  status: "success",
  summary: "",
  decision: "continue",
  why: "Work remains",
  running_ms: 9_000,
});

describe("a view follows a run", () => {
  test("through an iteration: its entries, its money, its time and why it goes on", () => {
    const view = foldAll(start, [started, recorded, paid]);
    expect(view).toMatchObject({
      state: { status: "running", since: started.at },
      entries: [{ key: "plan", summary: "a plan of 3 steps", lane: "planner", isFailed: false }],
      entryCount: 1,
      costMicroUsd: 12,
      tokens: 34,
      lastWhy: null,
    });
    expect(runningMsAt(view, at(paid))).toBe(5_000);
    expect(foldEvent(view, ended)).toMatchObject({ runningMs: 9_000, lastWhy: "Work remains", state: { since: null } });
  });

  test("into the next iteration, which begins without entries", () => {
    const next = makeEvent(11, "iteration_started", { iteration: 2, attempt: 1 });
    expect(foldAll(start, [started, recorded, ended, next])).toMatchObject({
      iteration: 2,
      entries: [],
      entryCount: 0,
    });
  });

  test("into another attempt, which keeps the entries that are done", () => {
    const again = makeEvent(11, "iteration_started", { iteration: 1, attempt: 2 });
    expect(foldAll(start, [started, recorded, again])).toMatchObject({ attempt: 2, entryCount: 1 });
  });

  test("keeping the last of very many entries", () => {
    const many = Array.from({ length: 50 }, (_, n) =>
      makeEvent(n + 2, "entry_recorded", { iteration: 1, entry: `s${n}`, summary: "" }),
    );
    const view = foldAll(start, [started, ...many]);
    expect(view.entryCount).toBe(50);
    expect(view.entries).toHaveLength(20);
    expect(view.entries.at(-1)?.key).toBe("s49");
  });

  const moves: readonly (readonly [string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>])[] = [
    ["run_admitted", { iteration: 1 }, { status: "queued" }],
    ["run_started", { objective: "x" }, { status: "running" }],
    [
      "run_waiting_on_user",
      { reason: "w", questions: [question] },
      { status: "waiting_on_user", questions: [question] },
    ],
    ["run_completed", { why: "w" }, { status: "completed" }],
    ["run_stopped", { why: "w", reason: "cost" }, { status: "stopped", reason: "cost" }],
    ["run_failed", { why: "w" }, { status: "failed" }],
    ["run_canceled", {}, { status: "canceled" }],
    ["run_resumed", {}, { status: "queued" }],
    ["run_answered", { answers: [] }, { status: "queued" }],
  ];
  test.each(moves)("%s", (type, fields, state) => {
    const view = foldAll(start, [started, makeEvent(9, type, { iteration: 1, ...fields })]);
    expect(view.state).toMatchObject(state);
    expect(isSettled(view.state.status)).toBe(!["queued", "running"].includes(view.state.status));
    if (["stopped", "failed"].includes(view.state.status)) expect(view.lastWhy).toBe("w");
  });

  test("while a provider makes it wait, which is no running time", () => {
    const untilMs = Date.parse("2030-03-17T18:00:00Z");
    const held = foldAll(start, [
      started,
      makeEvent(3, "run_holding", { iteration: 1, until_ms: untilMs, running_ms: 2_000, why: "429" }),
    ]);
    expect(held.state).toEqual({
      status: "running",
      since: null,
      hold: { until: "2030-03-17T18:00:00.000Z", why: "429" },
    });
    expect(runningMsAt(held, untilMs)).toBe(2_000);
  });

  test("past an event that it does not know", () => {
    const strange = makeEvent(2, "moon_risen", {});
    const broken = makeEvent(3, "iteration_started", { iteration: "one" });
    expect(foldAll(start, [strange, broken])).toEqual({ ...start, seq: 3 });
    expect(parseEvent(strange)).toBeNull();
  });
});

describe("while its model does not answer, which is no running time", () => {
  const at = (seq: number, type: string, time: string, fields: object = {}) => ({
    ...makeEvent(seq, type, { iteration: 1, entry: "llm:0", active_ms: 4_000, ...fields }),
    at: time,
  });
  const told = { model: "a/b", silent_ms: 120_000, tries: 1, tries_most: 2, at_stake_micro_usd: null };
  const silent = foldAll(start, [started, at(3, "model_silent", "2030-03-17T18:00:00Z", told)]);
  const later = Date.parse("2030-03-17T18:01:00Z");
  test("it says since when", () =>
    expect(silent.silences).toMatchObject([{ entry: "llm:0", since: "2030-03-17T17:58:00.000Z", tries: 1 }]));
  test("its time stands still", () => expect(runningMsAt(silent, later)).toBe(silent.runningMs + 4_000));
  test("it goes on from there once the model is heard", () => {
    const heard = foldAll(silent, [at(4, "model_heard", "2030-03-17T18:01:00Z")]);
    expect(heard.silences).toEqual([]);
    expect(runningMsAt(heard, later + 2_000)).toBe(heard.runningMs + 6_000);
  });
  test.for([
    ["entry_recorded", { summary: "done" }, 0],
    ["entry_recorded", { summary: "done", entry: "exec:1/llm:0" }, 1],
    ["iteration_started", { attempt: 2 }, 0],
    ["run_holding", { until_ms: 1, why: "no answer in time" }, 0],
    ["run_canceled", {}, 0],
  ] as const)("after %s %o, %i are left", ([type, fields, left]) =>
    expect(foldAll(silent, [at(4, type, "2030-03-17T18:01:00Z", fields)]).silences).toHaveLength(left),
  );
  test("another try takes the place of the one before, and the longest comes first", () => {
    const more = [
      at(4, "model_silent", "2030-03-17T18:02:00Z", { ...told, entry: "exec:1/llm:0", silent_ms: 300_000 }),
      at(5, "model_silent", "2030-03-17T18:03:00Z", { ...told, tries: 2, silent_ms: 270_000 }),
    ];
    expect(foldAll(silent, more).silences.map(({ entry, tries }) => `${entry} ${tries}`)).toEqual([
      "exec:1/llm:0 1",
      "llm:0 2",
    ]);
  });
});

test("a view that begins in the middle has the entries and the time of the iteration in flight", () => {
  const run = makeWireRun({
    iteration: 2,
    last_seq: 9,
    metrics: { ...makeWireRun().metrics, running_ms: 60_000 },
    activity: {
      iteration: 2,
      attempt: 3,
      since: "2030-03-17T17:40:07.000Z",
      active_ms: null,
      entries: [{ key: "plan", summary: "", lane: "exec:1", is_failed: true }],
      entry_count: 31,
    },
  });
  const view = viewOf(run);
  expect(view).toMatchObject({
    seq: 9,
    attempt: 3,
    entries: [{ key: "plan", lane: "exec:1", isFailed: true }],
    entryCount: 31,
  });
  expect(runningMsAt(view, Date.parse("2030-03-17T17:40:17Z"))).toBe(70_000);
});

test("between two iterations it is at the next one, and still shows what the last one did", () => {
  const view = foldAll(start, [started, recorded, ended]);
  expect(view).toMatchObject({ iteration: 2, attempt: 1, workedOn: 1, entries: [{ key: "plan" }], entryCount: 1 });
});

describe("what a person said", () => {
  const steered = makeEvent(2, "run_steered", { iteration: 1, message: "smaller", unread: 1 });
  const pending = { kind: "steer", text: "smaller", takenUpIn: null };

  test("is pending until an iteration takes it up", () => {
    const told = foldAll(start, [started, steered]);
    expect(told).toMatchObject({ unread: 1, messages: [pending] });
    const next = makeEvent(11, "iteration_started", { iteration: 2, attempt: 1, unread: 0 });
    expect(foldAll(told, [ended, next])).toMatchObject({ unread: 0, messages: [{ ...pending, takenUpIn: 2 }] });
  });

  test("stays pending for an attempt that goes on with what was begun before", () => {
    const again = makeEvent(3, "iteration_started", { iteration: 1, attempt: 2, unread: 1 });
    expect(foldAll(start, [started, steered, again])).toMatchObject({ unread: 1, messages: [pending] });
  });

  test("is taken up by a session that hears it while it works", () => {
    const heard = { iteration: 1, entry: "heard:2", summary: "Read your message", unread: 0 };
    const view = foldAll(start, [started, steered, makeEvent(6, "entry_recorded", heard)]);
    expect(view).toMatchObject({ unread: 0, messages: [{ ...pending, takenUpIn: 1 }], entryCount: 1 });
  });

  test("is pending again if the iteration that took it up did not hear it", () => {
    const unheard = makeEvent(10, "iteration_completed", { ...ended.event, is_unheard: true, unread: 1 });
    const view = foldAll(start, [makeEvent(1, "run_steered", { iteration: 1, message: "smaller", unread: 1 })]);
    const took = foldEvent(view, makeEvent(2, "iteration_started", { iteration: 1, attempt: 1, unread: 0 }));
    expect(took.messages).toEqual([{ ...pending, takenUpIn: 1 }]);
    expect(foldEvent(took, unheard)).toMatchObject({ unread: 1, messages: [pending] });
  });
});

test("the running time is the platform's own count", () => {
  const counted = makeEvent(10, "iteration_completed", { ...ended.event, running_ms: 5_432 });
  expect(foldAll(start, [started, counted]).runningMs).toBe(5_432);
});

test("an attempt that its worker let go of runs no more", () => {
  const released = makeEvent(6, "iteration_released", { iteration: 1, running_ms: 4_000 });
  expect(foldAll(start, [started, released])).toMatchObject({ runningMs: 4_000, state: { since: null } });
});

/** Any history, in order, with gaps. */
const history = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 3 }),
      iteration: fc.integer({ min: 1, max: 3 }),
      type: fc.constantFrom(
        ...["run_started", "iteration_started", "iteration_completed", "entry_recorded", "iteration_cost_update"],
        ...["run_holding", "run_waiting_on_user", "run_answered", "run_stopped", "run_resumed", "unknown"],
      ),
      decision: fc.constantFrom("continue", "stop"),
      number: fc.nat({ max: 1_000 }),
    }),
    { maxLength: 30 },
  )
  .map((drawn) => {
    let seq = 0;
    return drawn.map(({ gap, iteration, type, decision, number }) => {
      seq += gap;
      const texts = { entry: `s${seq}`, summary: "", why: `why ${seq}`, status: "success", reason: "cost", model: "m" };
      const figures = { cost_micro_usd: number, total_cost_micro_usd: number, total_tokens: number, until_ms: number };
      return makeEvent(seq, type, { iteration, attempt: 1, decision, questions: [question], ...texts, ...figures });
    });
  });

property.prop([history, fc.nat()])("folding in two parts is folding all of it", (events, cut) => {
  const at = events.length === 0 ? 0 : cut % (events.length + 1);
  const inParts = foldAll(foldAll(start, events.slice(0, at)), events.slice(at));
  const oneByOne = events.reduce(foldEvent, start);
  expect(inParts).toEqual(oneByOne);
  expect(foldAll(start, events)).toEqual(oneByOne);
});

property.prop([history, fc.array(fc.nat(), { maxLength: 10 })])(
  "an event that comes again changes nothing",
  (events, again) => {
    const repeated = [...events];
    for (const each of again) {
      if (repeated.length === 0) break;
      const from = each % repeated.length;
      const copy = repeated[from];
      // Behind itself, at once or much later.
      if (copy) repeated.splice(from + 1 + (each % (repeated.length - from)), 0, copy);
    }
    expect(foldAll(start, repeated)).toEqual(foldAll(start, events));
  },
);

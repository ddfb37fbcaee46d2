import { expect, test } from "vitest";
import type { RunEntry } from "../../../../../src/protocol/api.ts";
import { makeWireEntry } from "../../../../../test/helpers/make-wire-entry.ts";
import { lanesOf, marksOf, spansOf, tookMs } from "./lanes.ts";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();

const makeEntry = (over: Partial<RunEntry> = {}) => makeWireEntry({ began_at: at(0), ended_at: at(1), ...over });

const shapeOf = (entries: readonly RunEntry[], withPlatform = false) =>
  lanesOf(entries, withPlatform).map(({ title, entries: own }) => [title, own.map(({ key }) => key)]);

test("the planner comes first, executors by their number and with their titles, then the judge", () => {
  const entries = [
    makeEntry({ key: "a", lane: "judge" }),
    makeEntry({ key: "b", lane: "exec:10", lane_title: "Prices" }),
    makeEntry({ key: "c", lane: "exec:2", lane_title: null }),
    makeEntry({ key: "d" }),
    makeEntry({ key: "e", lane: "exec:2", lane_title: "Halls" }),
  ];
  expect(shapeOf(entries)).toEqual([
    ["Planner", ["d"]],
    ["Executor 2: Halls", ["c", "e"]],
    ["Executor 10: Prices", ["b"]],
    ["Judge", ["a"]],
  ]);
});

test("the platform's own notes are shown only on demand, and last", () => {
  const entries = [
    makeEntry({ key: "opening", kind: "platform", lane: "platform" }),
    makeEntry({ key: "heard:1", kind: "platform" }),
    makeEntry({ key: "llm:0" }),
  ];
  expect(shapeOf(entries)).toEqual([["Planner", ["heard:1", "llm:0"]]]);
  expect(shapeOf(entries, true)).toEqual([
    ["Planner", ["heard:1", "llm:0"]],
    ["Platform", ["opening"]],
  ]);
});

test("what the platform asked of a model is always shown", () =>
  expect(shapeOf([makeEntry({ key: "report", kind: "model", lane: "platform" })])).toEqual([["Platform", ["report"]]]));

test("bars share one line of time, from the first beginning to the last end", () => {
  const entries = [
    makeEntry({ key: "plan", began_at: at(0), ended_at: at(2) }),
    makeEntry({ key: "exec:0/llm:0", lane: "exec:1", began_at: at(2), ended_at: at(10) }),
    makeEntry({ key: "exec:1/llm:0", lane: "exec:2", began_at: at(2), ended_at: at(6) }),
  ];
  const { totalMs, lanes } = spansOf(lanesOf(entries, false), 0);
  expect(totalMs).toBe(10_000);
  expect(lanes.map(({ bars }) => bars.map(({ from, to }) => [from, to]))).toEqual([
    [[0, 0.2]],
    [[0.2, 1]],
    [[0.2, 0.6]],
  ]);
});

test("what is still at work goes on until now", () => {
  const entries = [makeEntry({ began_at: at(0), ended_at: null, state: "intended" })];
  expect(spansOf(lanesOf(entries, false), Date.parse(at(4))).totalMs).toBe(4_000);
  expect(tookMs(entries[0] ?? makeEntry())).toBeNull();
});

test.each([
  ["no entry at all", []],
  ["an entry without a length", [makeEntry({ began_at: at(3), ended_at: at(3) })]],
  ["an entry whose clock went backwards", [makeEntry({ began_at: at(3), ended_at: at(2) })]],
])("%s draws nothing that is not a number", (_what, entries) => {
  const { totalMs, lanes } = spansOf(lanesOf(entries, false), 0);
  expect(Number.isFinite(totalMs)).toBe(true);
  for (const { from, to } of lanes.flatMap(({ bars }) => bars)) expect(from <= to && from >= 0).toBe(true);
});

test("marks: failed, interrupted, under way", () => {
  expect(marksOf(makeEntry())).toEqual([]);
  expect(marksOf(makeEntry({ is_error: true }))).toEqual(["failed"]);
  expect(marksOf(makeEntry({ state: "uncertain", is_error: true }))).toEqual(["uncertain"]);
  expect(marksOf(makeEntry({ state: "intended" }))).toEqual(["running"]);
});

import { expect, test } from "vitest";
import type { RunStep } from "../../../../../src/protocol/api.ts";
import { makeWireStep } from "../../../../../test/helpers/make-wire-step.ts";
import { lanesOf, marksOf, spansOf, tookMs } from "./lanes.ts";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();

const makeStep = (over: Partial<RunStep> = {}) => makeWireStep({ began_at: at(0), ended_at: at(1), ...over });

const shapeOf = (steps: readonly RunStep[], withPlatform = false) =>
  lanesOf(steps, withPlatform).map(({ title, steps: own }) => [title, own.map(({ key }) => key)]);

test("the planner comes first, executors by their number and with their titles, then the judge", () => {
  const steps = [
    makeStep({ key: "a", lane: "judge" }),
    makeStep({ key: "b", lane: "exec:10", lane_title: "Prices" }),
    makeStep({ key: "c", lane: "exec:2", lane_title: null }),
    makeStep({ key: "d" }),
    makeStep({ key: "e", lane: "exec:2", lane_title: "Halls" }),
  ];
  expect(shapeOf(steps)).toEqual([
    ["Planner", ["d"]],
    ["Executor 2: Halls", ["c", "e"]],
    ["Executor 10: Prices", ["b"]],
    ["Judge", ["a"]],
  ]);
});

test("the platform's own notes are shown only on demand, and last", () => {
  const steps = [
    makeStep({ key: "opening", kind: "platform", lane: "platform" }),
    makeStep({ key: "heard:1", kind: "platform" }),
    makeStep({ key: "llm:0" }),
  ];
  expect(shapeOf(steps)).toEqual([["Planner", ["heard:1", "llm:0"]]]);
  expect(shapeOf(steps, true)).toEqual([
    ["Planner", ["heard:1", "llm:0"]],
    ["Platform", ["opening"]],
  ]);
});

test("bars share one line of time, from the first beginning to the last end", () => {
  const steps = [
    makeStep({ key: "plan", began_at: at(0), ended_at: at(2) }),
    makeStep({ key: "exec:0/llm:0", lane: "exec:1", began_at: at(2), ended_at: at(10) }),
    makeStep({ key: "exec:1/llm:0", lane: "exec:2", began_at: at(2), ended_at: at(6) }),
  ];
  const { totalMs, lanes } = spansOf(lanesOf(steps, false), 0);
  expect(totalMs).toBe(10_000);
  expect(lanes.map(({ bars }) => bars.map(({ from, to }) => [from, to]))).toEqual([
    [[0, 0.2]],
    [[0.2, 1]],
    [[0.2, 0.6]],
  ]);
});

test("what is still at work goes on until now", () => {
  const steps = [makeStep({ began_at: at(0), ended_at: null, state: "intended" })];
  expect(spansOf(lanesOf(steps, false), Date.parse(at(4))).totalMs).toBe(4_000);
  expect(tookMs(steps[0] ?? makeStep())).toBeNull();
});

test.each([
  ["no step at all", []],
  ["a step without a length", [makeStep({ began_at: at(3), ended_at: at(3) })]],
  ["a step whose clock went backwards", [makeStep({ began_at: at(3), ended_at: at(2) })]],
])("%s draws nothing that is not a number", (_what, steps) => {
  const { totalMs, lanes } = spansOf(lanesOf(steps, false), 0);
  expect(Number.isFinite(totalMs)).toBe(true);
  for (const { from, to } of lanes.flatMap(({ bars }) => bars)) expect(from <= to && from >= 0).toBe(true);
});

test("marks: failed, interrupted, under way", () => {
  expect(marksOf(makeStep())).toEqual([]);
  expect(marksOf(makeStep({ is_error: true }))).toEqual(["failed"]);
  expect(marksOf(makeStep({ state: "uncertain", is_error: true }))).toEqual(["uncertain"]);
  expect(marksOf(makeStep({ state: "intended" }))).toEqual(["running"]);
});

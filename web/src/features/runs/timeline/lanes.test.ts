import { expect, test } from "vitest";
import type { RunStep } from "../../../../../src/protocol/api.ts";
import { lanesOf, marksOf, repairedKeys, spansOf, tookMs } from "./lanes.ts";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();

function makeStep(over: Partial<RunStep> = {}): RunStep {
  return {
    id: over.key ?? "plan",
    key: "plan",
    kind: "model",
    lane: "planner",
    lane_title: null,
    state: "done",
    summary: "Planned",
    tool: null,
    role: null,
    model: null,
    is_error: false,
    args: null,
    result: null,
    is_cut: false,
    began_at: at(0),
    ended_at: at(1),
    cost_micro_usd: null,
    tokens: null,
    ...over,
  };
}

const shapeOf = (steps: readonly RunStep[], withPlatform = false) =>
  lanesOf(steps, withPlatform).map(({ title, steps: own }) => [title, own.map(({ key }) => key)]);

test("the planner comes first, executors by their number and with their titles", () => {
  const steps = [
    makeStep({ key: "exec:10/llm:0", lane: "exec:10", lane_title: "Prices" }),
    makeStep({ key: "exec:2/llm:0", lane: "exec:2", lane_title: null }),
    makeStep({ key: "plan" }),
    makeStep({ key: "exec:2/tool:0", lane: "exec:2", lane_title: "Halls" }),
  ];
  expect(shapeOf(steps)).toEqual([
    ["Planner", ["plan"]],
    ["Executor 3: Halls", ["exec:2/llm:0", "exec:2/tool:0"]],
    ["Executor 11: Prices", ["exec:10/llm:0"]],
  ]);
});

test("the platform's own notes are shown only to who asks for them, and last", () => {
  const steps = [
    makeStep({ key: "open", kind: "platform", lane: "platform" }),
    makeStep({ key: "exec:0/branch", kind: "platform", lane: "exec:0" }),
    makeStep({ key: "plan" }),
  ];
  expect(shapeOf(steps)).toEqual([["Planner", ["plan"]]]);
  expect(shapeOf(steps, true)).toEqual([
    ["Planner", ["plan"]],
    ["Executor 1", ["exec:0/branch"]],
    ["Platform", ["open"]],
  ]);
});

test("bars share one line of time, from the first beginning to the last end", () => {
  const steps = [
    makeStep({ key: "plan", began_at: at(0), ended_at: at(2) }),
    makeStep({ key: "exec:0/llm:0", lane: "exec:0", began_at: at(2), ended_at: at(10) }),
    makeStep({ key: "exec:1/llm:0", lane: "exec:1", began_at: at(2), ended_at: at(6) }),
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

test("marks: failed, repaired, uncertain, under way", () => {
  const repaired = repairedKeys([makeStep({ key: "tool:0/repair:1" }), makeStep({ key: "exec:1/tool:2/repair:2" })]);
  expect([...repaired]).toEqual(["tool:0", "exec:1/tool:2"]);
  expect(marksOf(makeStep(), false)).toEqual([]);
  expect(marksOf(makeStep({ is_error: true }), true)).toEqual(["failed", "repaired"]);
  expect(marksOf(makeStep({ state: "uncertain" }), false)).toEqual(["uncertain"]);
  expect(marksOf(makeStep({ state: "intended" }), false)).toEqual(["running"]);
});

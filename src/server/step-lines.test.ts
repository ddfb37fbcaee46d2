import { expect, test } from "vitest";
import type { JournalLine, LedgerLine } from "../store/run-step-store.ts";
import { laneOf, orderSteps } from "./step-lines.ts";
import { type StepFacts, toWireStep } from "./step-text.ts";

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;

const line = (key: string, end: number | null, over: Partial<JournalLine> = {}): JournalLine => ({
  key,
  kind: "tool",
  state: end === null ? "intended" : "done",
  fence: 1,
  beganAt: at(end ?? 50),
  endedAt: end === null ? null : at(end),
  ...over,
});

const call = (key: string, from: number, end: number | null, over: Partial<LedgerLine> = {}): LedgerLine => ({
  callId: `${key}-${from}`,
  key,
  role: "planner",
  model: "lab/model",
  state: end === null ? "reserved" : "settled",
  costMicroUsd: end === null ? null : 5,
  tokens: end === null ? null : 9,
  beganAt: at(from),
  endedAt: end === null ? null : at(end),
  ...over,
});

const times = (journal: readonly JournalLine[], calls: readonly LedgerLine[] = []) =>
  orderSteps({ journal, calls }, []).map(({ key, beganAt, endedAt }) => [
    key,
    Number(beganAt.slice(17, 19)),
    endedAt === null ? null : Number(endedAt.slice(17, 19)),
  ]);

const nothing: StepFacts = { keys: [], results: new Map(), summaries: new Map() };
const told = (journal: readonly JournalLine[], calls: readonly LedgerLine[], facts: Partial<StepFacts> = {}) =>
  orderSteps({ journal, calls }, []).map((step) => toWireStep(step, { ...nothing, ...facts }));

test("a model's call lasts from its reservation to its answer, and a tool's from the step before it", () =>
  expect(times([line("plan", 9, { kind: "model" }), line("tool:0", 12)], [call("plan", 3, 9)])).toEqual([
    ["plan", 3, 9],
    ["tool:0", 9, 12],
  ]));

test("a tool of another attempt did not begin with the one before it", () =>
  expect(times([line("plan", 9, { kind: "model" }), line("tool:0", 40, { fence: 2 })], [call("plan", 3, 9)])).toEqual([
    ["plan", 3, 9],
    ["tool:0", 40, 40],
  ]));

test("executors have lanes of their own", () =>
  expect(
    times(
      [
        line("exec:1/llm:0", 10, { kind: "model" }),
        line("exec:2/llm:0", 20, { kind: "model" }),
        line("exec:1/tool:0.0", 30),
      ],
      [call("exec:1/llm:0", 1, 10), call("exec:2/llm:0", 2, 20)],
    ),
  ).toEqual([
    ["exec:1/llm:0", 1, 10],
    ["exec:2/llm:0", 2, 20],
    ["exec:1/tool:0.0", 10, 30],
  ]));

test("of several tries the last one is the answer's, and the others stand by themselves", () => {
  const calls = [call("plan", 1, 2, { state: "unknown", tokens: null }), call("plan", 3, 5), call("plan", 6, 8)];
  const steps = told([line("plan", 8, { kind: "model" })], calls);
  expect(steps.map(({ id, state, is_error }) => [id, state, is_error])).toEqual([
    ["plan#plan-1", "uncertain", true],
    ["plan#plan-3", "done", true],
    ["plan", "done", true], // Nothing readable is kept of it here.
  ]);
});

test("what is under way comes last, and is no error", () => {
  const steps = told(
    [line("tool:0", null, { kind: "effect" }), line("plan", 9, { kind: "model" })],
    [call("plan", 3, 9), call("exec:1/llm:0", 10, null, { role: "executor" })],
  );
  expect(
    steps.slice(1).map(({ summary, state, is_error, cost_micro_usd }) => [summary, state, is_error, cost_micro_usd]),
  ).toEqual([
    ["executor: asking lab/model", "intended", false, null],
    ["tool:0: under way", "intended", false, null],
  ]);
});

test("an effect that nobody is sure of is an error, and says so", () =>
  expect(told([line("tool:0", 9, { kind: "effect", state: "uncertain" })], [])[0]).toMatchObject({
    summary: "tool:0: nobody knows whether it happened",
    is_error: true,
  }));

test("whatever an engine keeps that is no call of a tool is told by the history, and shown as JSON", () =>
  expect(
    told([line("note:1", 9)], [], {
      results: new Map([["note:1", { result: { some: "thing" }, artifacts: [] }]]),
      summaries: new Map([["note:1", "Noted it"]]),
    })[0],
  ).toMatchObject({ summary: "Noted it", result: '{\n  "some": "thing"\n}', is_error: false }));

test.for([
  ["tool:3", "tool", "planner"],
  ["tool:3/repair:1", "model", "planner"],
  ["plan/again:1", "model", "planner"],
  ["exec:12/tool:0.1", "tool", "exec:12"],
  ["judge:c1", "model", "platform"],
  ["report", "model", "platform"],
  ["memory", "platform", "platform"],
] as const)("%s (%s) is a step of %s", ([key, kind, lane]) => expect(laneOf({ key, kind })).toBe(lane));

import { expect, test } from "vitest";
import type { RunStep } from "../../../../src/protocol/api.ts";
import { branchesOf } from "./branches.ts";

const step = (over: Partial<RunStep>): RunStep => ({
  id: "1",
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
  began_at: "2026-01-01T00:00:00.000Z",
  ended_at: null,
  cost_micro_usd: null,
  tokens: null,
  ...over,
});

const of = (n: number, key: string, over: Partial<RunStep> = {}) =>
  step({ key: `exec:${n}/${key}`, lane: `exec:${n}`, lane_title: `Branch ${n}`, summary: `did ${key}`, ...over });

test("each executor is a branch with the latest thing it did", () => {
  const branches = branchesOf([step({}), of(0, "llm:0"), of(1, "llm:0"), of(0, "tool:0.0")]);
  expect(branches).toEqual([
    { lane: "exec:0", title: "Branch 0", latest: "did tool:0.0", stepCount: 2, isDone: false },
    { lane: "exec:1", title: "Branch 1", latest: "did llm:0", stepCount: 1, isDone: false },
  ]);
});

test("a branch is done when its findings are written, not when they are begun", () => {
  expect(branchesOf([of(0, "findings", { state: "intended" })])[0]?.isDone).toBe(false);
  expect(branchesOf([of(0, "findings")])[0]?.isDone).toBe(true);
});

test("what the planner and the platform do is no branch", () => {
  expect(branchesOf([step({}), step({ lane: "platform", key: "check:1" })])).toEqual([]);
});

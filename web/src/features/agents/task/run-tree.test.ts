import { expect, test } from "vitest";
import type { AgentRun } from "../../../../../src/protocol/api.ts";
import { toRunTree } from "./run-tree.ts";

const run = (id: string, over: Partial<AgentRun> = {}): AgentRun => ({
  run_id: id,
  task_id: "t",
  project_id: "p",
  status: "completed",
  is_active: false,
  parent_run_id: null,
  previous_run_id: null,
  agent: "claude",
  model: null,
  started_at: null,
  ended_at: null,
  last_output_at: null,
  exit_code: 0,
  error: null,
  cost_usd: null,
  stop_requested: null,
  ...over,
});

const check = (runs: readonly AgentRun[]) =>
  toRunTree(runs).map(({ run: { run_id: id }, depth, attempt, attempts }) => `${id} ${depth} ${attempt}/${attempts}`);

test("children stand below their parent, restarts are counted", () => {
  const runs = [
    run("1"),
    run("2", { previous_run_id: "1" }),
    run("3", { parent_run_id: "1" }),
    run("4", { parent_run_id: "3" }),
  ];
  expect(check(runs)).toEqual(["1 0 1/2", "3 1 1/1", "4 2 1/1", "2 0 2/2"]);
});

test("a parent or a predecessor that is not there counts as none", () => {
  expect(check([run("1", { parent_run_id: "x", previous_run_id: "y" })])).toEqual(["1 0 1/1"]);
});

test("runs that name each other as parents are shown once each", () => {
  expect(check([run("1", { parent_run_id: "2" }), run("2", { parent_run_id: "1" })])).toHaveLength(2);
});

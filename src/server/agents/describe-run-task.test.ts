import { expect, test } from "vitest";
import { describeRunTask, type HomeworkRunFacts } from "./describe-run-task.ts";

const run: HomeworkRunFacts = {
  id: "01890000-0000-7000-8000-000000000001",
  objective: "Water the plants",
  status: "running",
  iteration: 2,
  maxIterations: 20,
  holdWhy: null,
  detail: null,
};
const check = (change: Partial<HomeworkRunFacts>, active = 0, runs = 1) => {
  const { status, why, restart } = describeRunTask({ ...run, ...change }, { runs, active_runs: active });
  return [status, why, restart.will_restart];
};

test("an agent at work", () =>
  expect(check({}, 1)).toEqual(["running", "An agent works on iteration 2 of 20.", "yes"]));

test("between two agents", () =>
  expect(check({})).toEqual(["running", "No agent is working now: Homework checks iteration 2 of 20.", "yes"]));

test("held up", () => expect(check({ holdWhy: "claude: 429" })).toEqual(["running", "On hold: claude: 429", "yes"]));

test("in the last iteration", () => expect(check({ iteration: 20 }, 1)[2]).toBe("no"));

test("queued before and after an agent has worked", () =>
  expect([check({ status: "queued" }, 0, 0)[0], check({ status: "queued" })[0]]).toEqual(["new", "ended"]));

test("waiting for the user", () =>
  expect(check({ status: "waiting_on_user" })).toEqual(["waiting", "The run is waiting for your answer.", "yes"]));

test.each([
  ["completed", null, "done", "The run is done."],
  ["stopped", "It made no progress", "stopped", "The run stopped: It made no progress"],
  ["failed", "No worker survived", "failed", "The run failed: No worker survived"],
  ["canceled", null, "stopped", "The run was canceled."],
] as const)("%s", (status, detail, word, why) => expect(check({ status, detail })).toEqual([word, why, "no"]));

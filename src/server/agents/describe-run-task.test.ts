import { expect, test } from "vitest";
import { describeRunTask, type HomeworkRunFacts } from "./describe-run-task.ts";

const run: HomeworkRunFacts = {
  id: "01890000-0000-7000-8000-000000000001",
  objective: "Water the plants",
  status: "running",
  iteration: 2,
  maxIterations: 20,
  holdWhy: null,
  holdUntil: null,
  detail: null,
};
const check = (change: Partial<HomeworkRunFacts>, active = 0) => {
  const { status, why, restart } = describeRunTask({ ...run, ...change }, { active_runs: active });
  return [status, why, restart.will_restart];
};

test("an agent at work", () =>
  expect(check({}, 1)).toEqual(["running", "An agent works on iteration 2 of 20.", "yes"]));

test("between two agents", () =>
  expect(check({})).toEqual(["running", "No agent is working now: Homework checks iteration 2 of 20.", "yes"]));

test("held up, and until when", () => {
  const held = { holdWhy: "claude: 429", holdUntil: "2026-11-16T12:00:00.000Z" };
  expect(check(held)).toEqual(["held", "On hold: claude: 429", "yes"]);
  expect(describeRunTask({ ...run, ...held }, { active_runs: 0 })).toMatchObject({
    until: held.holdUntil,
    is_alive: true,
  });
  expect(check(held, 1)[0]).toBe("running");
});

test("in the last iteration", () => expect(check({ iteration: 20 }, 1)[2]).toBe("no"));

test("queued", () => expect(check({ status: "queued" })[0]).toBe("starting"));

test("waiting for the user", () =>
  expect(check({ status: "waiting_on_user" })).toEqual(["waiting", "The run is waiting for your answer.", "yes"]));

test.each([
  ["completed", null, "done", "The run is done."],
  ["stopped", "It made no progress", "stopped", "The run stopped: It made no progress"],
  ["failed", "No worker survived", "failed", "The run failed: No worker survived"],
  ["canceled", null, "canceled", "The run was canceled."],
] as const)("%s", (status, detail, word, why) => expect(check({ status, detail })).toEqual([word, why, "no"]));

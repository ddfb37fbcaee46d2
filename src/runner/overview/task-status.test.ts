import { describe, expect, test } from "vitest";
import type { LoopRun } from "./read-loop.ts";
import { describeTask, forecastRestart, type TaskFacts } from "./task-status.ts";

const nowMs = 1_000_000;
const facts: TaskFacts = {
  isDone: false,
  stop: null,
  activeRuns: 0,
  lastRun: "completed",
  isWaiting: false,
  missing: [],
  loop: { isDriven: false, run: null },
  homeworkRun: null,
  nowMs,
};
const stop = { by: "ann", reason: "lunch" };
const run: LoopRun = {
  status: "running",
  why: "",
  isLeased: false,
  notBeforeMs: null,
  heldBy: null,
  questionIds: [],
  maxRestarts: 3,
};
const driven = (change: Partial<LoopRun> = {}): Partial<TaskFacts> => ({
  loop: { isDriven: true, run: { ...run, ...change } },
});
const left = (change: Partial<LoopRun> = {}): Partial<TaskFacts> => ({
  loop: { isDriven: false, run: { ...run, ...change } },
});

/** Facts, the status, whether it goes on without being started, and words of the reason. */
type Case = readonly [string, Partial<TaskFacts>, string, boolean, string];

const say = (change: Partial<TaskFacts>) => {
  const { status, isAlive, why } = describeTask({ ...facts, ...change });
  return { status, isAlive, why };
};
const check = (_what: string, change: Partial<TaskFacts>, status: string, isAlive: boolean, words: string) =>
  expect(say(change)).toEqual({ status, isAlive, why: expect.stringContaining(words) });

describe("while an agent runs", () => {
  test.each<Case>([
    ["it works", { activeRuns: 1 }, "running", true, "1 run is running"],
    ["it works for a loop", { ...driven(), activeRuns: 2 }, "running", true, "2 runs are running"],
    ["it waits for an answer", { activeRuns: 1, isWaiting: true }, "waiting", true, "waits for your answer"],
    ["children work on after DONE", { activeRuns: 1, isDone: true }, "finishing", true, "1 run is still running"],
    ["its loop is gone", { ...left(), activeRuns: 1 }, "running", true, "1 run is running"],
    ["a stop was requested", { activeRuns: 1, stop }, "running", true, "1 run is running"],
  ])("%s", check);
});

describe("while a loop works on it and no agent runs", () => {
  test.each<Case>([
    ["before the first start", { ...driven(), lastRun: null }, "starting", true, "about to start."],
    ["before another start", driven(), "starting", true, "about to start again"],
    ["after a start that failed", { ...driven(), lastRun: "failed" }, "starting", true, "about to start again"],
    ["while what it left is looked at", driven({ isLeased: true }), "running", true, "is looked at"],
    ["while DONE is checked", { ...driven({ isLeased: true }), isDone: true }, "finishing", true, "checks"],
    ["while a person is asked", driven({ status: "waiting_on_user" }), "waiting", true, "waits for your answer"],
    ["while a provider holds it", driven({ heldBy: "429", notBeforeMs: nowMs + 1 }), "held", true, "On hold: 429"],
    ["once the hold is over", driven({ heldBy: "429", notBeforeMs: nowMs }), "starting", true, "about to start again"],
    [
      "while others have to be done first",
      { ...driven(), lastRun: null, missing: ["task-a"] },
      "blocked",
      true,
      "Needs task-a to be done first; then it starts by itself",
    ],
    ["as it ends: done", { ...driven({ status: "completed" }), isDone: true }, "done", false, "was accepted"],
    ["as it ends: stopped", driven({ status: "stopped", why: "No progress" }), "stopped", false, "No progress"],
  ])("%s", check);

  test("it says when it goes on", () => {
    const until = (change: Partial<LoopRun>) => describeTask({ ...facts, ...driven(change) }).untilMs;
    expect(until({ notBeforeMs: nowMs + 5_000 })).toBe(nowMs + 5_000);
    expect(until({ notBeforeMs: nowMs + 5_000, heldBy: "429" })).toBe(nowMs + 5_000);
    expect(until({ notBeforeMs: nowMs - 5_000 })).toBeNull();
    expect(until({ status: "waiting_on_user" })).toBeNull();
  });
});

describe("when no loop works on it any more", () => {
  test.each<Case>([
    ["done", { ...left({ status: "completed" }), isDone: true }, "done", false, "was accepted"],
    ["done, and DONE is gone", left({ status: "completed" }), "ended", false, "DONE is gone"],
    ["stopped by itself", left({ status: "stopped", why: "No progress" }), "stopped", false, "No progress"],
    ["stopped by a person", { ...left({ status: "stopped", why: "x" }), stop }, "stopped", false, "ann: lunch"],
    ["stopped, with DONE", { ...left({ status: "stopped" }), isDone: true }, "stopped", false, "was not accepted"],
    ["failed", left({ status: "failed", why: "No worker survived" }), "failed", false, "No worker survived"],
    ["canceled", { ...left({ status: "canceled" }), stop }, "canceled", false, "Canceled by ann: lunch"],
    ["killed between two starts", left(), "ended", false, "interrupted. Start the task again"],
    ["killed after an agent failed", { ...left(), lastRun: "failed" }, "ended", false, "interrupted"],
    ["killed before DONE was accepted", { ...left(), isDone: true }, "ended", false, "was not accepted"],
    ["killed while a stop was asked for", { ...left(), stop }, "stopped", false, "Stopped by ann: lunch"],
    ["killed while a person was asked", left({ status: "waiting_on_user" }), "waiting", false, "Answer, and start"],
    ["stopped while a person was asked", { ...left({ status: "waiting_on_user" }), stop }, "stopped", false, "lunch"],
  ])("%s", check);
});

describe("without a loop", () => {
  test.each<Case>([
    ["new", { lastRun: null }, "new", false, "No run was started yet"],
    ["blocked", { lastRun: null, missing: ["task-a"] }, "blocked", false, "Needs task-a to be done first."],
    ["done", { isDone: true }, "done", false, "DONE is there"],
    ["stopped", { stop }, "stopped", false, "Stopped by ann: lunch"],
    ["a run ended well", {}, "ended", false, "ended well, but there is no DONE"],
    ["a run failed", { lastRun: "failed" }, "failed", false, "The last run failed"],
  ])("%s", check);
});

describe("as the work of a Homework run", () => {
  const homeworkRun = "0198c2a4-0000-7000-8000-000000000001";
  const words = `No agent is at work. How the run stands: homework show ${homeworkRun}`;
  test.each<Case>([
    ["an agent works", { homeworkRun, activeRuns: 1 }, "running", true, "1 run is running"],
    ["before the first agent", { homeworkRun, lastRun: null }, "new", false, words],
    ["between two agents", { homeworkRun }, "ended", false, words],
    ["after an agent that failed", { homeworkRun, lastRun: "failed" }, "failed", false, words],
    ["after DONE", { homeworkRun, isDone: true }, "done", false, words],
  ])("%s", check);
});

test.each<[string, Partial<TaskFacts>, number, string, string]>([
  ["an agent at work", { ...driven(), activeRuns: 1 }, 0, "yes", "Until the agent writes DONE. 3 restarts are left."],
  ["the last but one", { ...driven(), activeRuns: 1 }, 2, "yes", "Until the agent writes DONE. 1 restart is left."],
  ["the last one", { ...driven(), activeRuns: 1 }, 3, "no", "All 3 restarts are used."],
  ["no limit", { ...driven({ maxRestarts: null }), activeRuns: 1 }, 9, "yes", "Until the agent writes DONE."],
  ["a person is asked", driven({ status: "waiting_on_user" }), 2, "yes", "Once you have answered."],
  [
    "a person was asked, and no loop is there",
    left({ status: "waiting_on_user" }),
    0,
    "no",
    "It waits for your answer. Answer, and start the task again.",
  ],
  ["DONE is checked", { ...driven(), isDone: true }, 0, "no", "The agent says that the task is done."],
  ["a single run", { activeRuns: 1 }, 0, "no", "No run-agent task is working on it, so no other run follows."],
  ["stopped", left({ status: "stopped", why: "No progress" }), 0, "no", "No progress"],
])("will it restart: %s", (_what, change, restarts, will, why) => {
  const given = { ...facts, ...change };
  expect(forecastRestart(describeTask(given), given.loop, restarts)).toEqual({ will_restart: will, why });
});

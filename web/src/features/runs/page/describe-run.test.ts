import { expect, test } from "vitest";
import type { Run } from "../../../../../src/protocol/api.ts";
import { viewOf } from "../../../../../src/protocol/run-view.ts";
import { makeWireRun } from "../../../../../test/helpers/cli-runs.ts";
import { describeRun } from "./describe-run.ts";

const nowMs = Date.parse("2030-03-17T18:00:00Z");

function check(change: Partial<Run>) {
  const run = makeWireRun({ iteration: 3, ...change });
  return describeRun(run, viewOf(run), nowMs);
}

const atWork = {
  iteration: 3,
  attempt: 1,
  since: "2030-03-17T17:59:00Z",
  active_ms: null,
  entries: [],
  entry_count: 0,
};
const question: Run["questions"][number] = { id: "q1", kind: "question", text: "Which hall?", options: [] };

test("one in line says its place and goes on by itself", () =>
  expect(check({ status: "queued", place_in_line: 2 })).toMatchObject({
    now: "The run is queued, at place 2.",
    byItself: "Runs in the background. You can close this tab.",
  }));

test("one with a slot is about to start", () =>
  expect(check({ status: "queued" }).now).toBe("Iteration 3 is about to start."));

test("one at work says which iteration of how many", () =>
  expect(check({ activity: atWork })).toMatchObject({ now: "The run is working on iteration 3 of 20.", detail: null }));

test("another attempt says that the one before was cut off", () =>
  expect(check({ activity: { ...atWork, attempt: 2 } }).detail).toContain("attempt 2"));

test("another attempt that found the agent at work says that it was taken over", () => {
  const entry = { key: "taken-over:agent:0", summary: "Took over the agent", lane: "agent", is_failed: false };
  const { detail } = check({ activity: { ...atWork, attempt: 2, entries: [entry], entry_count: 1 } });
  expect(detail).toBe("The agent was taken over and works on: nothing was lost (attempt 2).");
});

test("between two iterations the next one is announced", () =>
  expect(check({}).next).toBe("The next iteration starts in a moment."));

test("a hold says for how long and why, once", () =>
  expect(check({ hold: { until: "2030-03-17T18:02:05Z", why: "Too many requests" } })).toMatchObject({
    now: "The run is on hold in iteration 3 of 20 for another 2m 05s.",
    detail: "Too many requests",
    why: null,
  }));

const silence = {
  entry: "llm:0",
  model: "openai/gpt-6.1-sol",
  since: "2030-03-17T17:58:00Z",
  tries: 1,
  tries_most: 2,
  at_stake_micro_usd: 190_000,
};

test.for([
  [1, "If it stays silent, it is asked again, or the next model is."],
  [2, "If it stays silent, the run is put on hold and tried again later."],
] as const)("a model that does not answer in try %i of 2 says so, and not that the run works", ([tries, next]) =>
  expect(check({ activity: { ...atWork, active_ms: 1_000 }, silences: [{ ...silence, tries }] })).toMatchObject({
    now: `The model has not answered for 2 min, try ${tries} of 2, at most $0.19 at stake.`,
    detail: "The run is waiting in iteration 3 of 20. This time does not count as active.",
    next,
  }),
);

test("nothing that may cost money is called free", () =>
  expect(JSON.stringify(check({ hold: { until: "2030-03-17T18:02:05Z", why: "no answer in time" } }))).not.toContain(
    "costs nothing",
  ));

test("why it went on is said while it works", () =>
  expect(check({ activity: atWork, guidance: { next: "execute", why: "A check failed" } }).why).toEqual({
    label: "Why it continued",
    text: "A check failed",
  }));

test("that work remains is not worth a line", () =>
  expect(check({ activity: atWork, guidance: { next: "execute", why: "Work remains" } }).why).toBeNull());

test("one that waits says for what, and that it does not go on", () =>
  expect(check({ status: "waiting_on_user", questions: [question, { ...question, id: "q2" }] })).toMatchObject({
    now: "The run is waiting for you: answer 2 questions.",
    byItself: "Paused at no cost until you answer.",
  }));

test("a plan and changes to approve are told apart from questions", () =>
  expect(
    check({
      status: "waiting_on_user",
      questions: [
        { ...question, kind: "approve_plan" },
        { ...question, id: "w", kind: "approve_writes" },
      ],
    }).now,
  ).toBe("The run is waiting for you: approve its plan and approve its changes."));

test("one that used up its iterations says so and what to do", () =>
  expect(
    check({
      status: "stopped",
      stop_reason: { type: "max_iterations", detail: "20 of 20 iterations used; resume it with a higher limit" },
    }),
  ).toMatchObject({
    now: "The run stopped because it used all its iterations.",
    detail: "20 of 20 iterations used; resume it with a higher limit",
    why: null,
    next: "Resume it with more iterations, or use the results so far.",
    byItself: "Nothing happens until you resume it.",
  }));

test("a paused one says no more than that", () =>
  expect(check({ status: "stopped", stop_reason: { type: "paused", detail: "You paused it" } })).toMatchObject({
    now: "The run is paused.",
    detail: null,
    why: null,
  }));

test("a completed one counts the checks that passed", () =>
  expect(check({ status: "completed", checks: { green: 3, of: 3 } })).toMatchObject({
    now: "The run is done: 3 of 3 checks passed.",
    byItself: "",
  }));

test("a failed one says why", () =>
  expect(check({ status: "failed", failure: "It died 3 times" })).toMatchObject({
    detail: "It died 3 times",
    why: null,
  }));

test("a canceled one says what stays, or that there is nothing", () => {
  const made = [{ type: "task", created: 1, updated: 0 }] as const;
  expect(check({ status: "canceled", made: [...made] }).next).toContain("What the run wrote stays");
  expect(check({ status: "canceled", made: [] }).next).toBe("Nothing was written.");
});

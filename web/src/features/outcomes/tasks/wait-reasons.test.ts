import { expect, test } from "vitest";
import { makeWireTask as task } from "../../../../../test/helpers/cli-outcomes.ts";
import { findWaitReasons, type OutcomeFacts } from "./wait-reasons.ts";

const outcome: OutcomeFacts = {
  status: "active",
  workers: 1,
  max_cost_usd: null,
  metrics: { cost_total_micro_usd: 0, tokens_total: 0, unpriced_calls: 0 },
  isWholePaused: false,
};
const [first, second, third] = [task(1), task(2), task(3)];

function check(
  what: ReturnType<typeof task>,
  wanted: readonly string[],
  given: Partial<OutcomeFacts> = {},
  others = [first, second, third],
) {
  const reasons = findWaitReasons(what, [what, ...others.filter(({ id }) => id !== what.id)], { ...outcome, ...given });
  expect(reasons.map(({ words }) => words)).toEqual(wanted);
}

test("it is the next one", () => check(first, ["Starts next"]));
test("it waits for other tasks", () => {
  check(task(3, { depends_on: [first.id, second.id] }), ["Waits for #1 and #2"]);
});
test("a skipped or completed task holds nothing up", () => {
  check(task(3, { depends_on: [first.id] }), ["Starts next"], {}, [task(1, { status: "obsolete" })]);
});
test("a failed task blocks it", () => {
  check(task(3, { depends_on: [first.id] }), ["Blocked: #1 failed"], {}, [task(1, { status: "failed" })]);
});
test("it waits for gates as well", () => {
  const gates = [
    { id: "a", kind: "human_approval", label: "Go live", given: null },
    { id: "b", kind: "document_required", label: "Contract", given: "here" },
  ] as const;
  check(task(3, { depends_on: [first.id], gates: [...gates] }), ["Waits for #1", "Will need your approval: Go live"]);
  check(task(3, { gates: [...gates] }), ["Needs your approval: Go live"]);
  check(task(3, { gates: [...gates] }), ["Will need your approval: Go live"], { status: "dormant" });
});
test("all workers are busy", () =>
  check(first, ["Waits for a free worker (1 at a time)"], {}, [task(2, { status: "running" })]));
test("a second worker is free", () => check(first, ["Starts next"], { workers: 2 }, [task(2, { status: "running" })]));
test("a question stops the whole outcome", () => check(first, ["Waits for your answer"], { isWholePaused: true }));
test("a question names the task", () => check(task(1, { status: "paused" }), ["Waits for your answer"]));
test("the outcome is paused", () => check(first, ["The outcome is paused"], { status: "paused" }));
test("the money is spent", () => {
  const metrics = { ...outcome.metrics, cost_total_micro_usd: 2_000_000 };
  check(first, ["The cost limit is reached"], { max_cost_usd: 2, metrics });
});
test("a running task waits for nothing", () => check(task(1, { status: "running" }), []));

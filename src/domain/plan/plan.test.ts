import { expect, test } from "vitest";
import { makeStep, note } from "../../../test/helpers/make-run.ts";
import { advancedSteps, judgePlan, type StepStatus, stepStatuses } from "./plan.ts";

const planOf = (...steps: readonly StepStatus[]) => ({
  steps: steps.map((status, n) => makeStep({ id: `s${n}`, title: `S${n}`, status, evidence: [note] })),
});

test("a plan is complete when each step is done or dropped", () => {
  expect(judgePlan(planOf("done", "dropped"))).toEqual({ isComplete: true });
});
test("a plan whose steps were all dropped is not complete", () => {
  expect(judgePlan(planOf("dropped"))).toEqual({ isComplete: false, open: [] });
});
test("a failed step is open", () => {
  expect(judgePlan(planOf("done", "failed"))).toEqual({ isComplete: false, open: ["S1"] });
});

/** All moves of a step that are progress. */
test("a step gets further by being begun and by being done", () => {
  const moves = stepStatuses.flatMap((from) =>
    stepStatuses.filter((to) => advancedSteps(planOf(from), planOf(to)).length > 0).map((to) => `${from} → ${to}`),
  );
  expect(moves).toEqual(["pending → in_progress", "pending → done", "in_progress → done", "failed → done"]);
});
test("a step that is new gets further only by more than being there", () => {
  expect(advancedSteps({ steps: [] }, planOf("pending", "in_progress", "failed"))).toEqual(["s1"]);
});

import { expect, test } from "vitest";
import { makeStep, note } from "../../../test/helpers/make-run.ts";
import { describeProgress, judgePlan, type StepStatus } from "./plan.ts";

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
test("A3: a plan of optional steps is complete once one of them is done, and not by being optional", () => {
  const optional = makeStep({ isOptional: true, status: "done", evidence: [note] });
  expect(judgePlan({ steps: [optional] })).toEqual({ isComplete: true });
  expect(judgePlan({ steps: [{ ...optional, status: "pending" }] })).toEqual({ isComplete: false, open: [] });
  expect(judgePlan({ steps: [{ ...optional, evidence: [] }] })).toEqual({ isComplete: false, open: [] });
  expect(judgePlan({ steps: [optional, makeStep()] })).toEqual({ isComplete: false, open: ["Write"] });
});

test.each([
  [planOf("done"), "its one step is done"],
  [planOf("done", "done"), "all 2 steps are done"],
  [planOf("done", "done", "dropped"), "2 of 3 steps are done, 1 dropped"],
  [
    {
      steps: [
        ...planOf("done").steps,
        ...planOf("pending", "failed", "done").steps.map((step) => ({ ...step, isOptional: true })),
      ],
    },
    "2 of 4 steps are done, 2 optional and not done",
  ],
])("what is said of a plan counts every step (%#)", (plan, words) => expect(describeProgress(plan)).toBe(words));

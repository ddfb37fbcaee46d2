import { expect, test } from "vitest";
import { makeStep, note } from "../../../test/helpers/make-run.ts";
import { judgePlan, type StepStatus } from "./plan.ts";

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

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
test("A3: a plan of optional steps is complete once one of them is done, and not by being optional", () => {
  const optional = makeStep({ isOptional: true, status: "done", evidence: [note] });
  expect(judgePlan({ steps: [optional] })).toEqual({ isComplete: true });
  expect(judgePlan({ steps: [{ ...optional, status: "pending" }] })).toEqual({ isComplete: false, open: [] });
  expect(judgePlan({ steps: [{ ...optional, evidence: [] }] })).toEqual({ isComplete: false, open: [] });
  expect(judgePlan({ steps: [optional, makeStep()] })).toEqual({ isComplete: false, open: ["Write"] });
});

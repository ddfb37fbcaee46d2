import { expect, test } from "vitest";
import { type PlanStep, placeOf, planLanes, planSentence } from "./plan-rows.ts";

const made = (over: Partial<PlanStep> = {}): PlanStep => ({
  id: "s1",
  title: "Find a hall",
  status: "pending",
  is_optional: false,
  owner: null,
  last_iteration: 0,
  evidence: [],
  ...over,
});

test("steps stand with who works on them, the planner's own first", () => {
  const plan = [
    made({ id: "a", owner: "Halls" }),
    made({ id: "b" }),
    made({ id: "c", owner: "planner" }),
    made({ id: "d", owner: "Halls" }),
  ];
  expect(planLanes(plan).map(({ owner, steps }) => [owner, steps.map(({ id }) => id)])).toEqual([
    ["Planner", ["b", "c"]],
    ["Halls", ["a", "d"]],
  ]);
  expect(planLanes([])).toEqual([]);
});

test.each([
  [0, 1, 0],
  [1, 1, 1],
  [0, 11, 0],
  [1, 11, 0],
  [6, 11, 0.5],
  [11, 11, 1],
  [12, 11, 1],
])("a step last touched in %i of %i stands at %f", (lastIteration, iteration, place) => {
  expect(placeOf(made({ last_iteration: lastIteration }), iteration)).toBe(place);
});

test("the sentence counts every step once", () => {
  const plan = [made({ status: "done" }), made({ status: "in_progress" }), made({ status: "failed" }), made()];
  expect(planSentence(plan)).toBe("1 of 4 steps done, 1 in progress, 1 failed, 1 to do");
  expect(planSentence([made({ status: "done" })])).toBe("1 of 1 step done");
});

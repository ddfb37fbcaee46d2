import { expect, test } from "vitest";
import type { PlanStep } from "../plan/plan.ts";
import type { PlannerAnswer } from "./answer.ts";
import { type PlanFacts, type StepWork, updatePlan } from "./update-plan.ts";

const note = { kind: "document", id: "note" };

const known = (over: Partial<PlanStep> = {}): PlanStep => ({
  id: "s1",
  title: "Find out",
  status: "in_progress",
  isOptional: false,
  owner: null,
  lastIteration: 1,
  evidence: [],
  ...over,
});

type Wanted = PlannerAnswer["plan"]["steps"][number];
const wanted = (over: Partial<Wanted> = {}): Wanted => ({
  id: "s1",
  title: "Find out",
  status: "in_progress",
  owner: "planner",
  optional: false,
  evidence: [],
  ...over,
});

const worked = (over: Partial<StepWork> = {}): StepWork => ({
  stepId: "s1",
  ok: true,
  isFinished: false,
  artifacts: [note],
  ...over,
});

function check(before: readonly PlanStep[], asked: readonly Wanted[], facts: Partial<PlanFacts> = {}) {
  const all = { iteration: 2, work: [], artifacts: new Map([[note.id, note]]), ...facts };
  return updatePlan({ steps: before }, asked, all).steps;
}

test("done with something this run made is done", () =>
  expect(check([known()], [wanted({ status: "done", evidence: ["note"] })])[0]).toMatchObject({
    status: "done",
    evidence: [note],
    lastIteration: 2,
  }));

test("done with somebody else's document is still under way", () =>
  expect(check([known()], [wanted({ status: "done", evidence: ["foreign"] })])[0]).toMatchObject({
    status: "in_progress",
    evidence: [],
  }));

test("done with nothing to show is still under way", () =>
  expect(check([known()], [wanted({ status: "done" })])[0]?.status).toBe("in_progress"));

test("what the work of the step made is its evidence", () =>
  expect(check([known()], [wanted({ status: "done" })], { work: [worked()] })[0]).toMatchObject({
    status: "done",
    evidence: [note],
  }));

test("an executor that finished makes its step done", () =>
  expect(check([known()], [wanted()], { work: [worked({ isFinished: true })] })[0]?.status).toBe("done"));

test("an executor that finished without making anything leaves it under way", () =>
  expect(check([known()], [wanted()], { work: [worked({ isFinished: true, artifacts: [] })] })[0]?.status).toBe(
    "in_progress",
  ));

test("where all of its work failed, a step has failed, whatever the planner says", () =>
  expect(
    check([known({ evidence: [note] })], [wanted({ status: "done" })], {
      work: [worked({ ok: false, artifacts: [] })],
    })[0]?.status,
  ).toBe("failed"));

test("where some of its work failed, a step is not done", () =>
  expect(
    check([known()], [wanted({ status: "done" })], { work: [worked(), worked({ ok: false, artifacts: [] })] })[0]
      ?.status,
  ).toBe("in_progress"));

test("what the planner leaves out stays as it was", () =>
  expect(
    check([known({ status: "done", evidence: [note] }), known({ id: "s2" })], [wanted({ id: "s2" })]),
  ).toMatchObject([{ id: "s1", status: "done" }, { id: "s2" }]));

test("known steps keep their places and new ones follow", () =>
  expect(
    check([known(), known({ id: "s2" })], [wanted({ id: "new" }), wanted({ id: "s2" }), wanted()]).map(({ id }) => id),
  ).toEqual(["s1", "s2", "new"]));

test("a step that counts cannot be made optional afterwards", () =>
  expect(check([known()], [wanted({ optional: true })])[0]?.isOptional).toBe(false));

test("a plan stays readable: 40 steps at most", () => {
  const many = Array.from({ length: 60 }, (_, n) => wanted({ id: `s${n}` }));
  expect(check([], many)).toHaveLength(40);
});

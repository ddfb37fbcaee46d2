import { expect, test } from "vitest";
import type { PlanStep } from "../plan/plan.ts";
import type { WantedStep } from "./answer.ts";
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

type Wanted = WantedStep;
const wanted = (over: Partial<Wanted> = {}): Wanted => ({
  id: "s1",
  title: "Find out",
  status: "in_progress",
  optional: false,
  evidence: [],
  ...over,
});

const worked = (over: Partial<StepWork> = {}): StepWork => ({ stepId: "s1", artifacts: [note], ...over });

function check(before: readonly PlanStep[], asked: readonly Wanted[], facts: Partial<PlanFacts> = {}) {
  const all = { iteration: 2, work: [], artifacts: new Map([[note.id, note]]), ...facts };
  return updatePlan({ steps: before }, asked, all).plan.steps;
}

const refused = (before: readonly PlanStep[], asked: readonly Wanted[]) =>
  updatePlan({ steps: before }, asked, { iteration: 2, work: [], artifacts: new Map([[note.id, note]]) }).refused;

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

test("an executor's success is evidence for its step, and not its end", () =>
  expect(check([known()], [wanted()], { work: [worked()] })[0]).toMatchObject({
    status: "in_progress",
    evidence: [note],
  }));

test("a step that was worked on without being named has begun", () =>
  expect(check([known({ status: "pending" })], [], { work: [worked()] })[0]).toMatchObject({
    status: "in_progress",
    evidence: [note],
  }));

test("a step that nothing was made for stays as it was", () =>
  expect(check([known({ status: "pending" })], [], { work: [worked({ artifacts: [] })] })[0]?.status).toBe("pending"));

test("the planner is told why a step is not done", () =>
  expect(refused([known()], [wanted({ status: "done" })])).toEqual([expect.stringContaining('"s1" is not done yet')]));

test("the planner is told what is no evidence", () =>
  expect(refused([known()], [wanted({ evidence: ["foreign", "note"] })])).toEqual([
    'Step "s1": foreign cannot be evidence, because this run did not make or change it.',
  ]));

test("nothing is refused of a step that is done with an artifact", () =>
  expect(refused([known()], [wanted({ status: "done", evidence: ["note"] })])).toEqual([]));

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

const many = (count: number) => Array.from({ length: count }, (_, n) => wanted({ id: `s${n}` }));

test("the 41st step is refused in words", () => {
  expect(check([], many(41))).toHaveLength(40);
  expect(refused([], many(41))).toEqual([expect.stringContaining('"s40" was not added: a plan has at most 40 steps')]);
});
test("40 steps are taken without a word", () => expect(refused([], many(40))).toEqual([]));

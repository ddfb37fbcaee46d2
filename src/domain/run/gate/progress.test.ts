import { expect, test } from "vitest";
import {
  idle,
  makeCheck,
  makeClaim,
  makeProof,
  makeResult,
  makeRun,
  makeStep,
} from "../../../../test/helpers/make-run.ts";
import type { StepStatus } from "../../plan/plan.ts";
import { stepStatuses } from "../../plan/plan.ts";
import type { WorkedIteration } from "../iteration-result.ts";
import { noBest } from "./best.ts";
import { advancedSteps, bestAfter, findNewStates, hasProgressed } from "./progress.ts";

/** For each iteration of a run, whether it got further. Nothing is written but what is said. */
function play(...results: readonly Partial<WorkedIteration>[]): readonly boolean[] {
  let run = makeRun();
  return results.map((over) => {
    const result = makeResult({ progress: idle, proofs: [], ...over });
    const isFurther = hasProgressed(run, result);
    run = { ...run, best: bestAfter(run, result) };
    return isFurther;
  });
}

const step = (status: StepStatus, id = "s") => ({ plan: { steps: [makeStep({ id, status })] } });
const remaining = (count: number) => ({
  claim: makeClaim({ exitSignal: false, remainingWork: Array(count).fill("x") }),
});

test("less remaining work than ever is progress, the same less again is not", () =>
  expect(play(...[5, 4, 5, 4, 3].map(remaining))).toEqual([false, true, false, false, true]));
test("after a message of the user the least that remains begins anew", () =>
  expect(play(remaining(2), { ...remaining(6), heard: 1 }, remaining(5))).toEqual([false, false, true]));

test("a step that is begun and put back gets no further by being begun again", () =>
  expect(
    play(...(["pending", "in_progress", "pending", "in_progress", "done"] as const).map((each) => step(each))),
  ).toEqual([false, true, false, false, true]));
test("a new step under way is no progress, a new step done is", () =>
  expect(play(step("in_progress", "a"), step("in_progress", "b"), step("done", "c"))).toEqual([false, false, true]));
test("giving a step up is no progress", () => expect(play(step("pending"), step("dropped"))).toEqual([false, false]));

test("a check is progress when it is green for the first time", () => {
  const proofs = (isGreen: boolean) => ({ proofs: [makeProof({ checkId: makeCheck().id, isGreen })] });
  expect(play(...[false, true, false, true].map(proofs))).toEqual([false, true, false, false]);
});

/** All moves of a step that are progress. */
test("a step gets further by being begun and by being done", () => {
  const from = (status: StepStatus) => bestAfter(makeRun(), makeResult(step(status)));
  const moves = stepStatuses.flatMap((before) =>
    stepStatuses.filter((to) => advancedSteps(from(before), step(to).plan).length > 0).map((to) => `${before} → ${to}`),
  );
  expect(moves).toEqual(["pending → in_progress", "pending → done", "in_progress → done", "failed → done"]);
});

test("content that was never there is new", () =>
  expect(findNewStates(noBest, [{ before: null, now: "a" }])).toEqual({ entitiesWritten: 1, states: ["a"] }));
test("content as it was before the run is not new, though it was written", () =>
  expect(findNewStates(noBest, [{ before: "a", now: "a" }]).entitiesWritten).toBe(0));
test("content that goes back to what it was is not new", () =>
  expect(findNewStates({ states: ["a", "b"] }, [{ before: "old", now: "a" }]).entitiesWritten).toBe(0));
test("what a run has seen is bounded", () => {
  const many = Array.from({ length: 700 }, (_, n) => `state ${n}`);
  const { states } = bestAfter(makeRun(), makeResult({ progress: { entitiesWritten: 1, states: many } }));
  expect([states.length, states.at(-1)]).toEqual([500, "state 699"]);
});

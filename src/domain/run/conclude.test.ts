// Whole runs through the rules: what a trial of version 0.4.0 showed, and for each its neighbour that comes out otherwise.

import { expect, test } from "vitest";
import {
  failure,
  idle,
  makeCheck,
  makeClaim,
  makeProof,
  makeResult,
  makeRun,
  makeStep,
  note,
} from "../../../test/helpers/make-run.ts";
import { planCheck } from "./checks/adopt.ts";
import { conclude } from "./conclude.ts";
import { defaultBreakers } from "./gate/breakers.ts";
import type { WorkedIteration } from "./iteration-result.ts";
import type { Run, RunningRun } from "./run.ts";

type Played = Partial<WorkedIteration>;

function play(results: readonly Played[], over: Partial<RunningRun> = {}) {
  let run: Run = makeRun(over);
  const decisions: string[] = [];
  for (const result of results) {
    if (run.state.status !== "running") break;
    const { decision, move } = conclude({ ...run, state: run.state }, makeResult(result), defaultBreakers);
    decisions.push(decision.kind === "stop" ? `stop: ${decision.reason}` : decision.kind);
    run = move.run;
  }
  return { decisions, run };
}

const times = <T>(count: number, what: T): readonly T[] => Array.from({ length: count }, () => what);
const green = [makeProof()];
const stuck: Played = { progress: idle };

// A1: never against the model's word.
const donePlan = { steps: [makeStep({ status: "done", evidence: [note] })] };
const left = makeClaim({ exitSignal: false, remainingWork: ["chapters 2 to 5"] });
test("a run whose model names what remains is not completed, however green it is", () =>
  expect(play(times(2, { claim: left, plan: donePlan, proofs: green })).decisions).toEqual(["continue", "continue"]));
test("a run whose model says that it is done, and is, is completed", () =>
  expect(play([{ claim: makeClaim(), plan: donePlan, proofs: green }]).decisions).toEqual(["complete"]));

// A6: a judge alone.
const opinion = makeCheck({ id: "user_1", deliverableId: null, target: { kind: "judge", rubric: "Good" } });
const agreed = [makeProof({ checkId: "user_1" }), makeProof({ checkId: planCheck.id })];
test("a user's lone judge does not complete a run with its plan", () =>
  expect(
    play([{ claim: makeClaim(), plan: donePlan, proofs: agreed }], { deliverables: [], checks: [opinion, planCheck] })
      .decisions,
  ).toEqual(["continue"]));
test("a user's judge beside a measure does", () => {
  const checks = [opinion, planCheck, makeCheck()];
  expect(play([{ claim: makeClaim(), proofs: [...agreed, ...green] }], { checks }).decisions).toEqual(["complete"]);
});

// C: what stops a run, and what does not.
test("five change requests in a row are not standing still", () =>
  expect(play(times(5, { ...stuck, heard: 1 })).decisions).toEqual(times(5, "continue")));
test("standing still without a word of the user is", () =>
  expect(play(times(5, stuck)).decisions).toEqual(["continue", "continue", "continue", "stop: no_progress"]));
test("a message after the iteration to recover buys a whole new row", () => {
  const { decisions } = play([...times(3, stuck), { ...stuck, heard: 1 }, ...times(4, stuck)]);
  expect(decisions).toEqual([...times(7, "continue"), "stop: no_progress"]);
});
test("waiting for an answer is not standing still", () => {
  const question = { id: "q", kind: "question", text: "Which?", options: [] } as const;
  expect(play([stuck, { ...stuck, questions: [question] }]).run.streaks.noProgress).toBe(1);
});
test("a chapter in every iteration is work, though each wants the next chapter", () =>
  expect(play(times(6, { actions: "write the next chapter" })).decisions).toEqual(times(6, "continue")));
test("remaining work that goes up and down is not progress", () => {
  const remains = (count: number): Played => ({
    ...stuck,
    claim: makeClaim({ exitSignal: false, remainingWork: Array<string>(count).fill("x") }),
  });
  expect(play([5, 4, 5, 4, 5, 4].map(remains)).decisions).toEqual([...times(5, "continue"), "stop: no_progress"]);
});
test("a provider that refuses every request is named as the cause", () => {
  const tooLong: Played = { ...stuck, claim: null, error: failure("400: context length exceeded") };
  const { decisions, run } = play(times(5, tooLong));
  expect(decisions.at(-1)).toBe("stop: same_error");
  expect(run.state).toMatchObject({ detail: expect.stringContaining("400: context length exceeded") });
});

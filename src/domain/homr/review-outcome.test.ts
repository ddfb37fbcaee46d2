import { expect, test } from "vitest";
import { makeEscalation, makeOutcome, makeState, makeTask, makeWorld } from "../../../test/helpers/make-outcome.ts";
import { intervene } from "./commands/outcome-commands.ts";
import type { Outcome } from "./outcome.ts";
import type { OutcomeState } from "./outcome-state.ts";
import type { Escalation } from "./questions/escalation.ts";
import { answerEscalation } from "./questions/resolve.ts";
import { applyReview, missReview, type OutcomeReview } from "./review-outcome.ts";
import { type OutcomeTask, openTasksMax } from "./tasks/task.ts";

const done = makeTask(1, { status: "completed" });
const clean: OutcomeReview = { cycle: 1, findings: [], redChecks: [], summary: "All is well", gaps: [] };
const found = (description: string) => ({ description, severity: "high", evidence: "line 3" }) as const;

function check(review: Partial<OutcomeReview>, outcome: Partial<Outcome> = {}, tasks: readonly OutcomeTask[] = [done]) {
  const move = applyReview(makeState({ outcome: makeOutcome(outcome), tasks }), { ...clean, ...review }, makeWorld());
  return {
    ...move,
    outcome: move.state.outcome,
    task: move.state.tasks.at(-1),
    kinds: move.effects.map(({ kind }) => kind),
  };
}

test("a first clean review is followed by a second", () => {
  const { outcome, kinds, isClean } = check({});
  expect(outcome).toMatchObject({ status: "active", cleanReviews: 1 });
  expect(kinds).toEqual(["log", "review"]);
  expect(isClean).toBe(true);
});
test("after the second one the outcome is achieved, and its owner told", () => {
  const { outcome, effects } = check({}, { cleanReviews: 1 });
  expect(outcome).toMatchObject({ status: "achieved", cleanReviews: 2 });
  expect(effects.at(-1)).toEqual({ kind: "notify_owner", about: "achieved", id: "outcome_1" });
});
test("questions end with the outcome, and not before", () => {
  const beside = makeEscalation({ pauses: false });
  const after = (cleanReviews: number) =>
    applyReview(
      makeState({ outcome: makeOutcome({ cleanReviews }), tasks: [done], escalations: [beside] }),
      clean,
      makeWorld(),
    );
  expect(after(0).state.escalations).toEqual([beside]);
  const { state } = after(1);
  expect(state.escalations[0]?.state).toMatchObject({ status: "dismissed", why: "the outcome is achieved" });
  const late = answerEscalation(
    state,
    { escalationId: beside.id, option: "plain", additionalContext: "" },
    makeWorld(),
  );
  expect(late).toEqual({ isDone: false, why: "This question was closed already: the outcome is achieved" });
});
test("what only people can do keeps nothing open, and its owner reads of it", () => {
  const { outcome, effects } = check({ gaps: ["Ask the insurer"] }, { cleanReviews: 1 });
  expect(outcome.status).toBe("achieved");
  expect(effects[0]).toMatchObject({
    kind: "log",
    activity: {
      summary: "The review found nothing to fix (2 of 2). Left to you: Ask the insurer",
      details: { gaps: ["Ask the insurer"] },
    },
  });
});
const miss = (tries: number, outcome: Partial<Outcome> = {}) =>
  missReview(
    makeState({ outcome: makeOutcome(outcome), tasks: [done] }),
    { cycle: 1, tries, why: "the key is refused" },
    makeWorld(),
  );
test("a review that could not be made is told with its reason, and counts as none", () => {
  const { state, effects } = miss(1, { cleanReviews: 1 });
  expect(state.outcome).toMatchObject({ status: "active", cleanReviews: 1 });
  expect(effects).toMatchObject([
    { kind: "log", activity: { summary: "Review 1 could not be made: the key is refused" } },
  ]);
});
test("after three of them the owner is asked, and after three more again", () => {
  const asks = (tries: number) => miss(tries).effects.some(({ kind }) => kind === "notify_owner");
  expect([1, 2, 3, 4, 5, 6].map(asks)).toEqual([false, false, true, false, false, true]);
  const [asked] = miss(3).state.escalations;
  expect(asked).toMatchObject({ evidence: ["the key is refused"], pauses: true, isWholeOutcome: true });
  expect(asked?.options.map(({ id }) => id)).toEqual(["continue", "pause"]);
});
test("of an outcome that does not run any more a missed review says nothing", () =>
  expect(miss(3, { status: "paused" }).effects).toEqual([]));
test("all that a review found is one task, and reviews begin anew", () => {
  const { outcome, task, taskId } = check({ findings: [found("No price"), found("No form")] }, { cleanReviews: 1 });
  expect(outcome.cleanReviews).toBe(0);
  expect(task).toMatchObject({ id: taskId, madeBy: "reviewer", priority: 1, isTainted: true, status: "running" });
  expect(task?.description).toBe("1. (high) No price Seen: line 3\n2. (high) No form Seen: line 3");
});
test("a red acceptance check is a finding, whatever the review says", () => {
  const { task, isClean, outcome } = check({ redChecks: ["500 words"] }, { cleanReviews: 1 });
  expect(isClean).toBe(false);
  expect(outcome.status).toBe("active");
  expect(task?.description).toContain("500 words");
});
test("a clean review does not count while there are new tasks", () => {
  const { outcome } = check({}, { cleanReviews: 1 }, [done, makeTask(2)]);
  expect(outcome).toMatchObject({ status: "active", cleanReviews: 0 });
});
test("a clean review that was under way when the owner said something does not count, and two more are needed", () => {
  const first = makeState({ outcome: makeOutcome({ cleanReviews: 1 }), tasks: [done] });
  const told = intervene(first, { type: "redirect", message: "The tent costs more now", taskId: null }, makeWorld());
  if (!told.isDone) throw new Error(told.why);
  let state = told.move.state;
  const reviews = [1, 2, 3].map((cycle) => {
    state = applyReview(state, { ...clean, cycle }, makeWorld()).state;
    return state;
  });
  expect(reviews.map(({ outcome: { status, cleanReviews } }) => [status, cleanReviews])).toEqual([
    ["active", 0],
    ["active", 1],
    ["achieved", 2],
  ]);
});
const asked = { observationId: "observation_1", affectedTasks: [], pauses: false };
const asking = (over: Partial<Escalation>) =>
  makeState({
    outcome: makeOutcome({ cleanReviews: 1 }),
    tasks: [done],
    escalations: [makeEscalation({ ...asked, ...over })],
  });
const whatCounts = (state: OutcomeState) => {
  const { outcome } = applyReview(state, clean, makeWorld()).state;
  return [outcome.status, outcome.cleanReviews];
};
const answered = (over: Partial<Escalation>, additionalContext: string) => {
  const given = { escalationId: "escalation_1", option: "plain", additionalContext };
  const answer = answerEscalation(asking(over), given, makeWorld());
  if (!answer.isDone) throw new Error(answer.why);
  return answer.move.state;
};
test("a clean review that was under way when a question about the work was answered does not count", () =>
  expect(whatCounts(answered({}, ""))).toEqual(["active", 0]));
test("nor when words were added to the answer of a question how to go on; the answer alone changes nothing", () => {
  expect(whatCounts(answered({ observationId: null }, "It has to be cheap"))).toEqual(["active", 0]);
  expect(whatCounts(answered({ observationId: null }, ""))).toEqual(["achieved", 2]);
});
test("a clean review does not count while work waits for an answer; a question beside the work holds up nothing", () => {
  expect(whatCounts(asking({ pauses: true }))).toEqual(["active", 0]);
  expect(whatCounts(asking({}))).toEqual(["achieved", 2]);
});
test.each(["paused", "archived", "dormant", "achieved"] as const)(
  "of an outcome that is %s by now it changes nothing",
  (status) => {
    const { state, kinds } = check({ findings: [found("No price")] }, { status });
    expect(state.tasks).toEqual([done]);
    expect(kinds).toEqual(["log"]);
  },
);
test("a thousand findings are one task of bounded size", () => {
  const { task } = check({ findings: Array.from({ length: 1_000 }, () => found("x".repeat(2_000))) });
  expect(task?.description.split("\n")).toHaveLength(51);
  expect(task?.description).toContain("And 950 more.");
});
test("without a place for another task the findings stay in the log", () => {
  const full = Array.from({ length: openTasksMax }, (_, index) => makeTask(index + 1));
  const { state, taskId, kinds } = check({ findings: [found("No price")] }, {}, full);
  expect(state.tasks).toHaveLength(openTasksMax);
  expect(taskId).toBe(null);
  expect(kinds[0]).toBe("log");
});
test("after ten reviews a person is asked, and nothing begins before the answer", () => {
  const asked = check({ cycle: 10, findings: [found("No price")] });
  expect(asked.state.escalations).toMatchObject([{ trigger: "stuck", isWholeOutcome: true, pauses: true }]);
  expect(asked.task?.status).toBe("pending");
  expect(check({ cycle: 9, findings: [found("No price")] }).state.escalations).toEqual([]);
});

import { expect, test } from "vitest";
import { makeObservation, makeState, makeTask, taskId } from "../../../../test/helpers/make-outcome.ts";
import {
  observationAnswer,
  readObservation,
  ruleObservation,
  shouldObserve,
  summarizeObservation,
} from "./read-observation.ts";

const plain = { onTrack: true, alignmentScore: 92, quality: "good", summary: "Well done" };
const discovery = { type: "constraint", content: "100 calls a minute", relevantTasks: [2], source: "the end" };

function read(more: object, state = makeState()) {
  const done = readObservation({ ...plain, ...more }, state);
  if (!done.isRead) throw new Error(done.why);
  return done;
}

test("lists that are missing are empty", () => {
  expect(read({})).toEqual({
    isRead: true,
    leftOut: [],
    result: { ...plain, drift: [], issues: [], discoveries: [], decisions: [], ambiguity: null, wishes: [] },
  });
});

test.each([
  ["no object", "Well done", "it: "],
  ["no summary", { ...plain, summary: "  " }, "summary: "],
  ["an unknown quality", { ...plain, quality: "superb" }, "quality: "],
  ["no judgement", { ...plain, onTrack: undefined }, "onTrack: "],
  ["an ambiguity without a description", { ...plain, ambiguity: { type: "blocking_decision" } }, "description: "],
])("%s cannot be used, and it is said why", (_name, answer, why) => {
  expect(readObservation(answer, makeState())).toEqual({ isRead: false, why: expect.stringContaining(why) });
});

test("a model that is asked again gets the same sentence", () => {
  const parsed = observationAnswer(makeState()).safeParse({ ...plain, quality: "superb" });
  expect(parsed.error?.issues[0]?.message).toContain("quality");
  expect(observationAnswer(makeState()).parse(plain).result.summary).toBe("Well done");
});

test("tasks that do not exist are left out, and that is told", () => {
  const { result, leftOut } = read({ discoveries: [{ ...discovery, relevantTasks: [2, 99] }] });
  expect(result.discoveries[0]?.relevantTasks).toEqual([2]);
  expect(leftOut).toEqual(["discoveries[0] names #99, which is no open task of this outcome"]);
});

test("a wish about a task that does not exist is left out", () => {
  const reason = "done twice";
  const { result, leftOut } = read({
    wishes: [
      { type: "mark_obsolete", task: 99, reason },
      { type: "add_dependency", task: 2, dependsOn: 98, reason },
      { type: "mark_obsolete", task: 4, reason },
    ],
  });
  expect(result.wishes).toEqual([{ type: "mark_obsolete", task: 4, reason }]);
  expect(leftOut).toHaveLength(2);
});

test("a question that names only unknown tasks is still a question", () => {
  const ambiguity = { type: "blocking_decision", description: "A or B?", evidence: [], affectedTasks: [77] };
  const { result } = read({ ambiguity: { ...ambiguity, suggestedQuestion: "Which?" } });
  expect(result.ambiguity).toMatchObject({ description: "A or B?", affectedTasks: [] });
});

test.each([null, false, { detected: false }])("%j is no ambiguity", (ambiguity) =>
  expect(read({ ambiguity }).result.ambiguity).toBeNull(),
);

test("of 10,000 discoveries twenty are read", () => {
  const discoveries = Array.from({ length: 10_000 }, (_, n) => ({ ...discovery, content: `Fact ${n}` }));
  const { result, leftOut } = read({ discoveries });
  expect(result.discoveries).toHaveLength(20);
  expect(leftOut).toEqual(["discoveries has 10000 items; the first 20 are read"]);
});

test("of 10,000 broken ones what is told is bounded, too", () => {
  const { result, leftOut } = read({
    discoveries: Array.from({ length: 10_000 }, () => ({ type: "x".repeat(9_000) })),
    drift: Array.from({ length: 10_000 }, () => null),
  });
  expect(result.discoveries).toEqual([]);
  expect(leftOut.length).toBeLessThanOrEqual(21);
  expect(leftOut.join("").length).toBeLessThan(10_000);
});

test("texts that are too long are cut", () => {
  const { result, leftOut } = read({ discoveries: [{ ...discovery, content: "x".repeat(5_000) }] });
  expect(result.discoveries[0]?.content).toHaveLength(2_000);
  expect(leftOut).toEqual(["discoveries[0]: content was cut to 2000"]);
});

test("a number may be written as people write it", () => {
  expect(
    read({ discoveries: [{ ...discovery, relevantTasks: ["#2", "3", "*"] }] }).result.discoveries[0],
  ).toMatchObject({ relevantTasks: [2, 3, "*"] });
});

test("an item that does not fit does not spoil its neighbours", () => {
  const { result, leftOut } = read({ discoveries: [{ ...discovery, type: "rumour" }, discovery] });
  expect(result.discoveries).toEqual([discovery]);
  expect(leftOut).toHaveLength(1);
});

test.each([
  [130.4, 100],
  [-5, 0],
  [49.6, 50],
])("a score of %d is %d", (alignmentScore, kept) => expect(read({ alignmentScore }).result.alignmentScore).toBe(kept));

test("without a model, an attempt that passed its checks counts as healthy and one that failed does not", () => {
  const facts = { taskId: taskId(1), why: "2 of 2 checks passed" };
  const good = ruleObservation({ ...facts, hasSucceeded: true }, "no key");
  expect(good).toMatchObject({ onTrack: true, alignmentScore: 70, quality: "good" });
  expect(good.summary).toBe("The attempt passed its checks: 2 of 2 checks passed. No model observed it: no key");
  expect(ruleObservation({ ...facts, hasSucceeded: false }, "no key")).toMatchObject({
    onTrack: false,
    alignmentScore: 40,
    quality: "needs_work",
  });
});

const good = { taskId: taskId(1), hasSucceeded: true };

test("every end is observed", () => expect(shouldObserve(makeState(), good)).toBe(true));

test("a failure is observed also where not every task is", () => {
  const state = makeState({}, { observeAfterEveryTask: false });
  expect(shouldObserve(state, good)).toBe(false);
  expect(shouldObserve(state, { ...good, hasSucceeded: false })).toBe(true);
});

test("so is the last open task", () => {
  const state = makeState({ tasks: [makeTask(1, { status: "completed" })] }, { observeAfterEveryTask: false });
  expect(shouldObserve(state, good)).toBe(true);
});

test("what is remembered names each type of drift once", () => {
  const drift = { type: "scope_creep", description: "a", severity: "low", evidence: "" } as const;
  expect(summarizeObservation(makeObservation({ drift: [drift, drift] })).driftTypes).toEqual(["scope_creep"]);
});

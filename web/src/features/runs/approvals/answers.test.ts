import { expect, test } from "vitest";
import type { Question } from "../../../../../src/protocol/run-view.ts";
import { type Answers, approve, change, missingAnswers, readAnswers, reject, toBody } from "./answers.ts";

const plain: Question = { id: "q1", kind: "question", text: "Which hall?", options: ["north", "south"] };
const plan: Question = { id: "plan", kind: "approve_plan", text: "This plan?", options: [] };
const writes: Question = { id: "w", kind: "approve_writes", text: "These?", options: [] };

const sent = (question: Question, answers: Answers) => toBody([question], answers)[0]?.text;

test("an option alone is the answer", () => expect(sent(plain, { q1: { option: "north", words: "" } })).toBe("north"));

test("words alone are the answer", () =>
  expect(sent(plain, { q1: { option: null, words: " neither " } })).toBe("neither"));

test("words beside an option go with it", () =>
  expect(sent(plain, { q1: { option: "north", words: "if it is free" } })).toBe("north: if it is free"));

test("a yes to a plan is nothing but a yes, whatever was typed before", () =>
  expect(sent(plan, { plan: { option: approve, words: "more steps" } })).toBe("approve"));

test("a no to a plan is nothing but a no", () =>
  expect(sent(plan, { plan: { option: reject, words: "" } })).toBe("reject"));

test("a wish for another plan is the wish", () =>
  expect(sent(plan, { plan: { option: change, words: "more steps" } })).toBe("more steps"));

test("a wish without words is missing", () =>
  expect(missingAnswers([plan], { plan: { option: change, words: " " } })).toBe(1));

test("every question wants an answer, changes are decided elsewhere", () =>
  expect(missingAnswers([plain, plan, writes], {})).toBe(2));

test("changes are not answered in words", () => expect(toBody([writes], {})).toEqual([]));

test("what was kept over a reload is what was given", () => {
  const given: Answers = { q1: { option: "north", words: "" }, plan: { option: null, words: "more steps" } };
  expect(readAnswers(JSON.parse(JSON.stringify(given)))).toEqual(given);
});

test.each([null, "x", 4, [], {}, { q1: null }, { q1: { option: 3, words: "" } }, { q1: { option: null } }])(
  "%j was never an answer",
  (kept) => expect(readAnswers(kept)).toEqual({}),
);

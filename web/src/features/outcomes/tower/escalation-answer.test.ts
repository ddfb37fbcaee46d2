import { expect, test } from "vitest";
import { makeWireEscalation } from "../../../../../test/helpers/cli-outcomes.ts";
import { endWords, missingOf, pausedWords, readAnswer, toAnswerBody } from "./escalation-answer.ts";

const draft = { option: "plain", words: "", isThinking: false };
const at = "2030-03-17T17:45:40Z";

test("an option is enough; words of one's own are needed where none was chosen", () => {
  expect(missingOf(draft)).toBeNull();
  expect(missingOf({ ...draft, option: null, words: "Both" })).toBe("Choose an option first");
  expect(missingOf({ ...draft, option: "own_words", words: " " })).toBe("Write your answer first");
  expect(missingOf({ ...draft, option: "own_words", words: "Both" })).toBeNull();
});

test("words are sent where there are any", () => {
  expect(toAnswerBody(draft)).toEqual({ selected_option: "plain" });
  expect(toAnswerBody({ ...draft, words: " Soon " })).toEqual({ selected_option: "plain", additional_context: "Soon" });
});

test("what waits is named", () => {
  expect(pausedWords(makeWireEscalation())).toBe("Paused until you answer: task #2. Other tasks go on.");
  expect(pausedWords(makeWireEscalation({ affected_numbers: [2, 5] }))).toMatch("tasks #2, #5");
  expect(pausedWords(makeWireEscalation({ is_whole_outcome: true }))).toBe("No task starts until you answer.");
  expect(pausedWords(makeWireEscalation({ pauses: false }))).toBe("The work goes on meanwhile.");
});

test("the end says who decided", () => {
  const answer = { selected_option: "plain", additional_context: "", by: "deadline", answered_at: at } as const;
  expect(endWords(makeWireEscalation())).toBeNull();
  expect(endWords(makeWireEscalation({ answer }))).toBe("Chosen at the deadline: A plain form");
  const own = { ...answer, selected_option: "own_words", additional_context: "Both", by: "human" as const };
  expect(endWords(makeWireEscalation({ answer: own }))).toBe("You answered: Both");
  expect(endWords(makeWireEscalation({ dismissed: { at, why: "Too late" } }))).toBe("Dismissed: Too late");
});

test("a kept draft of another shape is an empty one", () =>
  expect(readAnswer({ option: 3, words: null })).toEqual({ option: null, words: "", isThinking: false }));

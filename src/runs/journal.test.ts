import { expect, test } from "vitest";
import { StepJournal } from "./journal.ts";
import type { Claim, JournaledStep, StepStore } from "./ports/run-store.ts";

const entry = (over: Partial<JournaledStep>): JournaledStep => ({
  key: "llm:0",
  lane: "planner",
  kind: "model",
  state: "done",
  result: { result: "x", artifacts: [] },
  handle: null,
  ...over,
});

/** What an attempt knows that begins with this journal and asks nothing of its store. */
function factsOf(...journal: readonly JournaledStep[]) {
  const taken = { claim: {} as Claim, journal };
  const env = { newId: () => "", now: () => 0 };
  return new StepJournal({} as StepStore<never>, taken, new AbortController().signal, env).facts();
}

test.each([
  ["an answer of the planner", entry({})],
  ["an answer of an executor", entry({ key: "exec:1/llm:0", lane: "exec:1" })],
  ["an effect", entry({ key: "tool:0", kind: "effect", state: "intended" })],
])("%s has begun the work", (_name, step) => expect(factsOf(step).hasBegun).toBe(true));

// What the user said would otherwise count as heard in an iteration that a hard limit kept from asking anything.
test.each([
  ["an opening", entry({ key: "opening", kind: "platform", lane: "platform" })],
  ["the narrative of an end that was not committed", entry({ key: "report", lane: "platform" })],
  ["the answer of a judge", entry({ key: "judge:d1", lane: "judge" })],
])("%s has not", (_name, step) => {
  expect(factsOf().hasBegun).toBe(false);
  expect(factsOf(step).hasBegun).toBe(false);
});

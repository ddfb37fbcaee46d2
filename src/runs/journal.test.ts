import { expect, test } from "vitest";
import { StoredJournal } from "./journal.ts";
import type { JournalEntry, JournalStore, Lease } from "./ports/run-store.ts";

const entry = (over: Partial<JournalEntry>): JournalEntry => ({
  key: "llm:0",
  lane: "planner",
  kind: "model",
  state: "done",
  result: { result: "x", artifacts: [] },
  handle: null,
  ...over,
});

/** What an attempt knows that begins with this journal and asks nothing of its store. */
function factsOf(...journal: readonly JournalEntry[]) {
  const taken = { lease: {} as Lease, journal };
  const env = { newId: () => "", now: () => 0 };
  return new StoredJournal({} as JournalStore<never>, taken, new AbortController().signal, env).facts();
}

test.each([
  ["an answer of the planner", entry({})],
  ["an answer of an executor", entry({ key: "exec:1/llm:0", lane: "exec:1" })],
  ["an effect", entry({ key: "tool:0", kind: "effect", state: "intended" })],
])("%s has begun the work", (_name, entry) => expect(factsOf(entry).hasBegun).toBe(true));

// What the user said would otherwise count as heard in an iteration that a hard limit kept from asking anything.
test.each([
  ["an opening", entry({ key: "opening", kind: "platform", lane: "platform" })],
  ["the narrative of an end that was not committed", entry({ key: "report", lane: "platform" })],
  ["the answer of a judge", entry({ key: "judge:d1", lane: "judge" })],
])("%s has not", (_name, entry) => {
  expect(factsOf().hasBegun).toBe(false);
  expect(factsOf(entry).hasBegun).toBe(false);
});

import { expect, test } from "vitest";
import { makeWorld, taskId } from "../../../../test/helpers/make-outcome.ts";
import { type Discovery, emptyContext } from "./context.ts";
import { learnFrom, type OfferedMemory, offerMemories, weighMemory } from "./memory.ts";

const discovery = (over: Partial<Discovery> = {}): Discovery => ({
  id: "d1",
  type: "constraint",
  content: "The API allows 100 calls a minute",
  sourceTaskId: taskId(1),
  atMs: 1,
  isTainted: false,
  audience: "every",
  resolvedAtMs: null,
  memoryId: null,
  ...over,
});

test.each([
  ["blocker", "lesson", "critical"],
  ["constraint", "fact", "high"],
  ["dependency", "fact", "medium"],
  ["decision", "decision", "high"],
  ["pattern", "pattern", "medium"],
] as const)("a %s is remembered as a %s of %s importance", (type, remembered, importance) => {
  expect(learnFrom(discovery({ type }))).toMatchObject({ type: remembered, importance, confidence: 0.8 });
});

test("what is too short to be understood elsewhere is not", () =>
  expect(learnFrom(discovery({ content: "x".repeat(19) }))).toBeNull());
test("nor what comes from the memory itself", () => expect(learnFrom(discovery({ memoryId: "m" }))).toBeNull());
test("nor what says how much was left out", () => expect(learnFrom(discovery({ sourceTaskId: null }))).toBeNull());
test("words of strangers are marked and trusted less", () =>
  expect(learnFrom(discovery({ isTainted: true }))).toMatchObject({ isTainted: true, confidence: 0.5 }));

const weighed = { confidence: 0.5, timesUsed: 1, timesHelped: 1 };
test("it helped", () => expect(weighMemory(weighed, true)).toEqual({ confidence: 0.55, timesUsed: 2, timesHelped: 2 }));
test("it did not", () =>
  expect(weighMemory(weighed, false)).toEqual({ confidence: 0.4, timesUsed: 2, timesHelped: 1 }));
test("trust has its bounds", () => {
  expect(weighMemory({ ...weighed, confidence: 0.98 }, true).confidence).toBe(1);
  expect(weighMemory({ ...weighed, confidence: 0.05 }, false).confidence).toBe(0);
});

const memory = (id: string, over: Partial<OfferedMemory> = {}): OfferedMemory => ({
  id,
  type: "fact",
  importance: "medium",
  content: `Known: ${id} and some more`,
  confidence: 0.8,
  isTainted: false,
  match: 0.5,
  ...over,
});
const offer = (...memories: OfferedMemory[]) =>
  offerMemories(emptyContext, memories, makeWorld()).discoveries.map(({ memoryId }) => memoryId);

test("a memory is offered to every task, with where it is from", () => {
  expect(offerMemories(emptyContext, [memory("m", { isTainted: true })], makeWorld()).discoveries).toEqual([
    {
      id: "new_1",
      type: "constraint",
      content: "Known: m and some more",
      sourceTaskId: null,
      atMs: 2_000,
      isTainted: true,
      audience: "every",
      resolvedAtMs: null,
      memoryId: "m",
    },
  ]);
});
test("five at most, the best first", () => {
  const many = Array.from({ length: 9 }, (_, n) => memory(`m${n}`, { match: n / 10 }));
  expect(offer(...many)).toEqual(["m8", "m7", "m6", "m5", "m4"]);
});
test("what does not fit is not offered", () => expect(offer(memory("m", { match: 0 }))).toEqual([]));
test("nor what has failed too often", () => expect(offer(memory("m", { confidence: 0.29 }))).toEqual([]));
test("of two that fit as well the more important comes first", () =>
  expect(offer(memory("a"), memory("b", { importance: "critical" }))).toEqual(["b", "a"]));
test("of two as important the more helpful", () =>
  expect(offer(memory("a", { confidence: 0.5 }), memory("b"))).toEqual(["b", "a"]));
test("none is offered twice", () => {
  const once = offerMemories(emptyContext, [memory("m")], makeWorld());
  expect(offerMemories(once, [memory("m")], makeWorld()).discoveries).toHaveLength(1);
});

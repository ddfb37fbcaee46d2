import { expect, test } from "vitest";
import { fineCost, fineDollars, madeWords } from "./iteration-words.ts";

test.each([
  [0, "$0.00"],
  [400, "less than $0.001"],
  [4_200, "$0.004"],
  [43_000, "$0.043"],
  [250_000, "$0.25"],
])("%i micro-dollars are %s", (microUsd, words) => expect(fineDollars(microUsd)).toBe(words));

test.each([
  [43_000, 0, "$0.043"],
  [43_000, 1, "$0.043 + no price known"],
  [0, 1, "no price known"],
])("%i micro-dollars with %i calls without a price are %s", (microUsd, calls, words) =>
  expect(fineCost(microUsd, calls)).toBe(words),
);

const made = (id: string, kind: string) => ({ id, kind, op: "created" }) as const;

test("what was made is told by kind, notes apart and everything once", () => {
  const artifacts = [made("n", "document"), made("a", "document"), made("t", "task"), made("a", "document")];
  expect(madeWords(artifacts, new Set(["n"]))).toBe("1 document, 1 task, 1 note");
  expect(madeWords(artifacts, null)).toBe("3 things made or changed");
  expect(madeWords([], null)).toBeNull();
});

import { expect, test } from "vitest";
import { defaultBreakers, trippedBreaker } from "./breakers.ts";
import { countStreaks, noStreaks, type Observed, type Streaks } from "./streaks.ts";

const quiet: Observed = {
  hasProgressed: true,
  actions: null,
  error: null,
  errorText: null,
  hasToolMiss: false,
  rejectedBy: [],
};
const play = (...seen: readonly Partial<Observed>[]): Streaks =>
  seen.reduce<Streaks>((streaks, each) => countStreaks(streaks, { ...quiet, ...each }), noStreaks);
const acting = (letters: string) =>
  play(...[...letters].map((actions) => ({ actions: actions === "-" ? null : actions })));

test.each([
  ["ABABA", 3],
  ["ABABAB", 4],
  ["AB-ABA", 3],
  ["ABAC", 0],
  ["ABCABC", 0],
  ["AAAA", 0],
  ["ABABB", 0],
  ["", 0],
])("%j goes back and forth %d times in a row", (letters, times) => expect(acting(letters).backAndForth).toBe(times));

test.each([
  ["AAA", 2],
  ["ABB", 1],
  ["ABA", 0],
])("%j is the same again %d times", (letters, times) => expect(acting(letters).sameAction).toBe(times));

test("going back and forth trips the breaker although each move writes something", () => {
  expect(trippedBreaker(acting("ABAB"), defaultBreakers)).toBeNull();
  expect(trippedBreaker(acting("ABABA"), defaultBreakers)).toMatchObject({ reason: "same_action" });
});

test("a claim turned down by another check leaves only that one's count", () => {
  const claims = play({ rejectedBy: ["a"] }, { rejectedBy: ["a", "b"] }, {}, { rejectedBy: ["b"] });
  expect(claims.rejectedClaims).toEqual({ b: 2 });
});

test("an error in between starts the count anew", () => {
  expect(play({ error: "e" }, { error: "e" }, { error: "f" }, { error: "e" }).sameError).toBe(1);
  expect(play({ error: "e" }, { error: "e" }, {}).sameError).toBe(0);
});

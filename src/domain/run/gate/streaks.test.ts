import { expect, test } from "vitest";
import { makeCheck } from "../../../../test/helpers/make-run.ts";
import { defaultBreakers, trippedBreaker } from "./breakers.ts";
import { countStreaks, noStreaks, type Observed, type Streaks } from "./streaks.ts";

const times = <T>(count: number, what: T): readonly T[] => Array.from({ length: count }, () => what);

const quiet: Observed = {
  hasProgressed: true,
  hasHeard: false,
  actions: null,
  error: null,
  errorText: null,
  hasToolMiss: false,
  rejectedBy: [],
};
const play = (...seen: readonly Partial<Observed>[]): Streaks =>
  seen.reduce<Streaks>((streaks, each) => countStreaks(streaks, { ...quiet, ...each }), noStreaks);
const acting = (letters: string) =>
  play(...[...letters].map((actions) => ({ hasProgressed: false, actions: actions === "-" ? null : actions })));

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

const patient = { ...defaultBreakers, noProgress: 100 };

test("going back and forth trips the breaker", () => {
  expect(trippedBreaker(acting("ABAB"), patient, 4)).toBeNull();
  expect(trippedBreaker(acting("ABABA"), patient, 5)).toMatchObject({ reason: "same_action" });
});
test("the same actions that change something each time are work", () =>
  expect(play(...times(5, { actions: "write the next chapter" })).sameAction).toBe(0));

test("a message of the user resets every streak, also the chance to recover", () => {
  const stuck = play(...times(4, { hasProgressed: false, actions: "a", error: "e", hasToolMiss: true }));
  const recovered: Streaks = { ...stuck, rejectedClaims: { c: 2 }, recovery: { iteration: 3, from: "no_progress" } };
  const after = countStreaks(recovered, { ...quiet, hasProgressed: false, hasHeard: true });
  expect(after).toEqual(noStreaks);
});
test("an iteration that heard nothing goes on counting", () =>
  expect(play({ hasProgressed: false }, { hasProgressed: false }).noProgress).toBe(2));

test("where every iteration without progress ends in the same error, that error is the cause", () => {
  const tooLong = { hasProgressed: false, error: "e", errorText: "400: context length exceeded" };
  expect(trippedBreaker(play(...times(3, tooLong)), defaultBreakers, 6)).toMatchObject({
    reason: "same_error",
    detail: "3 iterations in a row ended in the same error (iterations 4 to 6; limit 3)",
  });
});
test("where only the last one ends in an error, the cause is another", () => {
  const quietly = times(2, { hasProgressed: false });
  expect(trippedBreaker(play(...quietly, { hasProgressed: false, error: "e" }), defaultBreakers, 6)?.reason).toBe(
    "no_progress",
  );
});

test("a claim turned down by another check leaves only that one's count", () => {
  const claims = play({ rejectedBy: ["a"] }, { rejectedBy: ["a", "b"] }, {}, { rejectedBy: ["b"] });
  expect(claims.rejectedClaims).toEqual({ b: 2 });
});

test("a stop names the check that turned the claims down in words, not by its id", () => {
  const judge = makeCheck({
    id: "judge:d1",
    deliverableId: "d1",
    target: { kind: "judge", rubric: "It names a hall." },
    givenBy: "platform",
  });
  const streaks = play(...times(3, { rejectedBy: ["judge:d1"] }));
  expect(trippedBreaker(streaks, defaultBreakers, 6, [judge])?.detail).toBe(
    "3 claims in a row were turned down by the check “a judge agrees: It names a hall.” (iterations 4 to 6; limit 3)",
  );
});

test("an error in between starts the count anew", () => {
  expect(play({ error: "e" }, { error: "e" }, { error: "f" }, { error: "e" }).sameError).toBe(1);
  expect(play({ error: "e" }, { error: "e" }, {}).sameError).toBe(0);
});

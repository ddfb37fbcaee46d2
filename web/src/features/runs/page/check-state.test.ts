import { expect, test } from "vitest";
import { checkState, isDue, judgeQuote, passedWords } from "./check-state.ts";

const seen = (isGreen: boolean) => ({ proof: { is_green: isGreen, seen: "", artifacts: [], iteration: 1 } });
const rejected = { kind: "claim_rejected", text: "", count: 1, limit: 3 } as const;

test("a check that was not looked at is pending", () => expect(checkState({ proof: null }, true)).toBe("pending"));

test("one that holds has passed", () => expect(checkState(seen(true), false)).toBe("passed"));

test("one that does not hold yet is pending while the run works", () =>
  expect(checkState(seen(false), false)).toBe("pending"));

test("one that does not hold has failed once it is due", () => expect(checkState(seen(false), true)).toBe("failed"));

test("a judge that was not asked has not said no, also where the run has ended", () => {
  const unasked = {
    proof: { is_green: false, seen: "not asked yet: another check is red", artifacts: [], iteration: 1 },
  };
  expect(checkState(unasked, true)).toBe("pending");
  expect(passedWords([seen(true), seen(false), unasked], 1, 3)).toBe("1 of 3 passed, 1 not asked");
  expect(passedWords([seen(true), seen(false)], 1, 2)).toBe("1 of 2 passed");
});

test.each([
  ["running", [], false],
  ["running", [rejected], true],
  ["stopped", [], true],
  ["completed", [], true],
] as const)("checks of a run that is %s with warnings %o are due: %s", (status, warnings, due) =>
  expect(isDue(status, [...warnings])).toBe(due),
);

test("what a judge quoted is found in what was seen", () =>
  expect(judgeQuote('the judge says yes and quotes "free on "most" days"')).toBe('free on "most" days'));

test("without a quote there is none", () => expect(judgeQuote("the judge says no")).toBeNull());

import { expect, test } from "vitest";
import { judgeQuote, passedWords } from "./check-state.ts";

const seen = (isGreen: boolean) => ({ proof: { is_green: isGreen, seen: "", artifacts: [], iteration: 1 } });

test("a judge that was not asked has not said no, also where the run has ended", () => {
  const unasked = {
    proof: { is_green: false, seen: "not asked yet: another check is red", artifacts: [], iteration: 1 },
  };
  expect(passedWords([seen(true), seen(false), unasked], 1, 3)).toBe("1 of 3 passed, 1 not asked");
  expect(passedWords([seen(true), seen(false)], 1, 2)).toBe("1 of 2 passed");
});

test("what a judge quoted is found in what was seen", () =>
  expect(judgeQuote('the judge says yes and quotes "free on "most" days"')).toBe('free on "most" days'));

test("without a quote there is none", () => expect(judgeQuote("the judge says no")).toBeNull());

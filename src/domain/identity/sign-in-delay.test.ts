import { expect, test } from "vitest";
import { accountRule, delayAfter, deviceRule, pairRule } from "./sign-in-delay.ts";

test("the first failures cost no time", () => {
  for (const rule of [pairRule, deviceRule, accountRule]) expect(delayAfter(rule, rule.free - 1)).toBe(0);
});

test("then delays double, up to the longest", () => {
  const delays = [5, 6, 7, 8, 14, 15, 1_000_000].map((failures) => delayAfter(pairRule, failures));
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 512_000, 900_000, 900_000]);
});

test("failures from everywhere never keep the owner of an account waiting for long", () => {
  expect(delayAfter(accountRule, 1_000_000)).toBe(10_000);
});

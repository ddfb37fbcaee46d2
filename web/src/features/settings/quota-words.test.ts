import { expect, test } from "vitest";
import { describeSpent } from "./quota-words.ts";

test.each([
  [0, 0, "$0.00"],
  [1.04, 0, "$1.04"],
  [1.41, 0.37, "$1.04 + $0.37 reserved"],
  [0.36, 0.36, "$0.00 + $0.36 reserved"],
])("of %d this month, %d are reserved", (all, reserved, words) =>
  expect(describeSpent({ cost_usd_this_month: all, reserved_usd: reserved })).toBe(words),
);

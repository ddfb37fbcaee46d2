import { expect, test } from "vitest";
import { axisTicks, countTicks, timeTicks } from "./axis-ticks.ts";

test.each([
  [1_080_391, [0, 500_000, 1_000_000, 1_500_000]],
  [220_000, [0, 50_000, 100_000, 150_000, 200_000, 250_000]],
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
])("an axis up to %i has round ticks", (max, ticks) => expect(axisTicks(max)).toEqual(ticks));

test.each([
  [900, [0, 200, 400, 600, 800, 1_000]],
  [9_000, [0, 2_000, 4_000, 6_000, 8_000, 10_000]],
  [130_000, [0, 30_000, 60_000, 90_000, 120_000, 150_000]],
])("an axis of time up to %i ms counts as a clock does", (max, ticks) => expect(timeTicks(max)).toEqual(ticks));

test("an axis of iterations ends with the last one", () => {
  expect(countTicks(14)).toEqual([0, 5, 10]);
  expect(countTicks(4)).toEqual([0, 1, 2, 3, 4]);
});

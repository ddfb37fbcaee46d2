import { describe, expect, test } from "vitest";
import { averageOf, dearest, labelOf, pointsOf, prospectOf, type SeriesItem, usualOf } from "./figures-over-time.ts";

const made = (iteration: number, cost: number): SeriesItem => ({
  iteration,
  status: "success",
  started_at: "2026-01-01T00:00:00.000Z",
  ended_at: "2026-01-01T00:00:01.000Z",
  running_ms: 1_000,
  cost_micro_usd: cost,
  tokens: 10,
  tool_calls: 1,
});
const many = (count: number) => Array.from({ length: count }, (_, n) => made(n + 1, n + 1));

describe("points", () => {
  test("each iteration is a point with what it used and the sum so far", () => {
    expect(pointsOf([made(1, 5), made(2, 0), made(3, 7)], "cost_micro_usd")).toEqual([
      { first: 1, last: 1, used: 5, sum: 5 },
      { first: 2, last: 2, used: 0, sum: 5 },
      { first: 3, last: 3, used: 7, sum: 12 },
    ]);
  });

  test.each([0, 1, 119, 120, 121, 1_000, 10_000])("%i iterations make few enough points and lose nothing", (count) => {
    const points = pointsOf(many(count), "cost_micro_usd");
    expect(points.length).toBeLessThanOrEqual(120);
    expect(points.at(-1)?.sum ?? 0).toBe((count * (count + 1)) / 2);
    expect(points.at(-1)?.last ?? 0).toBe(count);
    expect(points.reduce((sum, { used }) => sum + used, 0)).toBe((count * (count + 1)) / 2);
  });

  test("a point of several is as high as one of them usually is", () => {
    expect(
      pointsOf(many(1_000), "running_ms")
        .map(averageOf)
        .every((ms) => ms === 1_000),
    ).toBe(true);
  });

  test("a point of several says which", () => {
    expect(pointsOf(many(1_000), "tokens").slice(0, 2).map(labelOf)).toEqual(["1–9", "10–18"]);
    expect(labelOf({ first: 4, last: 4 })).toBe("4");
  });
});

describe("prospect", () => {
  const course = { sum: 40, iteration: 4, maxIterations: 10, budget: null, perIteration: 10 };

  test("without a budget it ends with its iterations", () => {
    expect(prospectOf(course)).toEqual({ iteration: 10, sum: 100, endsBy: "iterations" });
  });

  test("a budget that is reached before ends it there", () => {
    expect(prospectOf({ ...course, budget: 65 })).toEqual({ iteration: 7, sum: 70, endsBy: "budget" });
    expect(prospectOf({ ...course, budget: 100 })).toMatchObject({ endsBy: "iterations" });
  });

  test.each([
    ["its iterations are used up", { iteration: 10 }],
    ["nobody knows what one would use", { perIteration: null }],
    ["they use nothing", { perIteration: 0 }],
    ["the budget is used up", { budget: 40 }],
  ])("nothing is said where %s", (_why, over) => {
    expect(prospectOf({ ...course, ...over })).toBeNull();
  });
});

test("one that is under way is neither in the sum nor in the average", () => {
  const items = [made(1, 4), made(2, 8), { ...made(3, 1), status: "running" as const, ended_at: null }];
  expect(usualOf(items)).toMatchObject({ sum: { cost_micro_usd: 12 }, each: { cost_micro_usd: 6 } });
  expect(usualOf(items.slice(2))).toBeNull();
});

test("the dearest is the first of the largest; none where nothing was used", () => {
  expect(dearest([made(1, 3), made(2, 9), made(3, 9)], "cost_micro_usd")?.iteration).toBe(2);
  expect(dearest([made(1, 0)], "cost_micro_usd")).toBeNull();
  expect(dearest([], "tokens")).toBeNull();
});

import { describe, expect, test } from "vitest";
import { cost, counted, dollars, dollarsAtMost, duration, exactDollars } from "./figures.ts";

describe("money is shown in cents, and less than one as that", () => {
  test.each([
    [0, "$0.00"],
    [3, "less than $0.01"],
    [9_999, "less than $0.01"],
    [10_000, "$0.01"],
    [12_345, "$0.01"],
    [994_949, "$0.99"],
    [1_000_000, "$1.00"],
    [12_340_000, "$12.34"],
    [1_234_567_890_000, "$1,234,567.89"],
  ])("%i is %s", (microUsd, shown) => expect(dollars(microUsd)).toBe(shown));
});

test("what is at most so much is rounded up to cents", () =>
  expect([0, 3, 10_000, 12_345].map(dollarsAtMost)).toEqual(["$0.00", "$0.01", "$0.01", "$0.02"]));

test("limits show every fraction", () =>
  expect([0, 92, 5_000, 500_000, 1_234_560_000].map(exactDollars)).toEqual([
    "$0.00",
    "$0.000092",
    "$0.005",
    "$0.50",
    "$1,234.56",
  ]));

test("calls without a price are said beside what the others cost", () =>
  expect([cost(92, 0), cost(0, 1), cost(92, 1)]).toEqual([
    "less than $0.01",
    "no price known",
    "less than $0.01 + no price known",
  ]));

describe("durations have two units", () => {
  test.each([
    [-5, "0s"],
    [999, "0s"],
    [45_000, "45s"],
    [125_000, "2m 05s"],
    [3_599_999, "59m 59s"],
    [3_720_000, "1h 02m"],
    [273_600_000, "3d 04h"],
  ])("%i is %s", (ms, shown) => expect(duration(ms)).toBe(shown));
});

test("one of something has no s, and thousands are grouped", () => {
  expect([0, 1, 12_345].map((number) => counted(number, "token"))).toEqual(["0 tokens", "1 token", "12,345 tokens"]);
});

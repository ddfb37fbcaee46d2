import { describe, expect, test } from "vitest";
import { counted, dollars, duration } from "./figures.ts";

describe("money is shown as dollars, small amounts readable", () => {
  test.each([
    [0, "$0.00"],
    [3, "$0.000003"],
    [99, "$0.000099"],
    [100, "$0.0001"],
    [12_345, "$0.0123"],
    [999_949, "$0.9999"],
    [1_000_000, "$1.00"],
    [12_340_000, "$12.34"],
    [1_234_567_890_000, "$1,234,567.89"],
  ])("%i is %s", (microUsd, shown) => expect(dollars(microUsd)).toBe(shown));
});

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

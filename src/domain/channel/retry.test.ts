import { describe, expect, test } from "vitest";
import { readRetryAfter, waitBeforeNextTry } from "./retry.ts";

describe("the wait before the next try", () => {
  test("grows with every try, and ends after ten of them", () => {
    const waits = Array.from({ length: 9 }, (_, n) => waitBeforeNextTry(n + 1, null) ?? 0);
    expect(waits[0]).toBe(5_000);
    for (const [n, wait] of waits.entries()) expect(wait).toBeGreaterThan(waits[n - 1] ?? 0);
    expect(waitBeforeNextTry(10, null)).toBeNull();
  });

  test("is as long as the receiver asks, but never shorter than usual", () => {
    expect(waitBeforeNextTry(1, 60_000)).toBe(60_000);
    expect(waitBeforeNextTry(3, 1_000)).toBe(120_000);
  });

  test("is a day at most, whatever the receiver asks", () => {
    expect(waitBeforeNextTry(1, 365 * 86_400_000)).toBe(86_400_000);
  });

  test("is not asked for after the last try", () => {
    expect(waitBeforeNextTry(10, 1_000)).toBeNull();
  });
});

describe("Retry-After", () => {
  const now = Date.UTC(2026, 10, 16, 12, 0, 0);
  test.for([
    ["120", 120_000],
    ["Mon, 16 Nov 2026 12:00:30 GMT", 30_000],
    ["Mon, 16 Nov 2026 11:00:00 GMT", 0],
    ["soon", null],
    ["-5", null],
    [null, null],
  ] as const)("%s is %s", ([header, ms]) => {
    expect(readRetryAfter(header, now)).toBe(ms);
  });
});

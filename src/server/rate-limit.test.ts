import { expect, test } from "vitest";
import type { Instant } from "../lib/env.ts";
import { rateLimiter } from "./rate-limit.ts";

function setup(perMinute: number) {
  let nowMs = 1_000_000;
  const { take } = rateLimiter(perMinute, { now: () => nowMs as Instant });
  const takeMany = (name: string, count: number) =>
    Array.from({ length: count }, () => take(name)).filter(Boolean).length;
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { take, takeMany, pass };
}

test("gives a minute's worth at once and no more", () => {
  expect(setup(10).takeMany("a", 25)).toBe(10);
});

test("fills again with time", () => {
  const { takeMany, pass } = setup(10);
  takeMany("a", 10);
  pass(30_000);
  expect(takeMany("a", 10)).toBe(5);
});

test("never holds more than a minute's worth", () => {
  const { takeMany, pass } = setup(10);
  pass(3_600_000);
  expect(takeMany("a", 25)).toBe(10);
});

test("one name does not use up another's", () => {
  const { takeMany } = setup(10);
  takeMany("a", 10);
  expect(takeMany("b", 10)).toBe(10);
});

test("a clock that jumps back gives nothing for free and takes nothing away", () => {
  const { takeMany, pass } = setup(10);
  takeMany("a", 5);
  pass(-60_000);
  expect(takeMany("a", 10)).toBe(5);
});

test("forgets the longest unused name, not a busy one", () => {
  const { take, takeMany } = setup(2);
  takeMany("busy", 2);
  for (let n = 0; n < 30_000; n++) {
    take(`other ${n}`);
    if (n % 1_000 === 0) expect(take("busy")).toBe(false);
  }
});

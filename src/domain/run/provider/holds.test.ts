import { expect, test } from "vitest";
import { nothingSpent } from "../budget/budget.ts";
import type { Holds } from "../run.ts";
import { holdAgain, holdUntil } from "./holds.ts";

const minute = 60_000;

/** An outage: each hold wants one more minute, and each attempt fails at once. */
function outage(count: number, wantedMs = minute) {
  let holds: Holds | null = null;
  let nowMs = 0;
  const waits: number[] = [];
  const told: number[] = [];
  for (let n = 1; n <= count; n++) {
    const until = holdUntil(holds, nowMs + wantedMs, nowMs);
    const again = holdAgain(holds, nothingSpent, until, nowMs);
    if (again.isToldNow) told.push(n);
    waits.push((until - nowMs) / minute);
    holds = again.holds;
    nowMs = until;
  }
  return { waits, told };
}

test("an outage holds 1, 2, 4, 8 and then 15 minutes", () => expect(outage(7).waits).toEqual([1, 2, 4, 8, 15, 15, 15]));
test("the user is told once, when the wait gets longer than a quarter of an hour", () =>
  expect(outage(9).told).toEqual([5]));
test("a wait that ends within a quarter of an hour is not told", () => expect(outage(4).told).toEqual([]));
test("a provider's own time is respected, and told at once where it is long", () =>
  expect(outage(2, 300 * minute)).toEqual({ waits: [300, 300], told: [1] }));
test("a short time of the provider's own is respected at first", () =>
  expect(outage(1, minute / 3).waits).toEqual([1 / 3]));

import { expect, test } from "vitest";
import { daysUntil, fromDateInput, nameDay, timeAgo, toDateInput } from "./dates.ts";

const now = Date.parse("2026-05-10T12:00:00Z");

test.each([
  ["2026-05-10T11:59:40Z", "just now"],
  ["2026-05-10T11:57:00Z", "3 minutes ago"],
  ["2026-05-09T11:00:00Z", "yesterday"],
  ["2026-08-10T12:00:00Z", "in 3 months"],
])("%s is %s", (at, words) => expect(timeAgo(at, now)).toBe(words));

test.each([
  [0, "Today", "today"],
  [-1, "Yesterday", "yesterday"],
  [3, "May 13, 2026", "in 3 days"],
])("%i days from now is %s, %s, by the calendar of the reader", (days, name, distance) => {
  const noon = new Date(2026, 4, 10, 12).getTime();
  const late = new Date(2026, 4, 10 + days, 23, 59).toISOString();
  expect([nameDay(late, noon), daysUntil(late, noon)]).toEqual([name, distance]);
});

test("a due date comes back as the day it was given", () =>
  expect(toDateInput(fromDateInput("2026-03-01"))).toBe("2026-03-01"));

test("no date is no due date", () => expect([fromDateInput(""), toDateInput(null)]).toEqual([null, ""]));

test("half a date is no due date", () => expect(fromDateInput("2026-1")).toBeNull());

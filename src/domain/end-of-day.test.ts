import { expect, test } from "vitest";
import { endOfDay } from "./end-of-day.ts";

test.each([
  ["2031-05-17", "UTC", "2031-05-17T23:59:59Z"],
  ["2031-05-17", "Europe/Berlin", "2031-05-17T21:59:59Z"],
  ["2031-01-17", "Europe/Berlin", "2031-01-17T22:59:59Z"],
  ["2031-05-17", "Asia/Kolkata", "2031-05-17T18:29:59Z"],
  ["2031-05-17", "America/Los_Angeles", "2031-05-18T06:59:59Z"],
  ["2031-05-17", "Pacific/Kiritimati", "2031-05-17T09:59:59Z"],
  // The clocks there change in the night before and in the night after.
  ["2030-03-31", "Europe/Berlin", "2030-03-31T21:59:59Z"],
  ["2030-10-26", "Europe/Berlin", "2030-10-26T21:59:59Z"],
  ["2030-10-27", "Europe/Berlin", "2030-10-27T22:59:59Z"],
  ["0001-01-02", "UTC", "0001-01-02T23:59:59Z"],
])("%s in %s ends at %s", (day, zone, instant) => expect(endOfDay(day, zone)).toBe(instant));

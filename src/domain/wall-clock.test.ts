import { expect, test } from "vitest";
import { dueIn } from "./wall-clock.ts";

test.each([
  ["2031-05-18T06:59:59.000Z", "America/Los_Angeles", "2031-05-17"],
  ["2031-05-17T09:59:59Z", "Pacific/Kiritimati", "2031-05-17"],
  ["2031-05-17T23:59:59+00:00", "UTC", "2031-05-17"],
  ["2031-05-17", "America/Los_Angeles", "2031-05-17"],
  ["2031-05-17T07:00:00Z", "Europe/Berlin", "2031-05-17 09:00"],
  ["2031-05-18T03:00:00Z", "America/Los_Angeles", "2031-05-17 20:00"],
])("%s in %s is said as %s", (timestamp, zone, words) => expect(dueIn(timestamp, zone)).toBe(words));

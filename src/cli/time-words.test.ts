import { describe, expect, test } from "vitest";
import { testNow } from "../../test/helpers/cli-host.ts";
import { dateIn, parseDueDate, relativeTime } from "./time-words.ts";

describe("times are said as people say them", () => {
  test.each([
    ["2030-03-17T17:46:30Z", "just now"],
    ["2030-03-17T17:45:40Z", "1 minute ago"],
    ["2030-03-17T17:01:40Z", "45 minutes ago"],
    ["2030-03-17T14:46:40Z", "3 hours ago"],
    ["2030-03-16T17:46:40Z", "1 day ago"],
    ["2030-03-19T17:46:41Z", "in 2 days"],
    ["2030-03-17T19:46:41+02:00", "in a moment"],
    ["2030-01-02T00:00:00Z", "2030-01-01"],
    ["2030-01-02T09:00:00Z", "2030-01-02"],
  ])("%s is %s", (timestamp, words) => expect(relativeTime(timestamp, testNow, "America/Los_Angeles")).toBe(words));
});

describe("a due date", () => {
  test.each([
    ["UTC", "2030-01-31T23:59:59Z"],
    ["Europe/Berlin", "2030-01-31T22:59:59Z"],
    ["America/Los_Angeles", "2030-02-01T07:59:59Z"],
  ])("may be a day, which ends at 23:59 in %s", (zone, end) => {
    expect(parseDueDate(zone)("2030-01-31")).toBe(end);
    expect(dateIn(end, zone)).toBe("2030-01-31");
  });
  test("may be a time", () =>
    expect(parseDueDate("Asia/Tokyo")("2030-01-31T17:00:00+01:00")).toBe("2030-01-31T17:00:00+01:00"));
  test.each(["tomorrow", "2030-13-01", "2030-01-31T17:00", "31.1.2030", ""])("is not %j", (text) =>
    expect(() => parseDueDate("UTC")(text)).toThrow("Give a day such as"),
  );
});

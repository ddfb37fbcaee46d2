import { expect, test } from "vitest";
import { readLimitReset } from "./limit-reset.ts";

/** Monday 16 November 2026, 19:30 in Berlin. */
const now = Date.parse("2026-11-16T18:30:00Z");
const zone = "Europe/Berlin";
const check = (text: string, iso: string | null) => {
  const at = readLimitReset(text, now, zone);
  expect(at === null ? null : new Date(at).toISOString()).toBe(iso === null ? null : new Date(iso).toISOString());
};

test.each([
  ["You're out of extra usage · resets 9pm", "2026-11-16T20:00:00Z"],
  ["5-hour limit reached ∙ resets 7pm", "2026-11-17T18:00:00Z"],
  ["5-hour limit reached ∙ resets 9:15pm (America/New_York)", "2026-11-17T02:15:00Z"],
  ["Your limit will reset at 2am (UTC).", "2026-11-17T02:00:00Z"],
  ["Weekly limit reached ∙ resets Nov 20, 1pm", "2026-11-20T12:00:00Z"],
  ["Try again at 21:45.", "2026-11-16T20:45:00Z"],
  ["resets 12am", "2026-11-16T23:00:00Z"],
  ["You've hit your usage limit. Try again at 7:25 PM.", "2026-11-16T18:30:00Z"],
])("a time of day: %j", check);

test.each([
  ["try again in 2 days 17 hours 14 minutes.", "2026-11-19T11:44:00Z"],
  ["Rate limit exceeded, try again in 20s", "2026-11-16T18:30:20Z"],
  ["Please try again in 1m30s.", "2026-11-16T18:31:30Z"],
  ["Please try again in 6.5s.", "2026-11-16T18:30:06.500Z"],
  ["Your quota will reset after 3h59m10s.", "2026-11-16T22:29:10Z"],
  ["retry after 30 seconds", "2026-11-16T18:30:30Z"],
  ["retry-after: 7", "2026-11-16T18:30:07Z"],
  ['{"type":"usage_limit_reached","resets_in_seconds":13872}', "2026-11-16T22:21:12Z"],
])("a span: %j", check);

test.each([
  ["Claude AI usage limit reached|1794862800", "2026-11-16T21:00:00Z"],
  ['"resets_at":1794862800', "2026-11-16T21:00:00Z"],
  ["limited until 2026-11-16T20:00:00Z", "2026-11-16T20:00:00Z"],
])("an instant: %j", check);

test.each([
  ["Rate limit exceeded."],
  ["resets 9"],
  ["resets 25:00"],
  ["resets 13pm"],
  ["resets 9pm (Atlantis/Harbour)"],
  ["Claude AI usage limit reached|1494862800"],
  ["try again in 90 days"],
  ["Weekly limit reached, resets Dec 24, 1pm"],
  ["resets Nov 99, 1pm"],
  ["see line 429 of retry.ts"],
  [""],
])("no time that can be believed: %j", (text) => check(text, null));

test("tomorrow's time of day is right when the clocks change in the night", () => {
  const before = Date.parse("2026-10-24T19:00:00Z"); // 21:00 in Berlin, still summer time
  expect(readLimitReset("resets 8pm", before, zone)).toBe(Date.parse("2026-10-25T19:00:00Z"));
});

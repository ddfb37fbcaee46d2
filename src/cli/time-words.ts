// Times as people say them: "3 minutes ago", "in 2 days", and dates for what is far away.

import { InvalidArgumentError } from "commander";
import { endOfDay } from "../domain/end-of-day.ts";
import type { Instant } from "../lib/env.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Beyond a month a date says more than a number of days. */
const datesFromMs = 30 * dayMs;

export function relativeTime(timestamp: string, now: Instant, timeZone: string): string {
  const distanceMs = parse(timestamp) - now;
  const absoluteMs = Math.abs(distanceMs);
  if (absoluteMs >= datesFromMs) return dateIn(timestamp, timeZone);
  if (absoluteMs < minuteMs) return distanceMs > 0 ? "in a moment" : "just now";
  const [unit, unitMs] = units.find(([, ms]) => absoluteMs >= ms) ?? ["minute", minuteMs];
  return words.format(Math.trunc(distanceMs / unitMs), unit);
}

const words = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const units = [
  ["day", dayMs],
  ["hour", hourMs],
] as const;

/** The day on which it is there. */
export function dateIn(timestamp: string | null, timeZone: string): string {
  return timestamp === null ? "" : new Intl.DateTimeFormat("sv-SE", { timeZone }).format(parse(timestamp));
}

/** `17:46:40`, as the clocks there show it. */
export const timeIn = (timestamp: string, timeZone: string): string =>
  new Intl.DateTimeFormat("sv-SE", { timeStyle: "medium", timeZone }).format(parse(timestamp));

/** Reads `--due`: a day means its end in this time zone; a timestamp is taken as it is. */
export const parseDueDate =
  (timeZone: string) =>
  (text: string): string => {
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
    const timestamp = isDay ? `${text}T23:59:59Z` : text;
    if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(timestamp) || Number.isNaN(parse(timestamp)))
      throw new InvalidArgumentError("Give a day such as 2030-01-31, or a time such as 2030-01-31T17:00:00Z.");
    return isDay ? endOfDay(text, timeZone) : timestamp;
  };

export const elapsedMs = (from: string, until: string): number => parse(until) - parse(from);

function parse(timestamp: string): number {
  // biome-ignore lint/style/noRestrictedGlobals: reads a given timestamp, not the clock
  return Date.parse(timestamp);
}

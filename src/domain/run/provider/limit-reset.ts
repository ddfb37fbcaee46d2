// When a provider's limit ends, out of the words in which an agent tells it: a number of seconds, a span ("2 days 17 hours"), a time
// of day ("resets 9pm"), a date. A time that is past or too far ahead is not believed. Null: the words tell no time.

import { isTimeZone } from "../../time-zone.ts";
import { instantAt, wallAt } from "../../wall-clock.ts";

/** The longest window of a subscription is a week. */
const aheadMaxMs = 8 * 24 * 3_600_000;
/** A time of day that has just passed is meant as now, not as tomorrow. */
const justPassedMs = 10 * 60_000;
/** A notice is short. */
const readMax = 4_000;

const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `timeZone` is of the machine that the agent ran on: agents tell times of day without one. */
export function readLimitReset(text: string, nowMs: number, timeZone: string): number | null {
  const words = text.slice(0, readMax);
  const at = readStamp(words) ?? readSpan(words, nowMs) ?? readClock(words, nowMs, timeZone);
  if (at === null || at - nowMs > aheadMaxMs || at < nowMs - justPassedMs) return null;
  return Math.max(at, nowMs);
}

/** Seconds since the epoch, after a bar, or under the names that providers give them; or a time in ISO 8601. */
function readStamp(words: string): number | null {
  const seconds = /(?:\||resets?_?at"?\s*[:=]\s*"?|x-ratelimit-reset"?\s*[:=]\s*"?)(\d{10})(\d{3})?\b/i.exec(words);
  if (seconds) return Number(seconds[1]) * 1_000 + Number(seconds[2] ?? 0);
  const iso = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)/.exec(words)?.[0];
  // biome-ignore lint/style/noRestrictedGlobals: reads a given time, not the clock
  const ms = iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(ms) ? null : ms;
}

const span =
  /(?:again|resets?|retry|wait|available|retry[- ]after)["']?\s*[:=]?\s*(?:in|after|for)?\s*((?:\d+(?:\.\d+)?\s*(?:days?|d|hours?|hrs?|hr|h|minutes?|mins?|min|milliseconds?|ms|m|seconds?|secs?|sec|s)\b[\s,]*(?:and\s+)?|\d+(?:\.\d+)?(?:d|h|m(?!s)|s)){1,4})/i;
const part = /(\d+(?:\.\d+)?)\s*(milliseconds?|ms|[dhms])/gi;

function readSpan(words: string, nowMs: number): number | null {
  const inSeconds = /(?:resets_in_seconds|retry[-_]?after)"?\s*[:=]\s*"?(\d{1,7})\b(?!\s*[a-z])/i.exec(words)?.[1];
  if (inSeconds !== undefined) return nowMs + Number(inSeconds) * 1_000;
  const found = span.exec(words)?.[1];
  if (found === undefined) return null;
  const parts = [...found.matchAll(part)].map(([, count = "0", unit = "s"]) => Number(count) * unitOf(unit));
  return nowMs + Math.ceil(parts.reduce((sum, each) => sum + each, 0));
}

const unitOf = (unit: string): number => unitMs[/^m(?:s|illi)/i.test(unit) ? "ms" : unit.toLowerCase()] ?? 0;

const clock =
  /(?:resets?|again|available|until|after)\s+(?:at\s+|on\s+)?(?:(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(?:(\d{4}),?\s+)?(?:at\s+)?)?(\d{1,2})(?::(\d\d))?\s*([ap]\.?m\b\.?)?(?:\s*\(([A-Za-z_+\-/0-9]{1,40})\)|\s+(UTC|GMT)\b)?/i;

function readClock(words: string, nowMs: number, timeZone: string): number | null {
  const found = clock.exec(words);
  if (!found) return null;
  const [, month, day, year, hour = "", minute, half, inBrackets, behind] = found;
  // "resets 9" is no time of day.
  if (half === undefined && minute === undefined) return null;
  const hours = toHours(Number(hour), half);
  const minutes = Number(minute ?? 0);
  if (hours === null || minutes > 59) return null;
  const named = inBrackets ?? behind;
  if (named !== undefined && !isTimeZone(named)) return null;
  const zone = named ?? timeZone;
  const time = `${two(hours)}:${two(minutes)}:00`;
  const today = wallAt(nowMs, zone);
  if (month === undefined) return nextAt(time, nowMs, zone, today);
  const date = `${two(months.indexOf(month.slice(0, 3).toLowerCase()) + 1)}-${two(Number(day))}`;
  const at = (inYear: number) => instantAt(`${inYear}-${date}T${time}`, zone);
  const inYear = Number(year ?? today.slice(0, 4));
  const here = at(inYear);
  if (Number.isNaN(here)) return null;
  return year === undefined && here < nowMs - justPassedMs ? at(inYear + 1) : here;
}

/** That time of day, today or tomorrow. */
function nextAt(time: string, nowMs: number, zone: string, today: string): number {
  const here = instantAt(`${today.slice(0, 10)}T${time}`, zone);
  if (here >= nowMs - justPassedMs) return here;
  const tomorrow = wallAt(instantAt(`${today.slice(0, 10)}T12:00:00`, zone) + 24 * 3_600_000, zone).slice(0, 10);
  return instantAt(`${tomorrow}T${time}`, zone);
}

function toHours(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour <= 23 ? hour : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase().startsWith("p") ? 12 : 0);
}

const two = (count: number): string => String(count).padStart(2, "0");

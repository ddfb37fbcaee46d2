// Timestamps as people read them, and due dates as the date input holds them (the reader's own calendar day).

const dayMs = 86_400_000;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const absolute = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const clock = new Intl.DateTimeFormat("en", { timeStyle: "short" });
const exactClock = new Intl.DateTimeFormat("en", { timeStyle: "medium" });
const longDay = new Intl.DateTimeFormat("en", { dateStyle: "long" });
const calendarDay = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 365 * dayMs],
  ["month", 30 * dayMs],
  ["day", dayMs],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

export function timeAgo(at: string, nowMs: number): string {
  const distance = Date.parse(at) - nowMs;
  for (const [unit, size] of steps) {
    if (Math.abs(distance) >= size) return relative.format(Math.round(distance / size), unit);
  }
  return "just now";
}

export function dateAndTime(at: string): string {
  return absolute.format(new Date(at));
}

/** `5:02 PM`, for lists that name the day themselves. */
export const clockTime = (at: string): string => clock.format(new Date(at));

/** `5:02:38 PM` for today, `Nov 17, 2026, 5:02:38 PM` before: tells apart what was made within a minute. */
export function exactTime(at: string, nowMs: number): string {
  const time = exactClock.format(new Date(at));
  return dayOf(at) === calendarDay.format(nowMs) ? time : `${dayOf(at)}, ${time}`;
}

export function dayOf(at: string): string {
  return calendarDay.format(new Date(at));
}

/** `Today`, `Yesterday`, or `Mar 1, 2026`: the reader's own calendar day. */
export function nameDay(at: string, nowMs: number): string {
  const day = dayOf(at);
  if (day === calendarDay.format(nowMs)) return "Today";
  return day === calendarDay.format(nowMs - dayMs) ? "Yesterday" : day;
}

/** `in 3 days`, `today`, `2 days ago`, by calendar days. */
export function daysUntil(at: string, nowMs: number): string {
  const startOf = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
  return relative.format(Math.round((startOf(Date.parse(at)) - startOf(nowMs)) / dayMs), "day");
}

/** `March 1, 2026`, as a letter has it. */
export function dayInWords(at: string): string {
  return longDay.format(new Date(at));
}

/** `2026-03-01` for an `<input type="date">`. */
export function toDateInput(at: string | null): string {
  if (at === null) return "";
  const date = new Date(at);
  const pad = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** The end of that day where the reader is; null for an empty or half-typed date. */
export function fromDateInput(value: string): string | null {
  const end = new Date(`${value}T23:59:59`);
  return value === "" || Number.isNaN(end.getTime()) ? null : end.toISOString();
}

/** The browser's own, as IANA calls it. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

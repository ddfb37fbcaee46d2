// Between instants and what the clocks of a time zone show. Pure.

/** A day that is given as a due date ends with it (`end-of-day.ts`). */
export const lastSecond = "23:59:59";

/** Two offsets are enough: the second guess differs from the first only around a change of the clocks. */
const guesses = 2;

/** The instant at which the clocks of that zone show `wall` (`2031-05-17T23:59:59`), in milliseconds. NaN: there is no such day or time. */
export function instantAt(wall: string, timeZone: string): number {
  const asUtc = utcOf(`${wall}Z`);
  if (Number.isNaN(asUtc)) return asUtc;
  let instant = asUtc;
  for (let guess = 0; guess < guesses; guess += 1) instant = asUtc - offsetMs(instant, timeZone);
  return instant;
}

/** What the clocks of that zone show at an instant: `2031-05-17T23:59:59`. */
export function wallAt(instant: number, timeZone: string): string {
  return toIso(instant + offsetMs(instant, timeZone)).slice(0, 19);
}

/** The day that people of that zone have at a stored time: `2031-05-17`. */
export const dayOf = (timestamp: string, timeZone: string): string => wallAt(utcOf(timestamp), timeZone).slice(0, 10);

/** The same with the time, `2031-05-17 09:00`, unless it is the end of that day. A day alone stays one. */
export function dueIn(timestamp: string, timeZone: string): string {
  if (!timestamp.includes("T")) return timestamp;
  const [day = "", time = ""] = wallAt(utcOf(timestamp), timeZone).split("T");
  return time === lastSecond ? day : `${day} ${time.slice(0, 5)}`;
}

/** How far the clocks there are ahead of UTC at that instant; `GMT-07:00`, with seconds in old times. */
function offsetMs(instant: number, timeZone: string): number {
  const shown = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).format(instant);
  const [, sign, hours, minutes, seconds = 0] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(shown) ?? [];
  const ahead = ((Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds)) * 1_000;
  return sign === "-" ? -ahead : ahead;
}

// biome-ignore lint/style/noRestrictedGlobals: reads a given timestamp, not the clock
const utcOf = (timestamp: string): number => Date.parse(timestamp);
// biome-ignore lint/style/noRestrictedGlobals: writes a given instant, not the clock's
const toIso = (instant: number): string => new Date(instant).toISOString();

// When a day ends for a person: its last second in their time zone, as an instant. Pure.

/** Two offsets are enough: the second guess differs from the first only around a change of the clocks. */
const guesses = 2;

/** `day` is `2031-05-17`; `timeZone` a name such as `Europe/Berlin`. The answer is in UTC: `2031-05-17T21:59:59Z`. */
export function endOfDay(day: string, timeZone: string): string {
  const wall = utcOf(`${day}T23:59:59Z`);
  let instant = wall;
  for (let guess = 0; guess < guesses; guess += 1) instant = wall - offsetMs(instant, timeZone);
  return toIso(instant);
}

const formatIn = (timeZone: string) =>
  new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    era: "short",
  });

/** How far the clocks there are ahead of UTC at that instant. */
function offsetMs(instant: number, timeZone: string): number {
  const parts = new Map(
    formatIn(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "00";
  const wall = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}Z`;
  return utcOf(wall) - instant;
}

// biome-ignore lint/style/noRestrictedGlobals: reads a given timestamp, not the clock
const utcOf = (timestamp: string): number => Date.parse(timestamp);
// biome-ignore lint/style/noRestrictedGlobals: writes a given instant, not the clock's
const toIso = (instant: number): string => new Date(instant).toISOString().replace(/\.\d+Z$/, "Z");

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
const toIso = (instant: number): string => new Date(instant).toISOString().replace(/\.\d+Z$/, "Z");

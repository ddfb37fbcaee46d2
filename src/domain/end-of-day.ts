// When a day ends for a person: its last second in their time zone, as an instant. Pure.

import { instantAt, lastSecond, wallAt } from "./wall-clock.ts";

/** `day` is `2031-05-17`; `timeZone` a name such as `Europe/Berlin`. The answer is in UTC: `2031-05-17T21:59:59Z`. */
export function endOfDay(day: string, timeZone: string): string {
  return `${wallAt(instantAt(`${day}T${lastSecond}`, timeZone), "UTC")}Z`;
}

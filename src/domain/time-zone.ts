// Which names of time zones this program can work with: those of the IANA database.

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** As 2026-12-08. */
export const dayIn = (timeZone: string, atMs: number): string =>
  new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone }).format(atMs);

/** For a prompt: the day with its weekday and the time. */
export function tellTime(nowMs: number, timeZone: string): string {
  const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short", timeZone }).format(nowMs);
  return `${words} (${timeZone})`;
}

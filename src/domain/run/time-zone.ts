// Which names of time zones this program can work with: those of the IANA database.

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** For a prompt: the day with its weekday and the time. */
export function tellTime(nowMs: number, timeZone: string): string {
  const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short", timeZone }).format(nowMs);
  return `${words} (${timeZone})`;
}

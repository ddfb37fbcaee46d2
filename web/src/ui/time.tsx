// A moment, told relative to now, with the exact time on hover.

import { dateAndTime, timeAgo } from "../lib/dates.ts";

export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={dateAndTime(at)}>
      {timeAgo(at, Date.now())}
    </time>
  );
}

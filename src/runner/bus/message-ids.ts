// Ids of messages: `MSG-YYYYMMDD-HHMMSS-<ns>-PID<5 digits>-<4 digits>`. They are made while the bus is locked and are later than the last
// one in it, so in one bus the order of ids is the order of messages, also when a clock was set back.

import { timeAfter } from "../layout/ids.ts";
import { type NanoClock, parseStamp, toIso, toNanoStamp } from "../layout/timestamps.ts";

export type MessageIds = {
  /** Later than `last`, which other processes may have written. */
  readonly next: (last: bigint | null) => { readonly id: string; readonly ts: string; readonly nanos: bigint };
};

export function makeMessageIds(nanos: NanoClock, pid: number): MessageIds {
  const process = String(pid % 100_000).padStart(5, "0");
  let made = 0;
  return {
    next: (last) => {
      const time = timeAfter(last, nanos(), (known) => known + 1n);
      made = (made + 1) % 10_000;
      const id = `MSG-${toNanoStamp(time)}-PID${process}-${String(made).padStart(4, "0")}`;
      return { id, ts: toIso(time), nanos: time };
    },
  };
}

/** Null: not an id of this form. */
export const timeOfMessage = (id: string): bigint | null => (id.startsWith("MSG-") ? parseStamp(id.slice(4)) : null);

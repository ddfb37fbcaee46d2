// The history of a run in memory: numbers without gaps.

import type { RunRecord, SimEvent } from "./records.ts";
import type { Rules } from "./rules.ts";

export function withEvents(record: RunRecord, events: readonly SimEvent[], rules: Rules): RunRecord {
  const first = rules.firstSeq(record);
  const added = events.map((event, at) => ({ seq: first + at, event }));
  return { ...record, lastSeq: record.lastSeq + events.length, events: [...record.events, ...added] };
}

// Entries of a journal as stores take them, with boring defaults.

import type { RunEvent } from "../../src/domain/run/events.ts";
import { type EntryHead, plannerLane, type RecordedEntry } from "../../src/runs/ports/run-store.ts";

export const makeHead = (over: Partial<EntryHead> = {}): EntryHead => ({
  key: "a",
  lane: plannerLane,
  tool: null,
  args: null,
  ...over,
});

export function makeEntry(
  event: Extract<RunEvent, { type: "entry_recorded" }>,
  over: Partial<RecordedEntry> = {},
): RecordedEntry {
  const { entry: key, summary: did } = event;
  return { ...makeHead({ key }), kind: "tool", result: null, did, error: null, tookMs: 0, event, ...over };
}

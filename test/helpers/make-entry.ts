// Entries of a journal as stores take them, with boring defaults.

import type { RunEvent } from "../../src/domain/run/events.ts";
import { type EntryHead, plannerLane, type RecordedStep } from "../../src/runs/ports/run-store.ts";

export const makeHead = (over: Partial<EntryHead> = {}): EntryHead => ({
  key: "a",
  lane: plannerLane,
  tool: null,
  args: null,
  ...over,
});

export function makeEntry(
  event: Extract<RunEvent, { type: "step_recorded" }>,
  over: Partial<RecordedStep> = {},
): RecordedStep {
  const { step: key, summary: did } = event;
  return { ...makeHead({ key }), kind: "tool", result: null, did, error: null, tookMs: 0, event, ...over };
}

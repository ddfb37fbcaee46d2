// The events of a run that have come since it was last read, to be folded onto it. Pure.

import type { RunEvent } from "../../../../src/protocol/api.ts";

/** In order and once each, whatever a reconnect sends again; those that the run was read with already are let go. */
export function withEvent(held: readonly RunEvent[], event: RunEvent, known: number): readonly RunEvent[] {
  const kept = held.filter(({ seq }) => seq > known && seq !== event.seq);
  if (event.seq <= known) return kept;
  return [...kept, event].sort((one, other) => one.seq - other.seq);
}

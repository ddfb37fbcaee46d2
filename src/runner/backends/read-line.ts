// One line of an agent that prints events: its events, or words beside them.

import type { AgentEvent } from "./backend.ts";
import { type Fields, readEvents } from "./read-event.ts";
import type { Transcript } from "./transcript.ts";

export function readLine(
  transcript: Transcript,
  text: string,
  readEvent: (transcript: Transcript, event: Fields) => readonly AgentEvent[],
): readonly AgentEvent[] {
  const events = readEvents(text);
  transcript.aside(events.length === 0 ? text : null);
  return events.flatMap((event) => readEvent(transcript, event));
}

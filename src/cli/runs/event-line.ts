// One event of a run as one line for people. Pure; what models wrote cannot steer the terminal.

import type { RunEvent } from "../../protocol/api.ts";
import { parseEvent, type SaidEvent } from "../../protocol/said-event.ts";
import { eventWords } from "../../protocol/words/event.ts";
import { oneLine } from "../plain-text.ts";

/** The time is the event's own, in UTC. */
export function eventLine(event: RunEvent): string {
  const said = parseEvent(event);
  return `${event.at.slice(11, 19)}  ${oneLine(said === null ? event.type.replaceAll("_", " ") : eventWords(said))}`;
}

/** What a follower wants to hear of: no single calls of models, none of the platform's own notes, no end twice. */
export function isNews(event: RunEvent): boolean {
  const said = parseEvent(event);
  if (said === null) return false;
  if (said.type === "entry_recorded") return !said.is_bookkeeping && said.summary !== "";
  return !unremarkable.includes(said.type);
}

const unremarkable: readonly SaidEvent["type"][] = [
  "run_created",
  "run_admitted",
  "iteration_cost_update",
  "iteration_released",
  "run_waiting_on_user",
];

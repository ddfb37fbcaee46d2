// One event of a run as a row: its line, and the name and colour of its kind. Pure; an event of a kind that this version does not
// know is called by its name.

import type { RunEvent } from "../../../../../src/protocol/api.ts";
import { parseEvent, type SaidEvent } from "../../../../../src/protocol/said-event.ts";
import { eventWords } from "../../../../../src/protocol/words/event.ts";
import { tone } from "../../../lib/tones.ts";
import { wordsOf } from "../../../ui/wording.ts";

/** More than a line on any screen; the rest is in the raw event. */
const lineMax = 400;

export function eventLine(event: RunEvent): string {
  const said = parseEvent(event);
  const line = said === null ? wordsOf(event.type) : eventWords(said);
  return oneLine(line).slice(0, lineMax);
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

type Look = { readonly name: string; readonly color: string };

const looks: Readonly<Record<SaidEvent["type"], Look>> = {
  run_created: { name: "Run created", color: tone.plain },
  run_admitted: { name: "Left the queue", color: tone.plain },
  run_started: { name: "Run started", color: tone.plain },
  iteration_started: { name: "Iteration started", color: tone.atWork },
  iteration_released: { name: "Iteration released", color: tone.plain },
  entry_recorded: { name: "Step", color: tone.plain },
  checks_changed: { name: "Checks changed", color: tone.plain },
  checks_proven: { name: "Checks", color: tone.plain },
  iteration_cost_update: { name: "Cost", color: tone.plain },
  iteration_completed: { name: "Iteration ended", color: tone.atWork },
  run_holding: { name: "On hold", color: tone.plain },
  model_silent: { name: "Model silent", color: tone.plain },
  model_heard: { name: "Model answers", color: tone.plain },
  run_waiting_on_user: { name: "Question to you", color: tone.needsYou },
  run_answered: { name: "Answer", color: tone.strong },
  run_steered: { name: "Guidance", color: tone.strong },
  run_resumed: { name: "Run resumed", color: tone.plain },
  run_completed: { name: "Run completed", color: tone.passed },
  run_stopped: { name: "Run stopped", color: tone.plain },
  run_failed: { name: "Run failed", color: tone.failure },
  run_canceled: { name: "Run canceled", color: tone.plain },
  run_undone: { name: "Run undone", color: tone.plain },
  run_restored: { name: "Run restored", color: tone.plain },
};

/** By the name of its kind, which a newer server may have added. */
export const describeKind = (type: string): Look =>
  Object.hasOwn(looks, type) ? looks[type as SaidEvent["type"]] : { name: wordsOf(type), color: tone.plain };

export type EventFilter = { readonly types: readonly string[]; readonly text: string };

export const isFiltering = ({ types, text }: EventFilter): boolean => types.length > 0 || text.trim() !== "";

/** The text may be anywhere in the event, also in what only its raw form shows. */
export function matches(event: RunEvent, { types, text }: EventFilter): boolean {
  if (types.length > 0 && !types.includes(event.type)) return false;
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return true;
  return `${event.type} ${describeKind(event.type).name} ${eventLine(event)} ${JSON.stringify(event.event)}`
    .toLowerCase()
    .includes(wanted);
}

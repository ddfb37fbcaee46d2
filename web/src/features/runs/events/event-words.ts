// One event of a run as one readable line, and the colour of its kind. Pure; an event of a kind that this version does not
// know is called by its name.

import type { RunEvent } from "../../../../../src/protocol/api.ts";
import { counted, dollars } from "../../../../../src/protocol/figures.ts";
import { laneWords } from "../../../../../src/protocol/words/lane.ts";
import { parseEvent, type SaidEvent } from "../../../../../src/protocol/said-event.ts";
import { silenceWords } from "../../../../../src/protocol/words/silence.ts";
import { nameModel } from "../../../lib/model-name.ts";
import { tone } from "../../../lib/tones.ts";
import { stopWordsOf } from "../../../ui/run-words.ts";
import { wordsOf } from "../../../ui/wording.ts";

/** More than a line on any screen; the rest is in the raw event. */
const lineMax = 400;

export function eventLine(event: RunEvent): string {
  const said = parseEvent(event);
  const line = said === null ? wordsOf(event.type) : lineOf(said);
  return oneLine(line).slice(0, lineMax);
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function lineOf(said: SaidEvent): string {
  switch (said.type) {
    case "run_created":
      return `Handed over: ${said.objective}`;
    case "run_admitted":
      return "It is its turn";
    case "run_started":
      return "Work began";
    case "iteration_started":
      return `Iteration ${said.iteration} began${said.attempt === 1 ? "" : `, attempt ${said.attempt}`}`;
    case "iteration_released":
      return `Iteration ${said.iteration} was let go of; another attempt takes it up`;
    case "entry_recorded":
      return entryLine(said);
    case "checks_changed":
      return `${checksMoved(said)}: ${said.changes.join("; ")}${after(" — ", said.why)}`;
    case "checks_proven":
      return `${said.green} of ${counted(said.of, "check")} green`;
    case "iteration_cost_update":
      return `Asked ${answererOf(said.model)}: ${dollars(said.total_cost_micro_usd)} and ${counted(said.total_tokens, "token")} so far`;
    case "iteration_completed":
      return `Iteration ${said.iteration} ended${after(": ", said.summary)}${after(" — ", said.why)}`;
    default:
      return lineOfMove(said);
  }
}

function checksMoved({
  is_awaiting: isAsked,
  is_approved: isApproved,
}: Extract<SaidEvent, { type: "checks_changed" }>) {
  if (isAsked) return "Asked to change your criteria";
  return isApproved ? "Checks changed with your approval" : "Checks changed";
}

/** The planner does most; others are named. */
function entryLine({
  entry,
  summary,
  lane,
  is_failed: isFailed,
}: Extract<SaidEvent, { readonly type: "entry_recorded" }>): string {
  const words = `${isFailed ? "Failed: " : ""}${summary === "" ? entry : summary}`;
  return lane === undefined ? words : `${capitalized(laneWords(lane))} — ${words}`;
}

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** The rules of the demo must not be taken for a model. */
const answererOf = (model: string): string =>
  model.startsWith("demo/") ? "the demo model (rules, no AI)" : nameModel(model);

const after = (between: string, text: string): string => (text === "" ? "" : `${between}${text}`);

type Move = Exclude<
  SaidEvent,
  {
    readonly type:
      | "run_created"
      | "run_admitted"
      | "run_started"
      | "iteration_started"
      | "iteration_released"
      | "entry_recorded"
      | "checks_changed"
      | "checks_proven"
      | "iteration_cost_update"
      | "iteration_completed";
  }
>;

function lineOfMove(said: Move): string {
  switch (said.type) {
    case "run_holding":
      return `Waits for the provider: ${said.why}`;
    case "model_silent":
      return `${silenceWords(said, said.silent_ms)} (${said.model})`;
    case "model_heard":
      return "The model answers again";
    case "run_waiting_on_user":
      return `Needs you: ${said.questions[0]?.text ?? said.reason}`;
    case "run_completed":
      return `Completed: ${said.why}`;
    case "run_stopped":
      return `Stopped because ${stopWordsOf(said.reason)}: ${said.why}`;
    case "run_failed":
      return `Failed: ${said.why}`;
    case "run_canceled":
      return "Canceled";
    case "run_resumed":
      return `Resumed with iteration ${said.iteration}`;
    case "run_answered":
      return `You answered${after(": ", said.answers.map(({ text }) => text).join(" · "))}`;
    case "run_steered":
      return `You wrote: ${said.message}`;
    case "run_undone":
      return `Undone: ${said.removed} removed, ${said.restored} put back${said.left === 0 ? "" : `, ${said.left} left`}`;
    case "run_restored":
      return `Restored: ${said.restored} brought back${said.left === 0 ? "" : `, ${said.left} left`}`;
  }
}

/** Where the name of a kind says how it is recorded and not what happened. */
const typeNames: Readonly<Record<string, string>> = {
  run_admitted: "Run’s turn",
  entry_recorded: "Step",
  iteration_cost_update: "Cost",
  checks_proven: "Checks",
  checks_changed: "Checks changed",
};

export const typeName = (type: string): string => typeNames[type] ?? wordsOf(type);

const typeColors: Readonly<Record<string, string>> = {
  run_completed: tone.passed,
  run_failed: tone.failure,
  run_stopped: tone.plain,
  run_waiting_on_user: tone.needsYou,
  run_holding: tone.plain,
  iteration_started: tone.atWork,
  iteration_completed: tone.atWork,
  run_steered: tone.strong,
  run_answered: tone.strong,
};

export const eventColor = (type: string): string => typeColors[type] ?? tone.plain;

export type EventFilter = { readonly types: readonly string[]; readonly text: string };

export const isFiltering = ({ types, text }: EventFilter): boolean => types.length > 0 || text.trim() !== "";

/** The text may be anywhere in the event, also in what only its raw form shows. */
export function matches(event: RunEvent, { types, text }: EventFilter): boolean {
  if (types.length > 0 && !types.includes(event.type)) return false;
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return true;
  return `${event.type} ${typeName(event.type)} ${eventLine(event)} ${JSON.stringify(event.event)}`
    .toLowerCase()
    .includes(wanted);
}

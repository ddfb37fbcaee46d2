// One event of a run as one line for people. Pure; what models wrote cannot steer the terminal.

import type { RunEvent } from "../../protocol/api.ts";
import { counted, dollars } from "../../protocol/figures.ts";
import { laneWords } from "../../protocol/lane-words.ts";
import { parseEvent, type Said, type SaidEvent } from "../../protocol/said-event.ts";
import { oneLine } from "../plain-text.ts";

/** The time is the event's own, in UTC. */
export function eventLine(event: RunEvent): string {
  const said = parseEvent(event);
  return `${event.at.slice(11, 19)}  ${oneLine(said === null ? event.type.replaceAll("_", " ") : wordsFor(said))}`;
}

/** The compiler has seen that every type has words for its own events. */
const wordsFor = (said: SaidEvent): string => (words[said.type] as (event: SaidEvent) => string)(said);

const words: { readonly [Type in SaidEvent["type"]]: (said: Said<Type>) => string } = {
  run_created: ({ objective }) => `created: ${objective}`,
  run_admitted: () => "its turn: it has a slot",
  run_started: () => "started",
  iteration_started: ({ iteration, attempt }) =>
    `iteration ${iteration} started${attempt === 1 ? "" : `, attempt ${attempt}`}`,
  entry_recorded: (said) => `iteration ${said.iteration}: ${entryWords(said)}`,
  checks_changed: ({ is_awaiting, changes }) =>
    `${is_awaiting ? "checks would change" : "checks changed"}: ${changes.join("; ")}`,
  checks_proven: ({ iteration, green, of }) => `iteration ${iteration}: ${green} of ${counted(of, "check")} green`,
  iteration_cost_update: (said) =>
    `called ${modelWords(said.model)}: ${dollars(said.total_cost_micro_usd)} so far, ${counted(said.total_tokens, "token")}`,
  iteration_completed: ({ iteration, summary, decision, why }) =>
    `iteration ${iteration} ended${summary === "" ? "" : `: ${summary}`} (${decision}: ${why})`,
  iteration_released: ({ iteration }) => `iteration ${iteration} was let go of; another worker goes on with it`,
  run_holding: ({ why }) => `waits for the provider: ${why}`,
  run_waiting_on_user: ({ reason }) => `waits for you: ${reason}`,
  run_completed: ({ why }) => `completed: ${why}`,
  run_stopped: ({ reason, why }) => `stopped (${reason}): ${why}`,
  run_failed: ({ why }) => `failed: ${why}`,
  run_canceled: () => "canceled",
  run_resumed: ({ iteration }) => `resumed with iteration ${iteration}`,
  run_answered: () => "answered",
  run_steered: ({ message }) => `you wrote: ${message}`,
  run_undone: ({ removed, restored, left }) =>
    `undone: ${removed} removed, ${restored} put back${left === 0 ? "" : `, ${left} left`}`,
};

/** The planner does most; others are named. */
function entryWords({ entry, summary, lane, is_failed: isFailed }: Said<"entry_recorded">): string {
  const done = `${isFailed ? "failed: " : ""}${summary === "" ? entry : summary}`;
  return lane === undefined ? done : `${laneWords(lane)}: ${done}`;
}

/** The rules of the demo must not be taken for a model. */
const modelWords = (model: string) => (model.startsWith("demo/") ? "the demo model (rules, no AI)" : model);

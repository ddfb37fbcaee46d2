// One event of a run as one line for people. Pure; what models wrote cannot steer the terminal.

import type { RunEvent } from "../../protocol/api.ts";
import { counted, dollars } from "../../protocol/figures.ts";
import { laneWords } from "../../protocol/lane-words.ts";
import { parseEvent, type SaidEvent } from "../../protocol/said-event.ts";
import { oneLine } from "../plain-text.ts";

/** The time is the event's own, in UTC. */
export function eventLine(event: RunEvent): string {
  const said = parseEvent(event);
  return `${event.at.slice(11, 19)}  ${oneLine(said === null ? event.type.replaceAll("_", " ") : wordsOf(said))}`;
}

function wordsOf(said: SaidEvent): string {
  switch (said.type) {
    case "run_created":
      return `created: ${said.objective}`;
    case "run_admitted":
      return "its turn: it has a slot";
    case "run_started":
      return "started";
    case "iteration_started":
      return `iteration ${said.iteration} started${said.attempt === 1 ? "" : `, attempt ${said.attempt}`}`;
    case "step_recorded":
      return `iteration ${said.iteration}: ${stepWords(said)}`;
    case "checks_changed":
      return `${said.is_awaiting ? "checks would change" : "checks changed"}: ${said.changes.join("; ")}`;
    case "checks_proven":
      return `iteration ${said.iteration}: ${said.green} of ${counted(said.of, "check")} green`;
    case "iteration_cost_update":
      return `called ${modelWords(said.model)}: ${dollars(said.total_cost_micro_usd)} so far, ${counted(said.total_tokens, "token")}`;
    case "iteration_completed":
      return `iteration ${said.iteration} ended${after(": ", said.summary)} (${said.decision}: ${said.why})`;
    default:
      return wordsOfMove(said);
  }
}

/** The planner does most; others are named. */
function stepWords({
  step,
  summary,
  lane,
  is_failed: isFailed,
}: Extract<SaidEvent, { readonly type: "step_recorded" }>): string {
  const words = `${isFailed ? "failed: " : ""}${summary === "" ? step : summary}`;
  return lane === undefined ? words : `${laneWords(lane)}: ${words}`;
}

/** The rules of the demo must not be taken for a model. */
const modelWords = (model: string) => (model.startsWith("demo/") ? "the demo model (rules, no AI)" : model);

type Move = Exclude<
  SaidEvent,
  {
    readonly type:
      | "run_created"
      | "run_admitted"
      | "run_started"
      | "iteration_started"
      | "step_recorded"
      | "checks_changed"
      | "checks_proven"
      | "iteration_cost_update"
      | "iteration_completed";
  }
>;

function wordsOfMove(said: Move): string {
  switch (said.type) {
    case "iteration_released":
      return `iteration ${said.iteration} was let go of; another worker goes on with it`;
    case "run_holding":
      return `waits for the provider: ${said.why}`;
    case "run_waiting_on_user":
      return `waits for you: ${said.reason}`;
    case "run_completed":
      return `completed: ${said.why}`;
    case "run_stopped":
      return `stopped (${said.reason}): ${said.why}`;
    case "run_failed":
      return `failed: ${said.why}`;
    case "run_canceled":
      return "canceled";
    case "run_resumed":
      return `resumed with iteration ${said.iteration}`;
    case "run_answered":
      return "answered";
    case "run_steered":
      return `you wrote: ${said.message}`;
    case "run_undone":
      return `undone: ${said.removed} removed, ${said.restored} put back${said.left === 0 ? "" : `, ${said.left} left`}`;
  }
}

const after = (between: string, text: string) => (text === "" ? "" : `${between}${text}`);

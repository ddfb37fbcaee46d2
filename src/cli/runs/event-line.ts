// One event of a run as one line for people. Pure; what models wrote cannot steer the terminal.

import type { RunEvent } from "../../protocol/api.ts";
import { counted, dollars } from "../../protocol/figures.ts";
import { laneWords } from "../../protocol/words/lane.ts";
import { parseEvent, type Said, type SaidEvent } from "../../protocol/said-event.ts";
import { silenceWords } from "../../protocol/words/silence.ts";
import { oneLine } from "../plain-text.ts";
import { entrySummary } from "./entry-words.ts";

/** The time is the event's own, in UTC. */
export function eventLine(event: RunEvent): string {
  const said = parseEvent(event);
  return `${event.at.slice(11, 19)}  ${oneLine(said === null ? event.type.replaceAll("_", " ") : wordsFor(said))}`;
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

/** The compiler has seen that every type has words for its own events. */
const wordsFor = (said: SaidEvent): string => (words[said.type] as (event: SaidEvent) => string)(said);

const words: { readonly [Type in SaidEvent["type"]]: (said: Said<Type>) => string } = {
  run_created: ({ objective }) => `Created: ${objective}`,
  run_admitted: () => "Left the queue",
  run_started: () => "Started",
  iteration_started: ({ iteration, attempt }) =>
    `Iteration ${iteration} started${attempt === 1 ? "" : `, attempt ${attempt}`}`,
  entry_recorded: (said) => entryWords(said),
  checks_changed: ({ is_awaiting, is_approved, changes, why }) => {
    const what = is_awaiting ? "Asked to change your criteria" : "Checks changed";
    return `${what}${is_approved ? " with your approval" : ""}: ${changes.join("; ")}. Reason: ${why}`;
  },
  checks_proven: ({ green, of }) => `${green} of ${counted(of, "check")} passed`,
  iteration_cost_update: (said) =>
    `Called ${modelWords(said.model)}: ${dollars(said.total_cost_micro_usd)} so far, ${counted(said.total_tokens, "token")}`,
  iteration_completed: ({ iteration, summary, why }) =>
    `Iteration ${iteration} ended: ${summary === "" ? why : summary}`,
  iteration_released: ({ iteration }) => `Iteration ${iteration} was handed to another worker`,
  model_silent: (said) => `${silenceWords(said, said.silent_ms)} (${said.model})`,
  model_heard: () => "The model answers again",
  run_holding: ({ why }) => `Waiting for the model provider: ${why}`,
  run_waiting_on_user: ({ reason }) => `Waiting for your answer: ${reason}`,
  run_completed: ({ why }) => `Completed: ${why}`,
  run_stopped: ({ reason, why }) => `${reason === "paused" ? "Paused" : "Stopped"}: ${why}`,
  run_failed: ({ why }) => `Failed: ${why}`,
  run_canceled: () => "Canceled",
  run_resumed: ({ iteration }) => `Resumed with iteration ${iteration}`,
  run_answered: () => "Answer received",
  run_steered: ({ message }) => `Guidance received: ${message}`,
  run_undone: ({ removed, restored, left }) =>
    `Undone: ${removed} removed, ${restored} restored${left === 0 ? "" : `, ${left} left in place`}`,
  run_restored: ({ restored, left }) =>
    `Restored: ${restored} brought back${left === 0 ? "" : `, ${left} left as it is`}`,
};

/** The planner does most; others are named. */
function entryWords({ entry, summary, lane, is_failed: isFailed }: Said<"entry_recorded">): string {
  const done = `${isFailed ? "Failed: " : ""}${summary === "" ? entry : entrySummary(summary)}`;
  return lane === undefined ? done : `${laneWords(lane)}: ${done}`;
}

/** The rules of the demo must not be taken for a model. */
const modelWords = (model: string) => (model.startsWith("demo/") ? "the demo model (rules, no AI)" : model);

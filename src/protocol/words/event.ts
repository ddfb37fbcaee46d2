// What happened to a run, each event in a line: the same in the list of a page and in the terminal. Pure. A line may have several
// rows and hold what models wrote: who shows it makes it one row.

import { describeHold } from "../../domain/run/provider/describe-hold.ts";
import { counted, dollars } from "../figures.ts";
import type { Said, SaidEvent } from "../said-event.ts";
import { tellPassed } from "./check-count.ts";
import { entrySummary } from "./entry.ts";
import { laneWords } from "./lane.ts";
import { nameModel } from "./model.ts";
import { silenceWords } from "./silence.ts";

/** The compiler has seen that every type has words for its own events. */
export const eventWords = (said: SaidEvent): string => (words[said.type] as (said: SaidEvent) => string)(said);

const words: { readonly [Type in SaidEvent["type"]]: (said: Said<Type>) => string } = {
  run_created: ({ objective }) => `Created: ${objective}`,
  run_admitted: () => "Left the queue",
  run_started: () => "Started",
  iteration_started: ({ iteration, attempt }) =>
    `Iteration ${iteration} started${attempt === 1 ? "" : `, attempt ${attempt}`}`,
  iteration_released: ({ iteration }) => `Iteration ${iteration} was handed to another worker`,
  entry_recorded: (said) => entryWords(said),
  checks_changed: (said) => changeWords(said),
  checks_proven: ({ green, of }) => tellPassed(green, of),
  iteration_cost_update: ({ model, total_cost_micro_usd: micro, total_tokens: tokens }) =>
    `Called ${modelWords(model)}: ${dollars(micro)} and ${counted(tokens, "token")} so far`,
  iteration_completed: ({ iteration, summary, why }) =>
    `Iteration ${iteration} ended: ${[summary, why].filter((each) => each !== "").join(" · ")}`,
  model_silent: (said) => `${silenceWords(said, said.silent_ms)} (${nameModel(said.model)})`,
  model_heard: () => "The model answers again",
  run_holding: ({ why }) => describeHold(why),
  run_waiting_on_user: ({ questions, reason }) => `Waiting for your answer: ${questions[0]?.text ?? reason}`,
  run_answered: ({ answers }) => `Answer received: ${answers.map(({ text }) => text).join(" · ")}`,
  run_steered: ({ message }) => `Guidance received: ${message}`,
  run_resumed: ({ iteration }) => `Resumed with iteration ${iteration}`,
  run_completed: ({ why }) => `Completed: ${why}`,
  run_stopped: ({ reason, why }) => `${reason === "paused" ? "Paused" : "Stopped"}: ${why}`,
  run_failed: ({ why }) => `Failed: ${why}`,
  run_canceled: () => "Canceled",
  run_undone: ({ removed, restored, left }) =>
    `Undone: ${removed} removed, ${restored} restored${left === 0 ? "" : `, ${left} left in place`}`,
  run_restored: ({ restored, left }) =>
    `Restored: ${restored} brought back${left === 0 ? "" : `, ${left} left as it is`}`,
};

/** The planner does most; others are named. */
function entryWords({ entry, summary, lane, is_failed: isFailed }: Said<"entry_recorded">): string {
  const done = `${isFailed ? "Failed: " : ""}${summary === "" ? entry : entrySummary(summary)}`;
  if (lane === undefined) return done;
  const who = laneWords(lane);
  return `${who.charAt(0).toUpperCase()}${who.slice(1)}: ${done}`;
}

function changeWords({ is_awaiting: isAsked, is_approved: isApproved, changes, why }: Said<"checks_changed">): string {
  const what = isAsked ? "Asked to change your criteria" : "Checks changed";
  return `${what}${isApproved ? " with your approval" : ""}: ${changes.join("; ")}${why === "" ? "" : `. Reason: ${why}`}`;
}

/** The rules of the demo must not be taken for a model. */
const modelWords = (model: string): string =>
  model.startsWith("demo/") ? "the demo model (rules, no AI)" : nameModel(model);

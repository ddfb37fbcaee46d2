// What the user is told when a run has ended, needs them or is delayed: a title, a sentence, and where to look.

import { cutAtWord } from "../../../lib/slice-text.ts";
import type { AskedQuestion } from "../../channel/asked.ts";
import type { Notification } from "../../notification.ts";
import type { NotifiedStatus } from "../effects.ts";
import { describeHold } from "../provider/describe-hold.ts";
import type { Question } from "../question.ts";
import { type Run, tellStatus } from "../run.ts";
import type { Report } from "./report-shape.ts";
import { reportWords } from "./report-words.ts";

/** In the words of reports; a run that is held up has none. */
const nameEvent = (event: NotifiedStatus): string =>
  event === "holding" ? "Homework is delayed" : reportWords.en.titles[event];

const messageMax = 300;
/** Of what is asked and reported: enough to answer by, and a message of a chat has room for it. */
const questionMax = 600;
const optionMax = 100;
const openingMax = 800;

/** A run, as notifications name it. */
export const aboutRun = ({ id }: Pick<Run, "id">): string => `run:${id}`;

/** Of a run on a task only what needs its user: how it ended is observed, and its outcome tells what comes of that. */
export const isToldToUser = ({ outcomeTaskId }: Pick<Run, "outcomeTaskId">, event: NotifiedStatus): boolean =>
  outcomeTaskId === null || event === "waiting_on_user" || event === "holding";

/** `why` is said instead of how it stands. */
export function notificationFor(run: Run, event: NotifiedStatus, why: string | null = null): Notification {
  const message = `${nameObjective(run.objective)}: ${why ?? describeState(run)}`;
  const { runningMs, tokens, costMicroUsd } = run.spent;
  return {
    userId: run.userId,
    about: aboutRun(run),
    event,
    title: nameEvent(event),
    message: cutAtWord(message, messageMax),
    actionUrl: `/homework/runs/${run.id}`,
    data: {
      run_id: run.id,
      status: run.state.status,
      duration_ms: runningMs,
      iterations: run.state.iteration,
      tokens,
      cost_micro_usd: costMicroUsd,
      cost_usd: costMicroUsd / 1_000_000,
      ...(run.state.status === "waiting_on_user"
        ? { name: nameObjective(run.objective), questions: run.state.questions.map(toAsked) }
        : {}),
    },
  };
}

/** With how its report begins. */
export const withOpening = (told: Notification, { summary }: Pick<Report, "summary">): Notification => ({
  ...told,
  data: { ...told.data, opening: cutAtWord(summary.trim(), openingMax) },
});

/** Options of a run are texts; their place is their id. */
const toAsked = ({ id, text, options }: Question): AskedQuestion => ({
  id,
  text: cutAtWord(text, questionMax),
  options: options.map((label, at) => ({ id: String(at), label: cutAtWord(label, optionMax) })),
});

function describeState({ state }: Run): string {
  switch (state.status) {
    case "completed":
      return `${state.proofs.length} ${state.proofs.length === 1 ? "check" : "checks"} passed`;
    case "stopped":
    case "failed":
      return state.detail;
    case "waiting_on_user":
      return state.questions.map(({ text }) => text).join(" / ");
    case "running":
      return state.hold === null ? "it is running" : describeHold(state.hold.why);
    default:
      return `it is ${tellStatus(state.status)}`;
  }
}

const lineMax = 80;

/** The objective in a line, for titles. */
export function nameObjective(objective: string): string {
  const line = objective.trim().split("\n", 1)[0]?.trim() ?? "";
  return cutAtWord(line, lineMax);
}

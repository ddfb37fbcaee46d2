// How a notification reads today: what it is about, what was told, and whether that still holds. Pure.

import type { ListedNotification } from "../../../../src/protocol/api.ts";
import { dollars } from "../../../../src/protocol/figures.ts";
import { messageOf } from "../../ui/notification-message.ts";
import { plainWords } from "../../ui/plain-words.ts";
import { answerWord } from "../../ui/run-words.ts";

/** What the run is called; else what the notification is called. */
export const subjectOf = ({ run, title }: Pick<ListedNotification, "run" | "title">): string => run?.title ?? title;

/** `Homework complete, undone since`: what happened to a run, and what has come of it. Null: its place in the list says it. */
export function happenedWords({ run, event, title }: Pick<ListedNotification, "run" | "event" | "title">) {
  if (run === null || isWaiting({ run, event })) return null;
  if (run.is_undone) return `${title}, undone since`;
  return event === "waiting_on_user" ? `${title}, answered since` : title;
}

/** The run that it is about still waits for its user. */
export const isWaiting = ({ run, event }: Pick<ListedNotification, "run" | "event">): boolean =>
  event === "waiting_on_user" && run?.status === "waiting_on_user";

type Told = Pick<ListedNotification, "run" | "event" | "message" | "data">;

/** With how the report begins, where there is one. Null: what was told was taken back. */
export function toldWords(item: Told): string | null {
  if (item.run?.is_undone) return null;
  const message = messageOf(item);
  const { opening } = item.data;
  if (item.event !== "completed" || typeof opening !== "string" || opening.trim() === "") return message;
  return `${message}. ${plainWords(opening).replaceAll(/\s+/g, " ").trim()}`;
}

/** What the run had cost by then; null where it cost nothing, or is not known. */
export function costWords({ data: { cost_micro_usd: cost } }: Pick<Told, "data">): string | null {
  return typeof cost === "number" && cost > 0 ? dollars(cost) : null;
}

const steps: Readonly<Record<string, string>> = {
  completed: "Open result",
  failed: "Open and retry",
  stopped: "Open and resume",
};

/** What one does about it on the page of its run, as long as the run is as it was told; null: it is about no run. */
export function stepWord(item: Told): string | null {
  const { run, event } = item;
  if (run === null) return null;
  if (isWaiting(item)) return answerWord(messageOf(item));
  return (run.is_undone || run.status !== event ? undefined : steps[event]) ?? "Open run";
}

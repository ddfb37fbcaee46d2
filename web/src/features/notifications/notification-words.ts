// How a notification reads today: what it is about, what was told, and whether that still holds. Pure.

import type { ListedNotification } from "../../../../src/protocol/api.ts";
import { messageOf } from "../../ui/notification-message.ts";
import { answerWord } from "../../ui/run-words.ts";

/** What the run is called; else what the notification is called. */
export const subjectOf = ({ run, title }: Pick<ListedNotification, "run" | "title">): string => run?.title ?? title;

/** What has come of it since; null: it is as it was told. */
export function sinceWords({ run, event }: Pick<ListedNotification, "run" | "event">): string | null {
  if (run === null) return null;
  if (run.is_undone) return "Undone since";
  if (event === "waiting_on_user" && run.status !== "waiting_on_user") return "Answered";
  return null;
}

/** The run that it is about still waits for its user. */
export const isWaiting = ({ run, event }: Pick<ListedNotification, "run" | "event">): boolean =>
  event === "waiting_on_user" && run?.status === "waiting_on_user";

const steps: Readonly<Record<string, string>> = {
  completed: "Open result",
  failed: "Open and retry",
  stopped: "Open and resume",
};

/** What one does about it on the page of its run, as long as the run is as it was told; null: nothing but look. */
export function stepWord(item: Pick<ListedNotification, "run" | "event" | "message">): string | null {
  const { run, event } = item;
  if (run === null || run.is_undone || run.status !== event) return null;
  return isWaiting(item) ? answerWord(messageOf(item)) : (steps[event] ?? null);
}

// Several things that are told at about the same time share one toast: which ones belong together, and what is said of many. Pure.

import type { Notification } from "../../../../src/protocol/api.ts";

export type Told = Pick<Notification, "id" | "run_id" | "event">;
export type ToastGroup = "questions" | "ends" | "others";

/** `address`: where all of them can be seen. */
export type ManyWords = { readonly title: string; readonly address: string };

const groups: Readonly<Record<string, ToastGroup>> = {
  waiting_on_user: "questions",
  escalation: "questions",
  completed: "ends",
  stopped: "ends",
  failed: "ends",
  outcome_achieved: "ends",
  outcome_stopped: "ends",
};

export const toastGroup = ({ event }: Pick<Told, "event">): ToastGroup => groups[event] ?? "others";

/** What is told again of the same thing replaces what was told before. */
export function addTold<Each extends Told>(shown: readonly Each[], told: Each): readonly Each[] {
  return [...shown.filter(({ id }) => id !== told.id), told];
}

/** For two or more of one group. */
export function describeMany(told: readonly Told[], group: ToastGroup): ManyWords {
  const isRuns = told.every((each) => each.run_id !== null);
  const isOutcomes = told.every((each) => each.run_id === null);
  const things = `${told.length} ${isRuns ? "runs" : isOutcomes ? "outcomes" : "runs and outcomes"}`;
  const place = isRuns ? "/homework" : isOutcomes ? "/outcomes" : "/notifications";
  if (group === "questions") return { title: `${things} need you`, address: isRuns ? "/homework#needs-you" : place };
  if (group === "others") return { title: `${told.length} notifications`, address: "/notifications" };
  const isGood = told.every(({ event }) => event === "completed" || event === "outcome_achieved");
  return { title: `${things} ${isGood ? "finished" : "ended"}`, address: place };
}

const worstFirst = ["failed", "stopped", "outcome_stopped"];

/** The event whose colour the toast has: the worst of them. */
export function worstEvent(told: readonly Told[]): string {
  const events = told.map(({ event }) => event);
  return worstFirst.find((event) => events.includes(event)) ?? events.at(-1) ?? "";
}

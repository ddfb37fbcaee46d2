// How a task's facts read on the screen. Pure.

import type { OutcomeTask, OutcomeTaskDetail } from "../../../../../src/protocol/api.ts";
import { tone } from "../../../lib/tones.ts";

export type TaskStatus = OutcomeTask["status"];

export const taskStatusColors: Readonly<Record<TaskStatus, string>> = {
  pending: tone.plain,
  running: tone.atWork,
  paused: tone.needsYou,
  failed: tone.failure,
  completed: tone.passed,
  obsolete: tone.plain,
};

const makerWords: Readonly<Record<OutcomeTask["made_by"], string>> = {
  user: "Added by you",
  planner: "From the plan",
  homr: "Added by HOMЯ",
  reviewer: "Added by the review",
};

export const attemptWords: Readonly<Record<OutcomeTaskDetail["runs"][number]["state"], string>> = {
  running: "Running",
  completed: "Completed",
  failed: "Failed",
  canceled: "Canceled",
};

/** Lower comes first, so what is below the usual 100 is more urgent. */
export const priorityPresets = [
  { value: 10, label: "Urgent" },
  { value: 50, label: "High" },
  { value: 100, label: "Normal" },
  { value: 200, label: "Low" },
] as const;

export function priorityWord(priority: number): string {
  if (priority < 25) return "Urgent";
  if (priority < 100) return "High";
  return priority === 100 ? "Normal" : "Low";
}

export const isSettled = ({ status }: Pick<OutcomeTask, "status">): boolean =>
  status === "completed" || status === "obsolete";

export const nameTask = ({ number, title }: Pick<OutcomeTask, "number" | "title">): string => `#${number} ${title}`;

/** `#1, #2 and #5`. */
export function listNumbers(tasks: readonly Pick<OutcomeTask, "number">[]): string {
  const names = tasks.map(({ number }) => `#${number}`);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const refusedKey = /\bprovider\b.*\b(?:key|credentials)\b|\binvalid[ _]api[ _]key\b/is;

/** A key that a model's provider refused is told without the number of the answer, and with the place where keys are. */
export function failureWords(failure: string): string {
  if (!refusedKey.test(failure)) return failure;
  const said = failure.replace(/\s*\(401\)/g, "").trim();
  return `${/[.!?]$/.test(said) ? said : `${said}.`} Keys are in Settings → Models.`;
}

type Origin = Pick<OutcomeTask, "made_by" | "corrects" | "split_of">;

/** Where the task comes from: `Added by HOMЯ · corrects #3`. */
export function originWords(task: Origin, tasks: readonly OutcomeTask[]): string {
  const numberOf = (id: string | null) => tasks.find((other) => other.id === id)?.number;
  const corrects = numberOf(task.corrects);
  const whole = numberOf(task.split_of);
  return [
    makerWords[task.made_by],
    ...(corrects === undefined ? [] : [`corrects #${corrects}`]),
    ...(whole === undefined ? [] : [`part of #${whole}`]),
  ].join(" · ");
}

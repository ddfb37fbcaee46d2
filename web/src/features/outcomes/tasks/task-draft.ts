// What the form of a task holds, what has to be right before it is sent, and what is sent: a new task, or what was changed of one. Pure.

import type { OutcomeTask, routes } from "../../../../../src/protocol/api.ts";
import { runLimits, taskLimits } from "../../../../../src/protocol/kinds.ts";
import type { RouteInput } from "../../../../../src/protocol/route.ts";
import type { CheckDraft, HomeworkDraft } from "../../../ui/composer/homework-draft.ts";
import { checkOf, checkProblems, type FieldErrors, type GivenCheck } from "../../../ui/composer/homework-request.ts";
import type { StaleField } from "../../../ui/stale-choice.tsx";

export type KeptCheck = OutcomeTask["completion_criteria"][number];
export type GateDraft = {
  readonly key: string;
  kind: OutcomeTask["gates"][number]["kind"];
  label: string;
};

export type TaskDraft = {
  title: string;
  description: string;
  /** Empty while it is being typed. */
  priority: number | string;
  maxAttempts: number | string;
  /** Checks that the task has already. */
  kept: KeptCheck[];
  checks: CheckDraft[];
  engine: HomeworkDraft["engine"];
  /** Of a new task alone. */
  dependsOn: string[];
  gates: GateDraft[];
};

export const emptyTask = (engine: HomeworkDraft["engine"]): TaskDraft => ({
  title: "",
  description: "",
  priority: 100,
  maxAttempts: 3,
  kept: [],
  checks: [],
  engine,
  dependsOn: [],
  gates: [],
});

export const draftOf = (task: OutcomeTask, engine: HomeworkDraft["engine"]): TaskDraft => ({
  ...emptyTask(engine),
  title: task.title,
  description: task.description,
  priority: task.priority,
  maxAttempts: task.max_attempts,
  kept: [...task.completion_criteria],
});

/** Field of the form → what is wrong with it. */
export function problemsOfTask(draft: TaskDraft): FieldErrors {
  const checks = draft.checks.flatMap((check, position) => checkProblems(check, position, draft.engine));
  const gates = draft.gates.map(
    ({ label }, at) => [`gates.${at}.label`, label.trim() === "" ? "Say what is needed" : null] as const,
  );
  const all = [
    ["title", draft.title.trim() === "" ? "Give the task a title" : null] as const,
    ["priority", numberProblem(draft.priority, taskLimits.priority)] as const,
    ["maxAttempts", numberProblem(draft.maxAttempts, taskLimits.attempts)] as const,
    ...checks,
    ...gates,
  ];
  return Object.fromEntries(all.filter((entry): entry is readonly [string, string] => entry[1] !== null));
}

function numberProblem(value: number | string, most: number): string | null {
  const isFine = value !== "" && Number.isInteger(Number(value)) && Number(value) >= 1 && Number(value) <= most;
  return isFine ? null : `A whole number from 1 to ${most.toLocaleString("en")}`;
}

export const checksLeft = ({ kept }: TaskDraft): number => runLimits.checks - kept.length;

type NewTask = RouteInput<typeof routes.outcomeTasks.create>["body"];

export const newTaskOf = (draft: TaskDraft): NewTask => ({
  title: draft.title.trim(),
  description: draft.description,
  priority: Number(draft.priority),
  max_attempts: Number(draft.maxAttempts),
  depends_on: draft.dependsOn,
  gates: draft.gates.map(({ kind, label }) => ({ kind, label: label.trim() })),
  completion_criteria: draft.checks.map(checkOf),
});

export type TaskPatch = Omit<RouteInput<typeof routes.outcomeTasks.update>["body"], "version">;

/** Only what differs from the task as it was read. */
export function patchOf(draft: TaskDraft, task: OutcomeTask): TaskPatch {
  const areChecksKept = draft.checks.length === 0 && draft.kept.length === task.completion_criteria.length;
  return {
    ...(draft.title.trim() === task.title ? {} : { title: draft.title.trim() }),
    ...(draft.description === task.description ? {} : { description: draft.description }),
    ...(Number(draft.priority) === task.priority ? {} : { priority: Number(draft.priority) }),
    ...(Number(draft.maxAttempts) === task.max_attempts ? {} : { max_attempts: Number(draft.maxAttempts) }),
    ...(areChecksKept ? {} : { completion_criteria: [...draft.kept.map(givenOf), ...draft.checks.map(checkOf)] }),
  };
}

/** A check as it was given; what it looks for is on the wire as it was. */
const givenOf = ({ kind, target }: KeptCheck): GivenCheck => ({ kind, ...target }) as GivenCheck;

/** After someone else saved first: what one wanted to save, beside what is there now. */
export function staleFieldsOf(patch: TaskPatch, current: OutcomeTask): readonly StaleField[] {
  const field = (label: string, mine: unknown, theirs: unknown): StaleField[] =>
    mine === undefined ? [] : [{ label, mine: String(mine), theirs: String(theirs) }];
  return [
    ...field("Title", patch.title, current.title),
    ...field("Description", patch.description, current.description),
    ...field("Priority", patch.priority, current.priority),
    ...field("Attempts", patch.max_attempts, current.max_attempts),
    ...field(
      "Checks",
      patch.completion_criteria && `${patch.completion_criteria.length} checks`,
      current.completion_criteria.map(({ about }) => about).join("\n"),
    ),
  ];
}

// A question to a person that HOMЯ cannot decide. While it is open, the tasks that it names are paused.

import type { AmbiguitySignal, QuestionOption } from "../observe/observation.ts";
import type { OutcomeId } from "../outcome.ts";
import type { TaskId } from "../tasks/task-id.ts";

export const failurePatternTypes = ["consecutive_failures", "declining_quality", "repeated_drift"] as const;
export type FailurePatternType = (typeof failurePatternTypes)[number];

export type EscalationTrigger =
  | AmbiguitySignal["type"]
  | FailurePatternType
  | "gate"
  | "security"
  | "stuck"
  | "blocked"
  | "budget";

/** What an answer makes the platform do. It belongs to the option and is never read out of its words. */
export const optionActions = [
  "proceed",
  "pause_outcome",
  "skip_tasks",
  "retry_tasks",
  "split_tasks",
  "raise_attempts",
  "satisfy_gate",
] as const;
export type OptionAction = (typeof optionActions)[number];

export type EscalationOption = QuestionOption & { readonly action: OptionAction };

/** The option of an answer in words alone: none of those that were offered. */
export const ownWords = "own_words";

/** Where every option makes the platform do something, words alone would leave things as they are. */
export const takesOwnWords = (options: readonly Pick<EscalationOption, "action">[]): boolean =>
  options.some(({ action }) => action === "proceed");

/** What was chosen, as people read it. `words`: what the person added. */
export const nameAnswer = (
  options: readonly Pick<EscalationOption, "id" | "label">[],
  chosen: string,
  words: string,
): string => options.find(({ id }) => id === chosen)?.label ?? (chosen === ownWords ? words.trim() : chosen);

export const escalationStatuses = ["pending", "pending_confirmation", "answered", "dismissed"] as const;

export type Escalation = {
  readonly id: string;
  readonly outcomeId: OutcomeId;
  readonly trigger: EscalationTrigger;
  /** Null: it is about the outcome as a whole. */
  readonly triggerTaskId: TaskId | null;
  readonly observationId: string | null;
  readonly evidence: readonly string[];
  readonly question: string;
  readonly context: string;
  /** Two to four. */
  readonly options: readonly EscalationOption[];
  readonly affectedTasks: readonly TaskId[];
  /** No task of the outcome begins while it is open, also none that comes later. */
  readonly isWholeOutcome: boolean;
  /** False: it asks, and the work goes on meanwhile. */
  readonly pauses: boolean;
  /** Chosen by itself at the deadline; null: it waits. */
  readonly defaultOption: string | null;
  readonly deadlineMs: number | null;
  readonly isTainted: boolean;
  readonly atMs: number;
  readonly state: EscalationState;
};

export type EscalationState =
  | { readonly status: "pending" }
  /** A model has answered and a person has to say yes or no to that. */
  | { readonly status: "pending_confirmation"; readonly proposed: Proposed }
  | { readonly status: "answered"; readonly answer: EscalationAnswer }
  | { readonly status: "dismissed"; readonly atMs: number; readonly why: string };

export type Proposed = { readonly option: string; readonly confidence: number; readonly reason: string };

export type EscalationAnswer = {
  readonly option: string;
  readonly additionalContext: string;
  readonly by: "human" | "homr" | "deadline";
  readonly atMs: number;
};

export const isOpenEscalation = ({ state }: Escalation): boolean =>
  state.status === "pending" || state.status === "pending_confirmation";

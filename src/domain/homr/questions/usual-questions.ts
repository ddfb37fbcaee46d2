// What is asked about doubts and failure patterns where no model wrote a question: a sentence and two to four options. What an option
// does is its action; only the platform's own options have another one than to go on.

import { unreachable } from "../../../lib/assert.ts";
import type { AmbiguitySignal } from "../observe/observation.ts";
import type { EscalationOption, FailurePatternType } from "./escalation.ts";

export type UsualQuestion = { readonly question: string; readonly options: readonly EscalationOption[] };

const goOn: EscalationOption = {
  id: "continue",
  label: "Continue with guidance",
  description: "Workers go on. What you add to your answer reaches all of them.",
  implications: "Nothing is undone; the same may happen again.",
  action: "proceed",
};
const pause: EscalationOption = {
  id: "pause",
  label: "Pause the outcome",
  description: "All tasks rest until you resume the outcome.",
  implications: "You can change intent, approach and tasks first.",
  action: "pause_outcome",
};
const skip: EscalationOption = {
  id: "skip",
  label: "Skip failing tasks",
  description: "Tasks whose attempts failed become obsolete.",
  implications: "Tasks that wait for them go on without them.",
  action: "skip_tasks",
};
const retry: EscalationOption = {
  id: "retry",
  label: "Continue with guidance",
  description: "Tasks that failed get one more attempt. What you add to your answer reaches all tasks.",
  implications: "Each attempt costs; without guidance it may fail for the same reason.",
  action: "retry_tasks",
};
const split: EscalationOption = {
  id: "split",
  label: "Break into subtasks",
  description: "Tasks whose attempts failed are replaced by smaller parts and a task that verifies them.",
  implications: "More and smaller tasks; what is written stays.",
  action: "split_tasks",
};

/** `canSplit`: there is a failing task that can be split. */
export function usualQuestion(
  trigger: FailurePatternType | AmbiguitySignal["type"],
  why: string,
  canSplit: boolean,
): UsualQuestion {
  switch (trigger) {
    case "unclear_requirement":
    case "multiple_approaches":
    case "blocking_decision":
    case "contradicting_info":
      return { question: `${why}. How should the work go on?`, options: [goOn, pause] };
    case "consecutive_failures":
      return {
        question: `${why}. What should be done about it?`,
        options: canSplit ? [retry, split, skip, pause] : [retry, skip, pause],
      };
    case "declining_quality":
    case "repeated_drift":
      return { question: `${why}. Should the work go on like this?`, options: [goOn, pause] };
    default:
      return unreachable(trigger);
  }
}

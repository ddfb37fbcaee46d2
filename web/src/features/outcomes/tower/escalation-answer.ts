// The answer to a question of HOMЯ while it is being given: what is missing, what is sent, and what each end of it reads like. Pure.

import type { Escalation } from "../../../../../src/protocol/api.ts";
import { nameAnswer, ownWords } from "../../../../../src/protocol/kinds.ts";

export type AnswerDraft = {
  /** An option's id, `own_words`, or null while nothing is chosen. */
  readonly option: string | null;
  readonly words: string;
  /** The person wants to think: the question is folded until they come back to it. */
  readonly isThinking: boolean;
};

const noAnswer: AnswerDraft = { option: null, words: "", isThinking: false };

/** As it was kept over a reload. */
export function readAnswer(kept: unknown): AnswerDraft {
  if (typeof kept !== "object" || kept === null) return noAnswer;
  const { option, words, isThinking } = kept as Partial<Record<keyof AnswerDraft, unknown>>;
  return {
    option: typeof option === "string" ? option : null,
    words: typeof words === "string" ? words : "",
    isThinking: isThinking === true,
  };
}

/** Why the answer cannot be sent yet; null: it can. */
export function missingOf({ option, words }: AnswerDraft): string | null {
  if (option === null) return "Choose an option first";
  return option === ownWords && words.trim() === "" ? "Write your answer first" : null;
}

export const toAnswerBody = ({ option, words }: AnswerDraft) => ({
  selected_option: option ?? "",
  ...(words.trim() === "" ? {} : { additional_context: words.trim() }),
});

export function pausedWords({ pauses, is_whole_outcome: isWhole, affected_numbers: numbers }: Escalation): string {
  if (!pauses) return "The work goes on meanwhile.";
  if (isWhole) return "No task starts until you answer.";
  if (numbers.length === 0) return "No task is paused.";
  const named = numbers.map((number) => `#${number}`).join(", ");
  return `Paused until you answer: ${numbers.length === 1 ? "task" : "tasks"} ${named}. Other tasks go on.`;
}

export const optionLabel = ({ question }: Escalation, id: string): string => nameAnswer(question.options, id, "");

/** How a question ended; null while it is open. */
export function endWords({ answer, dismissed, question }: Escalation): string | null {
  if (answer !== null) {
    const chosen = nameAnswer(question.options, answer.selected_option, answer.additional_context);
    return {
      human: `You answered: ${chosen}`,
      homr: `HOMЯ answered: ${chosen}`,
      deadline: `Chosen at the deadline: ${chosen}`,
    }[answer.by];
  }
  if (dismissed === null) return null;
  return dismissed.why === "" ? "Dismissed without an answer." : `Dismissed: ${dismissed.why}`;
}

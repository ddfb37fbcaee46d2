// The answers to what a run asks, as they are being given: which are there, which are missing, what is sent. Pure.

import type { Question } from "../../../../../src/protocol/run-view.ts";

/** By the question's id: one of its options, or words of one's own. */
export type Answer = { readonly option: string | null; readonly words: string };
export type Answers = Readonly<Record<string, Answer>>;

export const noAnswer: Answer = { option: null, words: "" };

/** As they were kept over a reload; values that are not answers are left out. */
export function readAnswers(kept: unknown): Answers {
  if (typeof kept !== "object" || kept === null) return {};
  return Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, Answer] => isAnswer(entry[1])));
}

function isAnswer(kept: unknown): kept is Answer {
  if (typeof kept !== "object" || kept === null || !("option" in kept) || !("words" in kept)) return false;
  return (kept.option === null || typeof kept.option === "string") && typeof kept.words === "string";
}

/** Words of one's own beside an option go with it; without one, they are the answer. */
function textOf({ option, words }: Answer): string {
  const own = words.trim();
  if (option === null) return own;
  return own === "" ? option : `${option}: ${own}`;
}

/** What a yes to a plan or to a change of checks is; anything else that is not a no is a wish. */
export const approve = "approve";
export const reject = "reject";
/** Chosen on the page only: the words are the answer. */
export const change = "change";

function approvalTextOf({ option, words }: Answer): string {
  if (option === approve || option === reject) return option;
  return words.trim();
}

const toText = (question: Question, answer: Answer) => (isApproval(question) ? approvalTextOf(answer) : textOf(answer));

/** A wish beside a yes is no yes. */
const isApproval = ({ kind }: Question) => kind === "approve_plan" || kind === "approve_checks";

/** Changes that wait are decided one by one, not in words. */
const inWords = (questions: readonly Question[]) => questions.filter(({ kind }) => kind !== "approve_writes");

export function missingAnswers(questions: readonly Question[], answers: Answers): number {
  return inWords(questions).filter((question) => toText(question, answers[question.id] ?? noAnswer) === "").length;
}

export function toBody(questions: readonly Question[], answers: Answers) {
  return inWords(questions).map((question) => ({
    question_id: question.id,
    text: toText(question, answers[question.id] ?? noAnswer),
  }));
}

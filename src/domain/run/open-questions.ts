// What the user is asked after an iteration. A planner that needs the user and asks nothing is taken at its word: what blocks
// it becomes the questions, and where it names nothing, what it last said becomes one.

import type { WorkedIteration } from "./iteration-result.ts";
import type { Question } from "./question.ts";

export function findQuestions({ questions, claim, summary }: WorkedIteration): readonly Question[] {
  const isNeeded = claim !== null && (claim.needsUserInput || (claim.exitSignal && claim.blockingQuestions.length > 0));
  if (questions.length > 0 || claim === null || !isNeeded) return questions;
  const blocking = claim.blockingQuestions.filter((text) => text.trim() !== "");
  const asked = blocking.length > 0 ? blocking : [askGenerally(claim.progressSummary.trim() || summary.trim())];
  return asked.map((text, n) => ({ id: `blocking-${n + 1}`, kind: "question", text, options: [] }));
}

const askGenerally = (said: string): string =>
  said === ""
    ? "The run needs your input but did not say on what. How should it go on?"
    : `The run needs your input. It last said: “${said}” How should it go on?`;

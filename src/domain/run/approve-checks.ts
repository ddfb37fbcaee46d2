// A change of checks that the user has to approve, as a question. Where the plan is up for approval in the same iteration, it is
// the same question: one answer settles both.

import type { Adopted } from "./adopt.ts";
import type { Question } from "./question.ts";

const checksQuestion = "approve-checks";

export function approveChecks(
  questions: readonly Question[],
  { changes, why }: Pick<Adopted, "changes" | "why">,
): readonly Question[] {
  const because = why.trim() === "" ? "" : `\n\nWhy: ${why.trim()}`;
  const shown = `${changes.map((change) => `- ${change}`).join("\n")}${because}`;
  const plan = questions.find(({ kind }) => kind === "approve_plan");
  if (plan !== undefined)
    return questions.map((each) =>
      each === plan ? { ...each, text: `${each.text}\n\nChecks that change:\n${shown}` } : each,
    );
  const own: Question = {
    id: checksQuestion,
    kind: "approve_plan",
    text: `The checks of this run would change after what you said:\n${shown}\n\nApprove, or say what to change.`,
    options: ["approve", "reject"],
  };
  return [...questions, own];
}

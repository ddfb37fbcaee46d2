// What the user is asked after an iteration: what the planner wants to know, what the policy needs their word for, and what
// the write mode wants approved. Only these make a run wait.

import type { PlannerAnswer } from "../domain/planner/answer.ts";
import type { Question } from "../domain/run/run.ts";
import { stagingOf } from "./call-tool.ts";
import type { Iteration } from "./iteration.ts";
import { askAboutStaged } from "./staging.ts";

export const planQuestion = "approve-plan";

export type AskedQuestion = Question & { readonly grants: string | null };

export async function questionsOf(it: Iteration, answer: PlannerAnswer): Promise<readonly AskedQuestion[]> {
  const granting = [...it.noticed.grants].map(
    ([grants, text], n): AskedQuestion => ({
      id: `allow-${n + 1}`,
      kind: "question",
      text,
      options: ["yes", "no"],
      grants,
    }),
  );
  const plain = [...planners(answer), ...(await modes(it))].map((question) => ({ ...question, grants: null }));
  return [...plain, ...granting];
}

/** Reserved ids are the platform's: a planner that uses one gets another, so that no answer of the user means more than it says. */
function planners({ questions, status }: PlannerAnswer): readonly Question[] {
  const asked = questions.map(
    ({ id, text, options }, n): Question => ({ id: `q${n + 1}-${plain(id)}`, kind: "question", text, options }),
  );
  if (asked.length > 0 || !status.needs_user_input) return asked;
  return status.blocking_questions.map((text, n) => ({ id: `q${n + 1}`, kind: "question", text, options: [] }));
}

const plain = (id: string) => id.replaceAll(/[^a-zA-Z0-9_-]/g, "-").slice(0, 60);

async function modes(it: Iteration): Promise<readonly Question[]> {
  if (it.phase === "plan_only")
    return [
      {
        id: planQuestion,
        kind: "approve_plan",
        text: "Here is the plan with its checks. Shall it go on like this? Anything but a yes is taken as what to change.",
        options: ["approve", "reject"],
      },
    ];
  if (it.run.permission.writeMode !== "per_write") return [];
  const question = await askAboutStaged(stagingOf(it));
  return question === null ? [] : [question];
}

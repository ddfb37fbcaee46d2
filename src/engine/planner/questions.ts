// What the user is asked after an iteration: what the planner wants to know, what the policy needs their word for, and what the
// write mode wants approved. Only these make a run wait.

import { clipLine } from "../../domain/planner/clip.ts";
import type { Question } from "../../domain/run/question.ts";
import { askAboutStaged } from "../tools/staging.ts";
import type { Iteration } from "./iteration.ts";
import { stagingOf } from "./run-host.ts";
import type { SessionState } from "./session-state.ts";

export const planQuestion = "approve-plan";
const openMax = 8;

export type AskedQuestion = Question & { readonly grants: string | null };

export async function gatherQuestions(it: Iteration, session: SessionState): Promise<readonly AskedQuestion[]> {
  const granting = [...it.noticed.grants].map(
    ([grants, text], n): AskedQuestion => ({
      id: `allow-${n + 1}`,
      kind: "question",
      text,
      options: ["yes", "no"],
      grants,
    }),
  );
  const own = session.questions.map(
    ({ text, options }, n): Question => ({ id: `q${n + 1}`, kind: "question", text, options }),
  );
  const plain = [...own, ...(await askForMode(it, session))].map((question) => ({ ...question, grants: null }));
  return [...plain, ...granting];
}

async function askForMode(it: Iteration, session: SessionState): Promise<readonly Question[]> {
  // Without a plan there is nothing to approve: the next iteration makes one.
  if (it.phase === "plan_only") return session.plan.steps.length === 0 ? [] : [askForPlan(session)];
  if (it.run.permission.writeMode !== "per_write") return [];
  const question = await askAboutStaged(stagingOf(it));
  return question === null ? [] : [question];
}

/** The run waits for its user anyway, so what it would only ask at the end is asked now. */
function askForPlan({ ended }: SessionState): Question {
  const open = (ended?.open_questions ?? []).slice(0, openMax).map((question) => `- ${clipLine(question, 300)}`);
  const text = [
    "Review the plan. Approve it, or say what to change.",
    ...(open.length === 0 ? [] : [`It would also like to know:\n${open.join("\n")}`]),
  ].join("\n\n");
  return { id: planQuestion, kind: "approve_plan", text, options: ["approve", "reject"] };
}

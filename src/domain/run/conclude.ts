// What an iteration leads to, from its result to what has to be committed: adopt what was promised, decide, advance.

import { advance } from "./advance.ts";
import { type Adopted, adopt, checksQuestion } from "./checks/adopt.ts";
import type { Move } from "./effects.ts";
import type { BreakerLimits } from "./gate/breakers.ts";
import { type Decision, decide } from "./gate/exit-gate.ts";
import type { IterationResult } from "./iteration-result.ts";
import type { Question } from "./question.ts";
import type { RunningRun } from "./run.ts";

export type Conclusion = { readonly decision: Decision; readonly move: Move };

/** `run` has in `spent` everything this iteration spent. */
export function conclude(run: RunningRun, result: IterationResult, limits: BreakerLimits): Conclusion {
  if (result.kind === "provider_fault") {
    const decision = decide(run, result, limits);
    return { decision, move: advance(run, result, decision) };
  }
  const adopted = adopt(run, result);
  const asked = adopted.asked.length > 0 ? { ...result, questions: askForChange(result.questions, adopted) } : result;
  const decision = decide(adopted.run, asked, limits);
  const changed = { ...adopted, hasPromised: adopted.run.checks !== run.checks };
  return { decision, move: advance(adopted.run, asked, decision, changed) };
}

/**
 * A change of checks that the user has to approve, as a question. Where the plan is up for approval in the same iteration, it is
 * the same question: one answer settles both.
 */
function askForChange(
  questions: readonly Question[],
  { asked, why }: Pick<Adopted, "asked" | "why">,
): readonly Question[] {
  const shown = `${asked.map((change) => `- ${change}`).join("\n")}\n\nThe planner's reason: ${why.trim()}`;
  const plan = questions.find(({ kind }) => kind === "approve_plan");
  if (plan !== undefined)
    return questions.map((each) =>
      each === plan ? { ...each, text: `${each.text}\n\nChecks that change:\n${shown}` } : each,
    );
  const own: Question = {
    id: checksQuestion,
    kind: "approve_checks",
    text: `The planner wants to change what you asked for:\n${shown}\n\nApprove the change, or reject it and keep your criteria.`,
    options: ["approve", "reject"],
  };
  return [...questions, own];
}

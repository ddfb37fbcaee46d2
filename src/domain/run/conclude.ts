// What an iteration leads to, from its result to what has to be committed: adopt what was promised, decide, advance.

import { type Adopted, adopt } from "./adopt.ts";
import { advance } from "./advance.ts";
import type { BreakerLimits } from "./breakers.ts";
import type { Move } from "./effects.ts";
import { type Decision, decide } from "./exit-gate.ts";
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
  const asked = isAsked(run, adopted) ? { ...result, questions: approveChecks(result.questions, adopted) } : result;
  const decision = decide(adopted.run, asked, limits);
  const changed = { ...adopted, hasPromised: adopted.run.checks !== run.checks };
  return { decision, move: advance(adopted.run, asked, decision, changed) };
}

const isAsked = (before: RunningRun, { run }: Adopted): boolean =>
  run.awaited !== null && run.awaited !== before.awaited;

const checksQuestion = "approve-checks";

/**
 * A change of checks that the user has to approve, as a question. Where the plan is up for approval in the same iteration, it is
 * the same question: one answer settles both.
 */
function approveChecks(
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

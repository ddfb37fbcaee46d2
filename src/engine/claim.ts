// The planner's status as the claim the gate judges. What contradicts itself is sorted out by the gate, not here.

import type { PlannerAnswer } from "../domain/planner/answer.ts";
import type { StatusClaim } from "../domain/run/claim.ts";

export function toClaim({ status, questions }: PlannerAnswer): StatusClaim {
  return {
    exitSignal: status.exit_signal,
    needsUserInput: status.needs_user_input || questions.length > 0,
    blockingQuestions: status.blocking_questions,
    progressSummary: status.progress_summary,
    remainingWork: status.remaining_work,
    completionEvidence: status.completion_evidence,
    nextActionHint: status.next_action_hint,
    confidence: status.confidence,
  };
}

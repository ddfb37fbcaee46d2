// How a session ended, as the claim the gate judges and as what the report will say. What contradicts itself is sorted out by the
// gate, not here.

import type { ArtifactRef } from "../../domain/plan/plan.ts";
import type { EndedSession } from "../../domain/planner/answer.ts";
import type { StatusClaim } from "../../domain/run/claim.ts";
import type { Closing } from "../../domain/run/closing.ts";
import type { SessionState } from "./session-state.ts";

export function toClaim({ ended, questions }: SessionState): StatusClaim | null {
  if (ended === null) return null;
  return {
    exitSignal: ended.exit_signal,
    needsUserInput: questions.length > 0,
    blockingQuestions: questions.map(({ text }) => text),
    progressSummary: ended.progress_summary,
    remainingWork: ended.remaining_work,
    completionEvidence: ended.completion_evidence,
    nextActionHint: ended.next_action_hint,
    confidence: ended.confidence,
  };
}

/** `primaryOutput`: what to open first, made or changed by this run. */
export function toClosing(ended: EndedSession | null, primaryOutput: ArtifactRef | null): Closing | null {
  if (ended === null) return null;
  return {
    primaryOutput,
    summary: ended.summary,
    openQuestions: ended.open_questions,
    unsure: ended.unsure,
    honoured: ended.honoured,
  };
}

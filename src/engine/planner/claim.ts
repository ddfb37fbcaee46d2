// How a session ended, as the claim the gate judges and as what the report will say. What contradicts itself is sorted out by the
// gate, not here; ids are believed only if this run made what they name.

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

/** `made`: what this run made or changed, by id. */
export function toClosing(
  ended: EndedSession | null,
  answer: ArtifactRef | null,
  made: ReadonlyMap<string, ArtifactRef>,
): Closing | null {
  if (ended === null) return null;
  return {
    primaryOutput: answer ?? made.get(ended.primary_output ?? "") ?? null,
    openQuestions: ended.open_questions,
    unsure: ended.unsure,
    honoured: ended.honoured,
  };
}

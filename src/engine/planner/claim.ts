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

/** `made`: what this run made or changed. */
export function toClosing(
  ended: EndedSession | null,
  answer: ArtifactRef | null,
  made: readonly (ArtifactRef & { readonly title: string })[],
): Closing | null {
  if (ended === null) return null;
  const wanted = ended.primary_output?.trim().toLowerCase() ?? "";
  // A model that ends in the answer in which it writes knows the title, but not the id yet.
  const primary = made.find(({ id, title }) => id === wanted || title.trim().toLowerCase() === wanted);
  return {
    primaryOutput: answer ?? (primary ? { kind: primary.kind, id: primary.id } : null),
    summary: ended.summary,
    openQuestions: ended.open_questions,
    unsure: ended.unsure,
    honoured: ended.honoured,
  };
}

// How a session ended, as the claim the gate judges and as what the report will say. What contradicts itself is sorted out by the
// gate, not here.

import type { ArtifactRef } from "../../domain/plan/plan.ts";
import type { EndedSession } from "../../domain/planner/answer.ts";
import { clipLine } from "../../domain/planner/clip.ts";
import { readStance, type StatusClaim } from "../../domain/run/gate/claim.ts";
import { parseStatusBlock, toClaim as toStatusClaim } from "../../domain/run/output/status-block.ts";
import { findUnfinished } from "../../domain/run/output/unfinished.ts";
import type { Closing } from "../../domain/run/report/closing.ts";
import type { SessionState } from "./session-state.ts";

/** Of an end that was refused, what speaks against it counts: what it names as missing, and what it needs of the user. */
export function toClaim({ ended, refusedEnd, questions }: SessionState): StatusClaim | null {
  const said = ended ?? refusedEnd;
  if (said === null) return null;
  const claim = {
    ...toStatusClaim(said),
    needsUserInput: said.needs_user_input || questions.length > 0,
    blockingQuestions: [...new Set([...questions.map(({ text }) => text), ...said.blocking_questions])],
  };
  return ended !== null || readStance(claim) === "against" ? claim : null;
}

/**
 * What a session without `end_iteration` says in prose. Its "done" is not believed, its "not done" is: a status block, or a sentence
 * that says so.
 */
export function readProse(text: string): StatusClaim | null {
  const block = parseStatusBlock(text);
  if (block.kind === "found") return block.claim.exitSignal ? null : block.claim;
  const sentence = findUnfinished(text);
  return sentence === null ? null : { ...notDone, remainingWork: [clipLine(sentence, 300)] };
}

const notDone: StatusClaim = {
  exitSignal: false,
  needsUserInput: false,
  blockingQuestions: [],
  progressSummary: "",
  remainingWork: [],
  completionEvidence: [],
  nextActionHint: null,
  confidence: null,
};

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

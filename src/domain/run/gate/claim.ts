// What the model says at the end of an iteration (the status block of seed and design), as far as it may be believed:
// a claim to be done, questions, and what it thinks remains. It decides nothing by itself.

export type StatusClaim = {
  readonly exitSignal: boolean;
  readonly needsUserInput: boolean;
  readonly blockingQuestions: readonly string[];
  readonly progressSummary: string;
  readonly remainingWork: readonly string[];
  readonly completionEvidence: readonly string[];
  readonly nextActionHint: "replan" | "execute" | "ask_user" | "stop" | null;
  readonly confidence: "low" | "medium" | "high" | null;
};

/**
 * What an iteration says about the end. `against`: something remains, or the user has to answer. `undecided`: it says that it is not
 * done and names nothing that remains, so it is asked what is missing. Neither is ever overruled; only no claim is silent.
 */
export type Stance = "done" | "against" | "undecided" | "silent";

export function readStance(claim: StatusClaim | null): Stance {
  if (claim === null) return "silent";
  if (claimsDone(claim)) return "done";
  const isOpen = claim.remainingWork.length > 0 || claim.needsUserInput || claim.blockingQuestions.length > 0;
  return isOpen ? "against" : "undecided";
}

/** A claim that contradicts itself is no claim: "done", but work remains or the user has to answer something. */
export function claimsDone(claim: StatusClaim | null): boolean {
  if (claim === null || !claim.exitSignal || claim.needsUserInput) return false;
  return claim.remainingWork.length === 0 && claim.blockingQuestions.length === 0;
}

// What one iteration brought back: the facts the gate judges. Either the provider kept us from working, or work was done.

import type { Plan } from "../plan/plan.ts";
import type { Spent } from "./budget.ts";
import type { Proof } from "./checks.ts";
import type { StatusClaim } from "./claim.ts";
import type { Question } from "./run.ts";

/** Not the run's doing, so it is never judged: neither failure nor progress. */
export type ProviderFault =
  /** A limit or an outage: the same iteration again, then. */
  | { readonly kind: "hold"; readonly untilMs: number; readonly why: string }
  /** Nothing helps but the user: a key that is refused, an account without money. */
  | { readonly kind: "auth" | "quota"; readonly why: string };

/** Changes of state. Reading is none of them. */
export type ProgressFacts = {
  readonly entitiesWritten: number;
  /** Checks that were red or new before and are green now. */
  readonly checksTurnedGreen: number;
};

export type WorkedIteration = {
  readonly kind: "worked";
  readonly spent: Spent;
  readonly claim: StatusClaim | null;
  readonly questions: readonly Question[];
  readonly proofs: readonly Proof[];
  /** The plan after this iteration. */
  readonly plan: Plan;
  /** What remained according to the last claim before this one; null where there was none. */
  readonly remainingBefore: number | null;
  readonly progress: ProgressFacts;
  /** Fingerprints (fingerprint.ts). */
  readonly actions: string | null;
  readonly error: string | null;
  readonly hasToolMiss: boolean;
};

export type IterationResult =
  | { readonly kind: "provider_fault"; readonly fault: ProviderFault; readonly spent: Spent }
  | WorkedIteration;

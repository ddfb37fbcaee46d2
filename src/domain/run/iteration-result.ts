// What one iteration brought back: the facts the gate judges. Either the provider kept us from working, or work was done.

import type { ArtifactRef, Plan } from "../plan/plan.ts";
import type { Check, Deliverable, Proof } from "./checks/check.ts";
import type { StatusClaim } from "./gate/claim.ts";
import type { Question } from "./question.ts";
import type { Closing } from "./report/closing.ts";

/** Not the run's doing, so it is never judged: neither failure nor progress. */
export type ProviderFault =
  /** A limit or an outage: the same iteration again, then. */
  | { readonly kind: "hold"; readonly untilMs: number; readonly why: string }
  /** Nothing helps but the user: a key that is refused, an account without money. */
  | { readonly kind: "auth" | "quota"; readonly why: string }
  /** The user has spent what they may in a month. */
  | { readonly kind: "monthly_quota"; readonly why: string };

/** What was written. Reading is no progress. */
export type ProgressFacts = {
  /** Contents that are new: changed by more than blanks, and never there before (`findNewStates`). */
  readonly entitiesWritten: number;
  /** Fingerprints of all contents that this iteration saw, so that a later one cannot go back to them. */
  readonly states: readonly string[];
};

export type WorkedIteration = {
  readonly kind: "worked";
  /** What was done, in a sentence or two, for the timeline. */
  readonly summary: string;
  readonly claim: StatusClaim | null;
  /** What the report will say of it; null where the planner gave none. */
  readonly closing: Closing | null;
  /** Something other than the model ended it: a limit of its session, the cost, a fault. That it said nothing then means nothing. */
  readonly wasCutOff: boolean;
  /** Messages of the user that reached this iteration for the first time. */
  readonly heard: number;
  readonly questions: readonly Question[];
  readonly proofs: readonly Proof[];
  /** The plan after this iteration. */
  readonly plan: Plan;
  /** What the planner promises and how it may be checked (`adopt.ts`). */
  readonly proposed: Proposal | null;
  readonly progress: ProgressFacts;
  /** A fingerprint (fingerprint.ts). */
  readonly actions: string | null;
  readonly error: IterationError | null;
  readonly hasToolMiss: boolean;
  /** With a hard limit: a call was not made because it could have crossed it. */
  readonly wasRefused: boolean;
  /** What was made or changed, as the journal recorded it. */
  readonly artifacts: readonly ArtifactRef[];
  /** Whether what the user said has reached anyone: an engine that failed before its first step has listened to nothing. */
  readonly wasHeard: boolean;
  /** For the report, should this be the end of the run. */
  readonly narrative: string | null;
};

/** What an iteration failed with: the text is for people, the fingerprint tells the same error again. */
export type IterationError = { readonly fingerprint: string; readonly text: string };

export type Proposal = {
  readonly deliverables: readonly Deliverable[];
  readonly checks: readonly Check[];
  /** Ids of checks that shall go, or that are replaced by those above. */
  readonly drops: readonly string[];
  readonly why: string;
};

export type IterationResult =
  | {
      readonly kind: "provider_fault";
      readonly fault: ProviderFault;
      /** When it met the fault: how long it holds is counted from here. */
      readonly atMs: number;
      /** What had been made or changed by then. */
      readonly artifacts: readonly ArtifactRef[];
      readonly wasHeard: boolean;
    }
  | WorkedIteration;

/** How an iteration stands, or ended. */
export const iterationStatuses = ["running", "success", "failed", "waiting_on_user", "interrupted"] as const;
export type IterationStatus = (typeof iterationStatuses)[number];

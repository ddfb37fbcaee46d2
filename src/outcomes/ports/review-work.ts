// What an outcome has come to, as its reviewer looks at it: its completed tasks with what their runs said and made, the newest first
// where there is no room for all.

import type { OutcomeId } from "../../domain/homr/outcome.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { WorkArtifact } from "./attempt-work.ts";

export type ReviewedTask = {
  readonly number: number;
  readonly title: string;
  /** What its run said of itself. */
  readonly summary: string;
  readonly artifacts: readonly WorkArtifact[];
};

export type ReviewWork = {
  readonly tasks: readonly ReviewedTask[];
  /** Completed tasks that are not among them. */
  readonly more: number;
  /** Checks of completed tasks that were not green when they were last run. */
  readonly redChecks: readonly string[];
  /** The last reviews, oldest first: what they found, and what they said only people can bring or do. */
  readonly earlier: readonly EarlierReview[];
};

export type EarlierReview = {
  readonly cycle: number;
  readonly findings: readonly { readonly description: string }[];
  readonly gaps: readonly string[];
};

export type ReadReviewWork = (userId: UserId, outcomeId: OutcomeId) => Promise<ReviewWork>;

export const reviewLimits = {
  tasks: 30,
  earlier: 3,
  artifactsOfTask: 5,
  /** Characters of one artifact, and of all of them. */
  artifactText: 6_000,
  text: 60_000,
} as const;

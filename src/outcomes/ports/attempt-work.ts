// What an attempt at a task left behind, as HOMЯ looks at it. Each text is bounded where it is read: its head and its tail, because
// results stand at the end.

import type { SaidToRun } from "../../domain/homr/tasks/settle-attempt.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { RunId } from "../../domain/run/run.ts";

export type AttemptWork = {
  /** What the user said to the run, oldest first. */
  readonly said: readonly SaidToRun[];
  /** What the run said of itself at its end; empty where it gave no report. */
  readonly summary: string;
  readonly openQuestions: readonly string[];
  readonly unsure: readonly string[];
  /** The last iterations, oldest first. */
  readonly iterations: readonly IterationText[];
  readonly artifacts: readonly WorkArtifact[];
  /** Of a repository that agents worked on; else empty. */
  readonly diff: string;
  /** Checks that were not green at the end, in words. */
  readonly failedChecks: readonly string[];
  /** What the last iteration said is left to do. */
  readonly remaining: readonly string[];
  /** It has read words of strangers. */
  readonly isTainted: boolean;
};

export type IterationText = { readonly iteration: number; readonly summary: string; readonly text: string };

/** `text`: of what was there before, what was added. */
export type WorkArtifact = { readonly title: string; readonly text: string };

export type ReadWork = (userId: UserId, runId: RunId) => Promise<AttemptWork>;

export const workLimits = {
  iterations: 3,
  /** Characters of what was said in one iteration. */
  iterationText: 12_000,
  artifacts: 20,
  artifactText: 12_000,
  diff: 30_000,
} as const;

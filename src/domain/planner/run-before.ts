// What a run that follows up another one is told of it, before it becomes words. Bounded, however long that run worked.

import type { WorkState } from "../agent/work.ts";
import type { RunStatus } from "../run/run.ts";
import type { SaidMessage } from "./said-message.ts";

export type RunBefore = AskedBefore & {
  readonly status: RunStatus;
  /** Why it stopped or failed; empty where there is nothing to say. */
  readonly why: string;
  /** The user took back everything that it wrote. */
  readonly isUndone: boolean;
  /** How it summed up what the user got; empty where it did not. */
  readonly summary: string;
  /** What it made or changed, the main result first. */
  readonly things: readonly ThingBefore[];
  /** There are more than these. */
  readonly hasMoreThings: boolean;
  /** What the user said to it and to those that it follows itself, oldest first; the newest of it. */
  readonly messages: readonly SaidMessage[];
  readonly openQuestions: readonly string[];
  readonly unsure: readonly string[];
  /** What it had not done, and checks that had not passed, in words; empty where it was completed. */
  readonly unfinished: readonly string[];
  /** Its working notes that this run may read, the newest last. */
  readonly notes: readonly NoteBefore[];
  /** The branch of the user's repository that its agents worked on; null: its agents worked in no repository. */
  readonly branch: { readonly name: string; readonly state: WorkState } | null;
  /** The runs that it follows itself, the nearest first. */
  readonly earlier: readonly AskedBefore[];
  /** What it wrote may hold words of strangers. */
  readonly isTainted: boolean;
};

export type AskedBefore = {
  readonly objective: string;
  /** It is the user's own words; else a model wrote it, and they may be a stranger's. */
  readonly isOwnObjective: boolean;
};

export type ThingBefore = {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly change: "created" | "updated";
  readonly isMain: boolean;
  /** Deleted since, or taken back. */
  readonly isGone: boolean;
};

export type NoteBefore = { readonly id: string; readonly title: string };

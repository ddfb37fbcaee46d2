// What a run is measured by: the deliverables it promises, a check of one of them, and the proof of the platform having run it.

import type { ArtifactRef } from "../../plan/plan.ts";

export type Deliverable = { readonly id: string; readonly title: string };

/** What the platform looks at. */
export type CheckTarget =
  | { readonly kind: "plan_complete" }
  | { readonly kind: "entity_exists"; readonly entity: string; readonly titleLike: string }
  | { readonly kind: "entity_count"; readonly entity: string; readonly atLeast: number }
  | { readonly kind: "entity_state"; readonly entityId: string; readonly state: string }
  | {
      readonly kind: "document_has";
      readonly documentId: string | null;
      /** Part of the title; empty: any. Not looked at where the document is named. */
      readonly titleLike: string;
      readonly headings: readonly string[];
      readonly wordsAtLeast: number;
      /** Left out: as many as there are. */
      readonly wordsAtMost?: number;
      readonly sourcesAtLeast: number;
    }
  | { readonly kind: "link_exists"; readonly rel: string; readonly srcId: string; readonly dstId: string }
  | { readonly kind: "file_exists"; readonly path: string }
  | { readonly kind: "command_succeeds"; readonly program: string; readonly args: readonly string[] }
  | { readonly kind: "http_ok"; readonly url: string }
  | { readonly kind: "judge"; readonly rubric: string };

export type CheckKind = CheckTarget["kind"];

export type Check = {
  readonly id: string;
  /** What it stands for; null for one that is about the run as a whole. */
  readonly deliverableId: string | null;
  readonly target: CheckTarget;
  readonly givenBy: "user" | "planner" | "platform";
};

export type Proof = {
  readonly checkId: string;
  readonly isGreen: boolean;
  /** What was seen, in a sentence for people and for the planner. */
  readonly seen: string;
  /** Artifacts of this run that were looked at. */
  readonly artifacts: readonly ArtifactRef[];
  readonly iteration: number;
};

// How a planner closes its work, for the report: the main result, what stays open, what it is unsure of, and how it honoured
// what the user said. The gate believes none of it.

import type { ArtifactRef } from "../../plan/plan.ts";

export type Closing = {
  readonly primaryOutput: ArtifactRef | null;
  /** What the user gets, in a few sentences; empty where the planner gave none. */
  readonly summary: string;
  readonly openQuestions: readonly string[];
  readonly unsure: readonly string[];
  readonly honoured: readonly { readonly message: string; readonly how: string }[];
};

// What a run says of its own work when it ends, for the report: which thing to open first, what stays open, what it is unsure
// of, and how it honoured what the user said. Words of the model: they are shown, never taken as evidence.

import type { ArtifactRef } from "../plan/plan.ts";

export type Closing = {
  readonly primaryOutput: ArtifactRef | null;
  readonly openQuestions: readonly string[];
  readonly unsure: readonly string[];
  readonly honoured: readonly { readonly message: string; readonly how: string }[];
};

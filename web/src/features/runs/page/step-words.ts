// The steps of the iteration in flight, as the card of what happens now tells them. Pure.

import type { RunEntry } from "../../../../../src/protocol/api.ts";
import type { ViewEntry } from "../../../../../src/protocol/run-view.ts";
import { entrySummary } from "../../../../../src/protocol/words/entry.ts";

/** What an iteration does about itself says nothing of the work. */
const ownSteps = new Set(["Updated the plan", "Ended the iteration"]);

export const isTold = ({ summary, isFailed }: Pick<ViewEntry, "summary" | "isFailed">): boolean =>
  isFailed || !ownSteps.has(summary);

/** What is under way; null where that is not known. The last one that began is told. */
export function underWayWords(entries: readonly Pick<RunEntry, "state" | "kind" | "summary">[]): string | null {
  const entry = entries.findLast(({ state }) => state === "intended");
  if (entry === undefined) return null;
  return entry.kind === "model" ? "Waiting for the model" : entrySummary(entry.summary);
}

// The ids of what a step makes: the same ones whenever the same step is done, so that a write which is staged and replayed, or
// done again after a crash, makes the same thing. They are made of names, so they must never serve as a secret.

import { createHash } from "node:crypto";
import { toUuid } from "../../lib/uuid7.ts";

/** The n-th call of one step gives another id than the one before it; the n-th call of the same step, the same one. */
export function stepIds(runId: string, iteration: number, stepKey: string): () => string {
  let made = 0;
  return () => {
    made += 1;
    const name = JSON.stringify([runId, iteration, stepKey, made]);
    return toUuid(createHash("sha256").update(name).digest(), 8);
  };
}

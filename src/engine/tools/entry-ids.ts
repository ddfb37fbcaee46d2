// The ids of what an entry makes: the same ones whenever the same entry is done, so that a write which is staged and replayed, or
// done again after a crash, makes the same thing. They are made of names, so they must never serve as a secret.

import { createHash } from "node:crypto";
import { toUuid } from "../../lib/uuid7.ts";

/** The n-th call of one entry gives another id than the one before it; the n-th call of the same entry, the same one. */
export function entryIds(runId: string, iteration: number, entryKey: string): () => string {
  let made = 0;
  return () => {
    made += 1;
    const name = JSON.stringify([runId, iteration, entryKey, made]);
    return toUuid(createHash("sha256").update(name).digest(), 8);
  };
}

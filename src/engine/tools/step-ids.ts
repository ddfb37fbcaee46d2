// The ids of what a step makes: the same ones whenever the same step is done, so that a write which is staged and replayed, or
// done again after a crash, makes the same thing. They are made of names, so they must never serve as a secret.

import { createHash } from "node:crypto";

/** The n-th call of one step gives another id than the one before it; the n-th call of the same step, the same one. */
export function stepIds(runId: string, iteration: number, stepKey: string): () => string {
  let made = 0;
  return () => {
    made += 1;
    return nameToUuid(JSON.stringify([runId, iteration, stepKey, made]));
  };
}

/** UUID version 8 (RFC 9562): 122 bits of a SHA-256, the version and the variant. */
function nameToUuid(name: string): string {
  const bytes = createHash("sha256").update(name).digest().subarray(0, 16);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

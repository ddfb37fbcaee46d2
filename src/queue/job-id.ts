// The id of a job from its key: the same key is the same job, so enqueueing it twice makes one. (UUID version 5.)

import { createHash } from "node:crypto";

/** Ours, made once; keeps our ids apart from anyone else's. */
const namespace = Buffer.from("6f1d1f0e7a0b5b0f9c0d4e2f3a1b5c7d", "hex");

export function jobIdOf(key: string): string {
  const bytes = createHash("sha1").update(namespace).update(key).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

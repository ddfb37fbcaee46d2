// Token buckets in memory, one per name (an address, a user). Bounded: the longest unused is forgotten first.

import type { Env } from "../lib/env.ts";

const bucketsMax = 20_000;

type Bucket = { tokens: number; at: number };

export type RateLimiter = {
  /** Takes one token; false where the bucket is empty. */
  readonly take: (name: string) => boolean;
};

/** A full bucket holds a minute's worth, so a page that loads many things at once is not refused. */
export function rateLimiter(perMinute: number, env: Pick<Env, "now">): RateLimiter {
  const buckets = new Map<string, Bucket>();
  return {
    take(name) {
      const now = env.now();
      const bucket = buckets.get(name) ?? { tokens: perMinute, at: now };
      const tokens = Math.min(perMinute, bucket.tokens + (Math.max(0, now - bucket.at) / 60_000) * perMinute);
      buckets.delete(name); // Re-inserted at the end: a Map remembers the order of insertion.
      buckets.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
      if (buckets.size > bucketsMax) buckets.delete(buckets.keys().next().value ?? "");
      return tokens >= 1;
    },
  };
}

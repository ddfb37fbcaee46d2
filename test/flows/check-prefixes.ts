// Whatever a provider was sent of a conversation is sent again byte for byte, also by another attempt: else its cache is lost and
// reasoning that is bound to it is refused.

import { expect } from "vitest";
import type { LabRequest } from "../lab/lab-protocol.ts";
import { openPrefixCache } from "../lab/prefix-cache.ts";

/** The requests of one conversation at one provider, in their order. */
export function checkPrefixes(requests: readonly LabRequest[]): void {
  const cache = openPrefixCache();
  let before = 0;
  for (const request of requests) {
    const { prefixTokens, requestTokens } = cache.measure(request);
    expect(prefixTokens).toBeGreaterThanOrEqual(before);
    before = requestTokens;
  }
}

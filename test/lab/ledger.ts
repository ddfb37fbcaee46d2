// The lab's own books: what every call was, and what it costs at the given prices, in whole micro-dollars rounded up.
// It shares no code with the prices of the program: two that agree are worth more than one. Only tests import it.

import type { LabRequest, LabUsage } from "./lab-protocol.ts";
import type { Prefix } from "./prefix-cache.ts";

/** Micro-dollars per million tokens. */
export type LabPrice = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
};

/** `lost`: the answer did not arrive as it should. */
export type LabEntry = {
  readonly model: string;
  readonly state: "answered" | "refused" | "lost";
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicroUsd: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** The lab's own estimate of the request, and how much of it some earlier request began with. */
  readonly requestTokens: number;
  readonly prefixTokens: number;
};

export type LabLedger = {
  /** What it costs; null where there is no price. */
  readonly enter: (
    request: LabRequest,
    state: LabEntry["state"],
    usage: LabUsage | null,
    prefix?: Prefix,
  ) => number | null;
  readonly entries: readonly LabEntry[];
  readonly totals: () => { readonly calls: number; readonly tokens: number; readonly costMicroUsd: number };
};

export function openLedger(prices: Readonly<Record<string, LabPrice>>): LabLedger {
  const entries: LabEntry[] = [];
  return {
    entries,
    enter: ({ model }, state, usage, prefix = { requestTokens: 0, prefixTokens: 0 }) => {
      const price = prices[model];
      const cost = price && usage ? costOf(price, usage) : null;
      entries.push({
        model,
        state,
        inputTokens: usage?.input ?? 0,
        outputTokens: usage?.output ?? 0,
        costMicroUsd: cost ?? 0,
        cacheReadTokens: usage?.cacheRead ?? 0,
        cacheWriteTokens: usage?.cacheWrite ?? 0,
        ...prefix,
      });
      return cost;
    },
    totals: () => {
      const answered = entries.filter(({ state }) => state === "answered");
      return {
        calls: entries.length,
        tokens: answered.reduce((sum, entry) => sum + entry.inputTokens + entry.outputTokens, 0),
        costMicroUsd: answered.reduce((sum, entry) => sum + entry.costMicroUsd, 0),
      };
    },
  };
}

function costOf(price: LabPrice, { input, output, cacheRead = 0, cacheWrite = 0 }: LabUsage): number {
  const { cacheRead: readPrice = price.input, cacheWrite: writePrice = price.input } = price;
  // Whole numbers as far as they go: no fraction of a micro-dollar is invented on the way.
  const total =
    BigInt(input - cacheRead - cacheWrite) * BigInt(price.input) +
    BigInt(cacheRead) * BigInt(readPrice) +
    BigInt(cacheWrite) * BigInt(writePrice) +
    BigInt(output) * BigInt(price.output);
  return Number((total + 999_999n) / 1_000_000n);
}

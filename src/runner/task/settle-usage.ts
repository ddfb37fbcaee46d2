// What an agent run has used, in the ledger: as the agent itself told it. An agent that tells no price is unpriced, which is not free; one
// that tells nothing at all is recorded as a call of unknown cost.

import type { Journal } from "../../runs/ports/engine.ts";
import type { ModelCall } from "../../runs/ports/run-store.ts";
import type { JobResult } from "../job/job.ts";

type Call = Pick<ModelCall, "key" | "role" | "model" | "isUnpriced" | "lane" | "messages">;

export async function settleUsage<Writes>(journal: Journal<Writes>, call: Call, result: JobResult): Promise<void> {
  const { tokens, cost_usd: cost } = result;
  await journal.ask({ ...call, reservedMicroUsd: 0 }, async () => ({
    result: null,
    usage: {
      // Tolerate float error before rounding up.
      costMicroUsd: Math.ceil((cost ?? 0) * 1_000_000 - 1e-6),
      inputTokens: Math.round((tokens?.input ?? 0) + (tokens?.cacheRead ?? 0) + (tokens?.cacheWrite ?? 0)),
      cachedTokens: Math.round(tokens?.cacheRead ?? 0),
      writtenTokens: Math.round(tokens?.cacheWrite ?? 0),
      outputTokens: Math.round(tokens?.output ?? 0),
      pricedBy: cost === null ? "unpriced" : "provider",
    },
    isKept: true,
    did: "Counted what the agent used",
  }));
}

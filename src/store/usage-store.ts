// The ledger of model calls as people look at it. Reads only, in the user's transaction: row level security leaves nothing but
// their own. Calls that are under way are not counted yet.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../db/database.ts";
import { type PriceSource, priceSources } from "../domain/run/price.ts";

export type ModelUse = {
  readonly role: string;
  readonly model: string;
  readonly pricedBy: PriceSource;
  readonly calls: number;
  readonly inputTokens: number;
  /** Part of `inputTokens`: read from the provider's cache. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** 0 where the model has no known price (`unpriced`). */
  readonly costMicroUsd: number;
};

const whole = z.coerce.number().int();
const useRows = z.array(
  z.object({
    role: z.string(),
    model: z.string(),
    priced_by: z.enum(priceSources),
    calls: whole,
    input_tokens: whole,
    cached_tokens: whole,
    output_tokens: whole,
    cost_micro_usd: whole,
  }),
);

/** What a run has used, by role, model and how we know the price; the dearest first. */
export async function usageByModel(tx: Tx, runId: string): Promise<readonly ModelUse[]> {
  const { rows } = await sql`
    select role, model, priced_by, count(*) as calls, sum(input_tokens) as input_tokens,
           sum(cached_tokens) as cached_tokens, sum(output_tokens) as output_tokens, sum(cost_micro_usd) as cost_micro_usd
      from llm_usage_logs where run_id = ${runId} and state <> 'reserved'
     group by role, model, priced_by order by sum(cost_micro_usd) desc, role, model, priced_by`.execute(tx);
  return useRows.parse(rows).map((row) => ({
    role: row.role,
    model: row.model,
    pricedBy: row.priced_by,
    calls: row.calls,
    inputTokens: row.input_tokens,
    cachedTokens: row.cached_tokens,
    outputTokens: row.output_tokens,
    costMicroUsd: row.cost_micro_usd,
  }));
}

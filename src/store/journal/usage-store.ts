// The ledger of model calls as people look at it. Reads only, in the user's transaction: row level security leaves nothing but
// their own. Calls that are under way are not counted yet.

import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../../db/database.ts";
import { priceSources } from "../../domain/run/budget/price.ts";
import { rowOf, whole } from "../row.ts";

const useRow = rowOf({
  role: z.string(),
  model: z.string(),
  pricedBy: z.enum(priceSources),
  calls: whole,
  inputTokens: whole,
  /** Part of `inputTokens`: read from the provider's cache. */
  cachedTokens: whole,
  outputTokens: whole,
  /** 0 where the model has no known price (`unpriced`). */
  costMicroUsd: whole,
});
export type ModelUse = z.infer<typeof useRow>;

/** What a run has used, by role, model and how we know the price; the dearest first. */
export async function usageByModel(tx: Tx, runId: string): Promise<readonly ModelUse[]> {
  const { rows } = await sql`
    select role, model, priced_by, count(*) as calls, sum(input_tokens) as input_tokens,
           sum(cached_tokens) as cached_tokens, sum(output_tokens) as output_tokens, sum(cost_micro_usd) as cost_micro_usd
      from llm_usage_logs where run_id = ${runId} and state <> 'reserved'
     group by role, model, priced_by order by sum(cost_micro_usd) desc, role, model, priced_by`.execute(tx);
  return z.array(useRow).parse(rows);
}

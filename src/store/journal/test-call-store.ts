// A test call of a model in the ledger: of its user, and of no run, chat or outcome.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { PriceSource } from "../../domain/run/budget/price.ts";

/** What a test call has used, as the ledger keeps it. */
export type TestUsage = {
  /** `unknown`: the provider named no figures, so the reservation is paid. */
  readonly state: "settled" | "unknown";
  readonly reservedMicroUsd: number;
  readonly costMicroUsd: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly writtenTokens: number;
  readonly outputTokens: number;
  readonly pricedBy: PriceSource;
};

type TestCall = {
  readonly callId: string;
  readonly userId: UserId;
  readonly model: string;
  readonly usage: TestUsage;
};

/** In the platform's role. Written when it is over: a test is too small to be reserved first, and nothing resumes it after a crash. */
export async function recordTestCall(tx: Tx, { callId, userId, model, usage }: TestCall): Promise<void> {
  await sql`insert into llm_usage_logs (call_id, user_id, role, model, state, reserved_micro_usd, cost_micro_usd, priced_by,
      input_tokens, cached_tokens, written_tokens, output_tokens, is_unpriced, settled_at)
    values (${callId}::uuid, ${userId}::uuid, 'test', ${model}, ${usage.state}, ${usage.reservedMicroUsd}, ${usage.costMicroUsd},
      ${usage.pricedBy}, ${usage.inputTokens}, ${usage.cachedTokens}, ${usage.writtenTokens}, ${usage.outputTokens},
      ${usage.pricedBy === "unpriced"}, run_now())`.execute(tx);
}

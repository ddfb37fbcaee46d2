// Calls of models for conversations in the ledger: reserved before, settled after, as for runs. A row is settled once, whoever
// comes first; what it cost is added to its message in the same statement.

import { sql } from "kysely";
import type { Database, Tx } from "../db/database.ts";
import type { UserId } from "../domain/identity/identity.ts";
import type { Usage } from "../runs/ports/run-store.ts";
import type { Answering } from "./chat-answer-store.ts";
import { lostPricedBy } from "./lost-call.ts";

export type ChatModelCall = Answering & {
  readonly callId: string;
  readonly userId: UserId;
  readonly role: string;
  readonly model: string;
  /** The most it can cost. */
  readonly reservedMicroUsd: number;
  /** Nobody knows a price for it, so that what is reserved says nothing. */
  readonly isUnpriced?: boolean;
};

export async function reserveChatCall(db: Database, call: ChatModelCall): Promise<void> {
  await sql`insert into llm_usage_logs (call_id, user_id, chat_session_id, step_key, role, model, state, reserved_micro_usd, is_unpriced)
    values (${call.callId}, ${call.userId}, ${call.chatId}, ${`message:${call.seq}`}, ${call.role}, ${call.model},
            'reserved', ${call.reservedMicroUsd}, ${call.isUnpriced ?? false})`.execute(db.system);
}

/**
 * `unknown`: nobody can tell what the provider has counted, so the reservation is paid. The message is locked first, as by
 * whoever gives it up; it may be gone by now, and the money is spent all the same.
 */
export async function settleChatCall(db: Database, call: ChatModelCall, usage: Usage | "unknown"): Promise<void> {
  const money =
    usage === "unknown"
      ? { state: "unknown", cost: call.reservedMicroUsd, input: 0, output: 0, pricedBy: "reservation" }
      : {
          state: "settled",
          cost: usage.costMicroUsd,
          input: usage.inputTokens,
          output: usage.outputTokens,
          pricedBy: usage.pricedBy,
        };
  await sql`
    with message as (select from chat_messages where session_id = ${call.chatId} and seq = ${call.seq} for no key update),
    call as (update llm_usage_logs set state = ${money.state}, cost_micro_usd = ${money.cost}, input_tokens = ${money.input},
        output_tokens = ${money.output}, priced_by = case when ${usage === "unknown"}::boolean then ${lostPricedBy} else ${money.pricedBy} end, settled_at = run_now()
      where call_id = ${call.callId} and state = 'reserved' and (select count(*) from message) >= 0 returning cost_micro_usd, input_tokens + output_tokens as tokens, priced_by)
    update chat_messages m set cost_micro_usd = m.cost_micro_usd + call.cost_micro_usd, tokens = m.tokens + call.tokens,
        unpriced_calls = m.unpriced_calls + (call.priced_by = 'unpriced')::int
      from call where m.session_id = ${call.chatId} and m.seq = ${call.seq}`.execute(db.system);
}

/** Calls whose caller will not come back to settle them: an answer that was stopped in a process that died soon after. */
export async function giveUpOldChatCalls(tx: Tx, minutes: number): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    with old as (select call_id from llm_usage_logs l where state = 'reserved' and run_id is null and chat_session_id is not null
        and created_at < run_now() - make_interval(mins => ${minutes})
        and not exists (select from chat_messages m where m.session_id = l.chat_session_id and m.state = 'streaming') for update skip locked),
    lost as (update llm_usage_logs l set state = 'unknown', cost_micro_usd = l.reserved_micro_usd, priced_by = ${lostPricedBy},
        settled_at = run_now() from old where l.call_id = old.call_id
      returning l.chat_session_id, l.step_key, l.reserved_micro_usd, l.is_unpriced),
    charged as (update chat_messages m set cost_micro_usd = m.cost_micro_usd + sums.cost, unpriced_calls = m.unpriced_calls + sums.unpriced
      from (select chat_session_id, step_key, sum(reserved_micro_usd)::bigint as cost,
              (count(*) filter (where is_unpriced))::int as unpriced from lost group by 1, 2) as sums
     where m.session_id = sums.chat_session_id and 'message:' || m.seq = sums.step_key)
    select count(*)::int as calls from lost`.execute(tx);
  return rows[0]?.calls ?? 0;
}

// Calls of models whose answers will never come: they cost what was reserved. The history of a run says so; a message, and a turn of
// HOMЯ with its outcome, add it up.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { RunId } from "../../domain/run/run.ts";
import type { ChatLease, HomrLease } from "../../runs/ports/run-store.ts";
import { buildEvent } from "../event-sql.ts";
import { changesChannel } from "../notification/topics.ts";

/**
 * How we know the price of a call whose answer is lost, in an update of `llm_usage_logs`: it cost what was reserved. Without a known
 * price that is 0, and then it is said to be unpriced, which is something else than free.
 */
export const lostPricedBy = "case when is_unpriced then 'unpriced' else 'reservation' end";

const giveUp = sql`update llm_usage_logs set state = 'unknown', cost_micro_usd = reserved_micro_usd, priced_by = ${sql.raw(lostPricedBy)},
  settled_at = run_now()`;

const facts = sql`run_id, chat_session_id, message_seq, outcome_id, turn, call_id, iteration, model, reserved_micro_usd, priced_by, is_unpriced`;

const givenUp = buildEvent("iteration_cost_update", {
  iteration: "l.iteration",
  model: "l.model",
  cost_micro_usd: "l.reserved_micro_usd",
  priced_by: "l.priced_by",
  tokens: "0",
  total_cost_micro_usd: "c.cost + sum(l.reserved_micro_usd) over one_by_one",
  total_tokens: "c.tokens",
});

/** After `lost`: the money on the run, and an event for each call with the sums up to it. The run's row is locked. */
const charge = sql`
  sums as (select run_id, sum(reserved_micro_usd)::bigint as cost, count(*)::int as calls,
      (count(*) filter (where is_unpriced))::int as unpriced from lost group by run_id),
  charged as (update homework_runs r set cost_micro_usd = r.cost_micro_usd + sums.cost,
      unpriced_calls = r.unpriced_calls + sums.unpriced, last_seq = r.last_seq + sums.calls
    from sums where r.id = sums.run_id
    returning r.id, r.last_seq - sums.calls as seq, r.cost_micro_usd - sums.cost as cost, r.tokens),
  events as (insert into homework_run_events (run_id, seq, iteration, type, event)
    select l.run_id, c.seq + row_number() over one_by_one, l.iteration, 'iteration_cost_update', ${sql.raw(givenUp)}
      from lost l join charged c on c.id = l.run_id
    window one_by_one as (partition by l.run_id order by l.call_id))`;

/** Those that were reserved under an older lease. */
export async function giveUpCalls(tx: Tx, runId: RunId): Promise<void> {
  await sql`
    with lost as (${giveUp} where run_id = ${runId} and state = 'reserved' returning ${facts}), ${charge}
    select count(*) from lost`.execute(tx);
}

/**
 * The same for runs that no worker has any more: a worker that died with them will not come back to settle. Skips rows
 * that are locked, so it never waits; the next round finds them.
 */
export async function giveUpOldCalls(tx: Tx, minutes: number): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    with run as (select r.id from homework_runs r where r.status <> 'running' and exists (
        select from llm_usage_logs l where l.run_id = r.id and l.state = 'reserved'
           and l.created_at < run_now() - make_interval(mins => ${minutes})) for no key update of r skip locked),
    old as (select l.call_id from llm_usage_logs l join run on run.id = l.run_id where l.state = 'reserved'
        and l.created_at < run_now() - make_interval(mins => ${minutes}) for update of l skip locked),
    lost as (${giveUp} where call_id in (select call_id from old) and state = 'reserved' returning ${facts}), ${charge},
    told as (select pg_notify(${changesChannel}, 'run:' || id) from charged)
    select (select count(*)::int from lost) as calls, (select count(*) from told) as told`.execute(tx);
  return rows[0]?.calls ?? 0;
}

/** After `lost`, for conversations: the money on their messages. */
const chargeMessages = sql`
  sums as (select chat_session_id, message_seq, sum(reserved_micro_usd)::bigint as cost,
      (count(*) filter (where is_unpriced))::int as unpriced from lost group by 1, 2),
  charged as (update chat_messages m set cost_micro_usd = m.cost_micro_usd + sums.cost,
      unpriced_calls = m.unpriced_calls + sums.unpriced
    from sums where m.session_id = sums.chat_session_id and m.seq = sums.message_seq)`;

/** Those of an answer that were reserved under an older lease. */
export async function giveUpChatCalls(tx: Tx, { chatId, seq }: Pick<ChatLease, "chatId" | "seq">): Promise<void> {
  await sql`
    with lost as (${giveUp} where chat_session_id = ${chatId} and message_seq = ${seq} and state = 'reserved'
      returning ${facts}), ${chargeMessages}
    select count(*) from lost`.execute(tx);
}

/** Those of conversations in which no answer is being written: one that was stopped in a process that died soon after. */
export async function giveUpOldChatCalls(tx: Tx, minutes: number): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    with old as (select call_id from llm_usage_logs l where state = 'reserved' and run_id is null and chat_session_id is not null
        and created_at < run_now() - make_interval(mins => ${minutes})
        and not exists (select from chat_messages m where m.session_id = l.chat_session_id and m.state = 'streaming')
        for update skip locked),
    lost as (${giveUp} where call_id in (select call_id from old) and state = 'reserved' returning ${facts}), ${chargeMessages}
    select count(*)::int as calls from lost`.execute(tx);
  return rows[0]?.calls ?? 0;
}

/** After `lost`, for turns of HOMЯ: the money on each of them and on its outcome, whose row is locked. */
const chargeTurns = sql`
  sums as (select outcome_id, turn, sum(reserved_micro_usd)::bigint as cost, (count(*) filter (where is_unpriced))::int as unpriced
      from lost group by 1, 2),
  charged as (update homr_turns t set cost_micro_usd = t.cost_micro_usd + sums.cost, unpriced_calls = t.unpriced_calls + sums.unpriced
    from sums where t.outcome_id = sums.outcome_id and t.turn = sums.turn),
  totals as (select outcome_id, sum(cost)::bigint as cost, sum(unpriced)::int as unpriced from sums group by 1),
  added as (update outcomes o set cost_micro_usd = o.cost_micro_usd + totals.cost, unpriced_calls = o.unpriced_calls + totals.unpriced
    from totals where o.id = totals.outcome_id)`;

/** Those of a turn that were reserved under an older lease. */
export async function giveUpTurnCalls(
  tx: Tx,
  { outcomeId, turn }: Pick<HomrLease, "outcomeId" | "turn">,
): Promise<void> {
  await sql`
    with lost as (${giveUp} where outcome_id = ${outcomeId} and turn = ${turn} and state = 'reserved' returning ${facts}), ${chargeTurns}
    select count(*) from lost`.execute(tx);
}

/** Those of turns that have ended. Skips outcomes that are locked, so it never waits; the next round finds them. */
export async function giveUpOldTurnCalls(tx: Tx, minutes: number): Promise<number> {
  const isOld = sql`l.state = 'reserved' and l.created_at < run_now() - make_interval(mins => ${minutes})`;
  const { rows } = await sql<{ calls: number }>`
    with outcome as (select o.id from outcomes o where exists (select from llm_usage_logs l where l.outcome_id = o.id and ${isOld})
        for no key update of o skip locked),
    old as (select l.call_id from llm_usage_logs l join outcome on outcome.id = l.outcome_id
        join homr_turns t on t.outcome_id = l.outcome_id and t.turn = l.turn and t.state <> 'running'
       where ${isOld} for update of l skip locked),
    lost as (${giveUp} where call_id in (select call_id from old) and state = 'reserved' returning ${facts}), ${chargeTurns}
    select count(*)::int as calls from lost`.execute(tx);
  return rows[0]?.calls ?? 0;
}

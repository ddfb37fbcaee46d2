// In what the journals of a run, of a conversation and of HOMЯ differ in SQL: whose row is taken under the fence, which columns name the
// owner, where money is added up, and that a run's history tells of every entry.
// In every statement $1 is the owner's id, $2 the fence, and $3 the iteration, the number of the message or that of the turn.

import type { Identity } from "../../db/database.ts";
import type { ChatLease, HomrLease, Lease } from "../../runs/ports/run-store.ts";
import { buildEvent } from "../event-sql.ts";

/** An owner under a lease: what its statements are given, and what they say. */
export type HeldOwner = OwnerSql & {
  readonly bound: readonly [id: string, fence: number, turn: number];
  readonly identity: Identity;
};

type OwnerSql = {
  /** Of entries and of the ledger, for $1 and $3. */
  readonly columns: string;
  readonly isMine: string;
  /** Takes the owner's row; a row comes back while it is ours. */
  readonly hold: (counted: { readonly events: 0 | 1; readonly toolCalls: string }) => string;
  /** A row while it is at work, whose ever it is by now. Here $2 is what $3 is elsewhere. */
  readonly isAtWork: string;
  /** What the history says of an entry, given as JSON; null: it has no history of entries. */
  readonly event: ((json: string) => string) | null;
  /** `allowed`: whether there is money for a call; null: it has to be counted, and the row was not locked before. */
  readonly room: (isLocked: boolean) => string;
  /** Locks the owner's row, whose ever it is by now. */
  readonly lock: string;
  /** Adds what a `call` has cost to the `owner`, tells of it, and says whether `is_ours`. */
  readonly charge: string;
};

const settled = buildEvent("iteration_cost_update", {
  iteration: "$3::int",
  model: "call.model",
  cost_micro_usd: "call.cost_micro_usd",
  priced_by: "call.priced_by",
  tokens: "call.tokens",
  total_cost_micro_usd: "owner.cost_micro_usd",
  total_tokens: "owner.tokens",
});

const runOwner: OwnerSql = {
  columns: "run_id, iteration",
  isMine: "run_id = $1::uuid and iteration = $3::int",
  hold: ({ events, toolCalls }) => `update homework_runs r
      set last_seq = r.last_seq + ${events}, tool_calls = r.tool_calls + ${toolCalls}
    where r.id = $1::uuid and r.fence = $2::bigint and r.status = 'running' returning r.last_seq`,
  isAtWork: "select from homework_runs r where r.id = $1::uuid and r.iteration = $2::int and r.status = 'running'",
  event: (json) => `insert into homework_run_events (run_id, seq, iteration, type, event)
    select $1::uuid, owner.last_seq, $3::int, ${json}::jsonb->>'type', ${json}::jsonb from owner`,
  room: (isLocked) => `select case
        when not (r.budgets->>'isCostHard')::boolean or r.budgets->>'maxCostMicroUsd' is null then true
        when ${isLocked} then r.cost_micro_usd + $9::bigint
             + (select coalesce(sum(l.reserved_micro_usd), 0) from llm_usage_logs l where l.run_id = r.id and l.state = 'reserved')
           <= (r.budgets->>'maxCostMicroUsd')::bigint end as allowed
      from (select * from homework_runs where id = $1::uuid and fence = $2::bigint and status = 'running' for no key update) as r`,
  lock: "select id from homework_runs where id = $1::uuid for no key update",
  charge: `owner as (update homework_runs r set cost_micro_usd = r.cost_micro_usd + call.cost_micro_usd, tokens = r.tokens + call.tokens,
      unpriced_calls = r.unpriced_calls + (call.priced_by = 'unpriced')::int, last_seq = r.last_seq + 1
    from call where r.id = $1::uuid
    returning r.last_seq, r.cost_micro_usd, r.tokens, r.fence = $2::bigint and r.status = 'running' as is_ours),
  event as (insert into homework_run_events (run_id, seq, iteration, type, event)
    select $1::uuid, owner.last_seq, $3::int, 'iteration_cost_update', ${settled} from owner, call)`,
};

export const holdRun = ({ runId, userId, fence, iteration }: Lease): HeldOwner => {
  return { ...runOwner, bound: [runId, fence, iteration], identity: { userId, runId } };
};

const itsMessage = "m.session_id = $1::uuid and m.seq = $3::int";
const isHeld = "m.fence = $2::bigint and m.state = 'streaming'";

const chatOwner: OwnerSql = {
  columns: "chat_session_id, message_seq",
  isMine: "chat_session_id = $1::uuid and message_seq = $3::int",
  hold: () => `update chat_messages m set seen_at = run_now() where ${itsMessage} and ${isHeld} returning m.seq`,
  isAtWork: "select from chat_messages m where m.session_id = $1::uuid and m.seq = $2::int and m.state = 'streaming'",
  event: null,
  room: () => `select true as allowed from chat_messages m where ${itsMessage} and ${isHeld} for no key update`,
  lock: `select m.seq from chat_messages m where ${itsMessage} for no key update`,
  charge: `owner as (update chat_messages m set cost_micro_usd = m.cost_micro_usd + call.cost_micro_usd, tokens = m.tokens + call.tokens,
      unpriced_calls = m.unpriced_calls + (call.priced_by = 'unpriced')::int
    from call where ${itsMessage} returning ${isHeld} as is_ours)`,
};

export const holdChat = ({ chatId, userId, fence, seq }: ChatLease): HeldOwner => {
  return { ...chatOwner, bound: [chatId, fence, seq], identity: { userId } };
};

const itsTurn = "t.outcome_id = $1::uuid and t.turn = $3::int";
const isTurnHeld = "t.fence = $2::bigint and t.state = 'running'";

/** An outcome is locked before its turn: the transaction that ends a turn has locked it already. */
const turnOwner: OwnerSql = {
  columns: "outcome_id, turn",
  isMine: "outcome_id = $1::uuid and turn = $3::int",
  hold: () => `update homr_turns t set fence = t.fence where ${itsTurn} and ${isTurnHeld} returning t.turn`,
  isAtWork: "select from homr_turns t where t.outcome_id = $1::uuid and t.turn = $2::int and t.state = 'running'",
  event: null,
  room: () => `select true as allowed from homr_turns t where ${itsTurn} and ${isTurnHeld} for no key update`,
  lock: "select o.id from outcomes o where o.id = $1::uuid for no key update",
  charge: `owner as (update homr_turns t set cost_micro_usd = t.cost_micro_usd + call.cost_micro_usd, tokens = t.tokens + call.tokens,
      unpriced_calls = t.unpriced_calls + (call.priced_by = 'unpriced')::int
    from call where ${itsTurn} returning ${isTurnHeld} as is_ours),
  total as (update outcomes o set cost_micro_usd = o.cost_micro_usd + call.cost_micro_usd, tokens = o.tokens + call.tokens,
      unpriced_calls = o.unpriced_calls + (call.priced_by = 'unpriced')::int from call where o.id = $1::uuid)`,
};

export const holdTurn = ({ outcomeId, userId, fence, turn }: HomrLease): HeldOwner => {
  return { ...turnOwner, bound: [outcomeId, fence, turn], identity: { userId } };
};

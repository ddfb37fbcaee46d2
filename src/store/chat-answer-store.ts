// What whoever answers writes down: the text as it grows, the calls and what came of them, the end. All of it only while the
// answer is still being written: one that was stopped, or given up for dead, gets not another word.

import { sql } from "kysely";
import type { Tx } from "../db/database.ts";
import type { ChatCall, ChatId, ChatSaid } from "../domain/chat/chat.ts";
import { tellChat } from "./chat-store.ts";
import { cleanText, toJson } from "./json.ts";
import { lostPricedBy } from "./lost-call.ts";
import { changesChannel } from "./topics.ts";

/** `gone`: it is not being written any more, and nothing was changed. */
export type StillOpen = "open" | "gone";

export type Answering = { readonly chatId: ChatId; readonly seq: number };

/** With the conversation locked, so that what follows in this transaction cannot come too late. */
export async function holdAnswer(tx: Tx, { chatId, seq }: Answering): Promise<StillOpen> {
  await sql`select from chat_sessions where id = ${chatId} for no key update`.execute(tx);
  const { rows } = await sql`update chat_messages m set seen_at = run_now() from chat_sessions s
    where m.session_id = ${chatId} and m.seq = ${seq} and m.state = 'streaming'
      and s.id = m.session_id and s.deleted_at is null returning m.seq`.execute(tx);
  return rows.length === 1 ? "open" : "gone";
}

/** The text so far; `at` is how much of it whoever watches has already. */
export async function keepText(tx: Tx, answer: Answering, text: string, at: number): Promise<void> {
  await sql`update chat_messages set text = ${cleanText(text)}
    where session_id = ${answer.chatId} and seq = ${answer.seq}`.execute(tx);
  await tellChat(tx, answer.chatId, "text", { message_seq: answer.seq, at, text: text.slice(at) });
}

export type EndedAnswer = {
  readonly state: "complete" | "awaiting_confirmation";
  readonly text: string;
  readonly model: string;
  readonly isDemo: boolean;
  readonly said: ChatSaid;
};

export async function endAnswer(tx: Tx, { chatId, seq }: Answering, ended: EndedAnswer): Promise<void> {
  await sql`update chat_messages set state = ${ended.state}, text = ${cleanText(ended.text)}, said = ${toJson(ended.said)}::jsonb,
      model = ${ended.model}, is_demo = ${ended.isDemo}
    where session_id = ${chatId} and seq = ${seq}`.execute(tx);
}

/** The text and the model stay as they were stored. */
export async function setAnswerState(
  tx: Tx,
  { chatId, seq }: Answering,
  state: "complete" | "stopped" | "streaming",
): Promise<void> {
  await sql`update chat_messages set state = ${state}, seen_at = run_now()
    where session_id = ${chatId} and seq = ${seq}`.execute(tx);
}

/** Not another word after this one, and why. */
export async function failAnswer(tx: Tx, { chatId, seq }: Answering, error: string): Promise<void> {
  await sql`update chat_messages set state = 'failed', error = ${error}
    where session_id = ${chatId} and seq = ${seq}`.execute(tx);
  await tellChat(tx, chatId, "error", { message_seq: seq, error });
}

const clean = (text: string | null) => (text === null ? null : cleanText(text));

export async function saveCalls(tx: Tx, { chatId, seq }: Answering, calls: readonly ChatCall[]): Promise<void> {
  for (const call of calls)
    await sql`insert into chat_calls (session_id, seq, position, call_id, tool, kind, args, effect, changes, needs_word,
        approval, state, result, summary, is_untrusted, found_urls, ended_at)
      values (${chatId}, ${seq}, ${call.position}, ${call.callId}, ${call.tool}, ${call.kind}, ${toJson(call.args)}::json,
        ${cleanText(call.effect)}, ${toJson(call.changes)}::jsonb, ${call.needsWord}, ${call.approval}, ${call.state}, ${clean(call.result)},
        ${clean(call.summary)}, ${call.isUntrusted}, ${[...call.foundUrls]}::text[],
        case when ${call.result !== null}::boolean then run_now() end)`.execute(tx);
}

export async function setCallStates(
  tx: Tx,
  { chatId, seq }: Answering,
  callIds: readonly string[],
  state: "approved" | "rejected",
  result: string | null,
): Promise<void> {
  await sql`update chat_calls set state = ${state}, result = ${result}, decided_at = run_now(),
      ended_at = case when ${result !== null}::boolean then run_now() end
    where session_id = ${chatId} and seq = ${seq} and call_id = any (${[...callIds]}::text[]) and state = 'pending'`.execute(
    tx,
  );
}

/** Or begun, where it reached the outside and its result is not known yet. */
export async function endCall(tx: Tx, { chatId, seq }: Answering, call: ChatCall): Promise<void> {
  await sql`update chat_calls set state = ${call.state}, result = ${clean(call.result)}, summary = ${clean(call.summary)},
      is_untrusted = ${call.isUntrusted}, found_urls = ${[...call.foundUrls]}::text[],
      ended_at = case when ${call.result !== null}::boolean then run_now() end
    where session_id = ${chatId} and seq = ${seq} and call_id = ${call.callId}`.execute(tx);
}

const givenUp = "The program ended while this was being written; nothing of it goes on. Ask again.";

/**
 * As the platform. Answers of whoever gave no sign of life for so long have failed, and calls of models that were under way for
 * them cost what was reserved. Passes over what someone has locked; the next round finds it. `chatId`: of this one only.
 */
export async function giveUpAnswers(tx: Tx, silentSeconds: number, chatId: string | null = null): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with old as (select m.session_id, m.seq from chat_messages m join chat_sessions s on s.id = m.session_id
       where m.state = 'streaming' and m.seen_at < run_now() - make_interval(secs => ${silentSeconds})
         and ${chatId === null ? sql`true` : sql`m.session_id = ${chatId}`} for no key update of s, m skip locked),
    lost as (update llm_usage_logs l set state = 'unknown', cost_micro_usd = l.reserved_micro_usd, priced_by = ${lostPricedBy},
        settled_at = run_now() from old
       where l.chat_session_id = old.session_id and l.step_key = 'message:' || old.seq and l.state = 'reserved'
      returning old.session_id, l.reserved_micro_usd, l.is_unpriced),
    failed as (update chat_messages m set state = 'failed', error = ${givenUp}, cost_micro_usd = m.cost_micro_usd
        + (select coalesce(sum(lost.reserved_micro_usd), 0)::bigint from lost where lost.session_id = m.session_id),
        unpriced_calls = m.unpriced_calls + (select count(*)::int from lost where lost.session_id = m.session_id and lost.is_unpriced)
      from old where m.session_id = old.session_id and m.seq = old.seq),
    told as (update chat_sessions s set last_seq = s.last_seq + 1 from old where s.id = old.session_id
      returning s.id, s.last_seq, old.seq),
    event as (insert into chat_events (session_id, seq, type, data)
      select id, last_seq, 'error', jsonb_build_object('message_seq', seq, 'error', ${givenUp}::text) from told)
    select id, pg_notify(${changesChannel}, 'chat:' || id) from told`.execute(tx);
  return rows.length;
}

/** Always the beginning, so that what is left has no gap; the numbers go on. */
export async function forgetOldChatEvents(tx: Tx, days: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from chat_events e using (
      select session_id, max(seq) as up_to from chat_events
       where created_at < run_now() - make_interval(days => ${days}) group by session_id) as old
     where e.session_id = old.session_id and e.seq <= old.up_to`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Conversations that were deleted so long ago; the ledger keeps what they cost. */
export async function forgetDeletedChats(tx: Tx, days: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from chat_sessions where deleted_at < run_now() - make_interval(days => ${days})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

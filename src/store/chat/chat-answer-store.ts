// Who writes an answer, and what is written down: the text as it grows, the calls and what came of them, the end. All of it only
// under the lease's fence: an answer that was stopped, or that another process has, gets not another word.

import { sql } from "kysely";
import { asPlatform, type Tx } from "../../db/database.ts";
import {
  type Chat,
  type ChatCall,
  type ChatId,
  type ChatSaid,
  chatLimits,
  type DueAnswer,
} from "../../domain/chat/chat.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import type { ChatLease } from "../../runs/ports/run-store.ts";
import { giveUpChatCalls } from "../journal/lost-call-store.ts";
import { cleanText, toJson } from "../json.ts";
import { tellChat } from "./chat-store.ts";

/** `gone`: it is another process's now, or not being written any more; nothing was changed. */
export type StillOpen = "open" | "gone";

export type Answering = Pick<ChatLease, "chatId" | "seq">;

/** No sign of life for so long, or let go of: its process does not write any more. */
const isLeft = sql`m.seen_at < run_now() - make_interval(secs => ${chatLimits.silentSeconds})`;

/**
 * The answer that is due, for this process alone; null where none is, or another process writes it. The conversation is locked.
 * `left`: only one that a process has begun and does not write any more.
 */
export async function takeAnswer(
  tx: Tx,
  { id: chatId, userId }: Chat,
  which: "due" | "left" = "due",
): Promise<ChatLease | null> {
  const { rows } = await sql<{ seq: number; fence: string }>`
    update chat_messages m set fence = m.fence + 1, seen_at = run_now()
     where m.session_id = ${chatId} and m.state = 'streaming'
       and exists (select from auth_users u where u.id = ${userId} and u.disabled_at is null)
       and (${isLeft} or ${which === "due"}::boolean and m.fence = 0) returning m.seq, m.fence`.execute(tx);
  const [row] = rows;
  if (row === undefined) return null;
  const lease = { chatId, userId, seq: row.seq, fence: Number(row.fence) };
  await asPlatform(tx, (platform) => giveUpChatCalls(platform, lease));
  return lease;
}

/** For the next process: it need not wait for a silence. */
export async function letGoOfAnswer(tx: Tx, { chatId, seq, fence }: ChatLease): Promise<void> {
  await sql`update chat_messages set seen_at = '-infinity'
    where session_id = ${chatId} and seq = ${seq} and fence = ${fence} and state = 'streaming'`.execute(tx);
}

/** As the platform: conversations with an answer that is due and that no process writes, the oldest first. */
export async function findDueAnswers(tx: Tx, limit: number): Promise<readonly DueAnswer[]> {
  const { rows } = await sql<{ chatId: ChatId; userId: UserId }>`
    select s.id as "chatId", s.user_id as "userId" from chat_messages m join chat_sessions s on s.id = m.session_id
      join auth_users u on u.id = s.user_id and u.disabled_at is null
     where m.state = 'streaming' and s.deleted_at is null and (m.fence = 0 or ${isLeft})
     order by m.seen_at, s.id limit ${limit}`.execute(tx);
  return rows;
}

/** With the conversation locked, so that what follows in this transaction cannot come too late. */
export async function holdAnswer(tx: Tx, { chatId, seq, fence }: ChatLease): Promise<StillOpen> {
  await sql`select from chat_sessions where id = ${chatId} for no key update`.execute(tx);
  const { rows } = await sql`update chat_messages m set seen_at = run_now() from chat_sessions s
    where m.session_id = ${chatId} and m.seq = ${seq} and m.fence = ${fence} and m.state = 'streaming'
      and s.id = m.session_id and s.deleted_at is null returning m.seq`.execute(tx);
  return rows.length === 1 ? "open" : "gone";
}

/** The text so far; `at` is how much of it the watching clients have already. */
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

/** The text and the model stay as they were stored. One that is to be written on is due at once. */
export async function setAnswerState(
  tx: Tx,
  { chatId, seq }: Answering,
  state: "complete" | "stopped" | "streaming",
): Promise<void> {
  await sql`update chat_messages set state = ${state}, seen_at = '-infinity'
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

/** Conversations that were deleted so long ago; the ledger keeps what they cost. */
export async function forgetDeletedChats(tx: Tx, days: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from chat_sessions where deleted_at < run_now() - make_interval(days => ${days})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

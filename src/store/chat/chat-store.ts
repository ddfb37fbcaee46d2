// Conversations as their user has them: sessions, messages, decisions about calls, events. Everything here is done in the
// user's own transaction. Each change of a conversation locks its row first, so that numbers have no gaps.

import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import {
  type Chat,
  type ChatEvent,
  type ChatEventType,
  type ChatFacts,
  type ChatId,
  type ChatMessage,
  chatLimits,
} from "../../domain/chat/chat.ts";
import type { Page } from "../../domain/entity/entity.ts";
import type { ForeignText } from "../../domain/policy/foreign-text.ts";
import { assert } from "../../lib/assert.ts";
import { decodeCursor, isPast, type PageQuery, toPage } from "../cursor.ts";
import { toJson } from "../json.ts";
import { changesChannel, chatTopic } from "../notification/topics.ts";
import { type CallOfMessage, toCall, toChat, toEvent, toMessage } from "./chat-row.ts";

export type NewChat = Pick<Chat, "id" | "userId" | "title" | "contextType" | "entityId" | "runId">;

export async function createChat(tx: Tx, chat: NewChat): Promise<Chat> {
  const row = await tx
    .insertInto("chat_sessions")
    .values({
      id: chat.id,
      user_id: chat.userId,
      title: chat.title,
      context_type: chat.contextType,
      entity_id: chat.entityId,
      run_id: chat.runId,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toChat(row);
}

export async function findChat(tx: Tx, id: string): Promise<Chat | null> {
  const row = await tx
    .selectFrom("chat_sessions")
    .selectAll()
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row ? toChat(row) : null;
}

/** Held until the transaction ends. */
export async function lockChat(tx: Tx, id: string): Promise<Chat | null> {
  const { rows } = await sql`select * from chat_sessions where id = ${id} and deleted_at is null
    for no key update`.execute(tx);
  return rows[0] === undefined ? null : toChat(rows[0]);
}

/** The ones last written to first. */
export async function listChats(tx: Tx, { limit, cursor }: PageQuery): Promise<Page<Chat>> {
  const before = decodeCursor("chats", "time", cursor);
  const { rows } = await sql`
    select * from chat_sessions where user_id = app_user_id() and deleted_at is null and ${isPast(before, "updated_at", "id")}
     order by updated_at desc, id desc limit ${limit + 1}`.execute(tx);
  return toPage("chats", rows.map(toChat), limit, ({ updatedAt, id }) => [updatedAt, id]);
}

/** As the platform: in which conversation a run was handed over, and whether words of strangers may be in its objective. */
export async function nameChatOfRun(tx: Tx, runId: string, chatId: string, isUntrusted: boolean): Promise<void> {
  await sql`update homework_runs set chat_session_id = ${chatId}, began_untrusted = ${isUntrusted}
    where id = ${runId}`.execute(tx);
}

export async function renameChat(tx: Tx, id: string, title: string): Promise<Chat | null> {
  const { rows } = await sql`update chat_sessions set title = ${title}
    where id = ${id} and deleted_at is null returning *`.execute(tx);
  return rows[0] === undefined ? null : toChat(rows[0]);
}

export async function deleteChat(tx: Tx, id: string): Promise<void> {
  await sql`update chat_sessions set deleted_at = run_now() where id = ${id} and deleted_at is null`.execute(tx);
}

/** Newest first. */
export async function listMessages(tx: Tx, chatId: string, { limit, cursor }: PageQuery): Promise<Page<ChatMessage>> {
  const before = decodeCursor(`chat ${chatId}`, "number", cursor)?.[0] ?? null;
  const messages = await readMessages(tx, chatId, before, limit + 1);
  return toPage(`chat ${chatId}`, messages.toReversed(), limit, ({ seq }) => [seq]);
}

/** The last `count` ones before `before`, oldest first. */
export async function readMessages(
  tx: Tx,
  chatId: string,
  before: number | null,
  count: number,
): Promise<readonly ChatMessage[]> {
  const { rows } = await sql<{ seq: number }>`
    select * from chat_messages where session_id = ${chatId} and ${before === null ? sql`true` : sql`seq < ${before}`}
     order by seq desc limit ${count}`.execute(tx);
  const first = rows.at(-1)?.seq ?? 0;
  const calls = await readCalls(tx, chatId, first, rows[0]?.seq ?? 0);
  return rows.map((row) => toMessage(row, calls)).toReversed();
}

async function readCalls(tx: Tx, chatId: string, from: number, to: number): Promise<readonly CallOfMessage[]> {
  const { rows } = await sql`select * from chat_calls where session_id = ${chatId} and seq between ${from} and ${to}
    order by seq, position`.execute(tx);
  return rows.map(toCall);
}

export async function findMessage(tx: Tx, chatId: string, seq: number): Promise<ChatMessage | null> {
  const { rows } = await sql`select * from chat_messages where session_id = ${chatId} and seq = ${seq}`.execute(tx);
  return rows[0] === undefined ? null : toMessage(rows[0], await readCalls(tx, chatId, seq, seq));
}

/** The answer that is being written or waits for a word. */
export async function openAnswer(tx: Tx, chatId: string): Promise<ChatMessage | null> {
  const { rows } = await sql<{ seq: number }>`select seq from chat_messages where session_id = ${chatId}
    and state in ('streaming', 'awaiting_confirmation')`.execute(tx);
  return rows[0] === undefined ? null : findMessage(tx, chatId, rows[0].seq);
}

/** Answers that are being written for the caller, in all conversations, by someone who is alive. */
export async function countOpenAnswers(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from chat_messages m
    join chat_sessions s on s.id = m.session_id where s.user_id = app_user_id() and m.state = 'streaming'
      and m.seen_at > run_now() - make_interval(secs => ${chatLimits.silentSeconds})`.execute(tx);
  return rows[0]?.count ?? 0;
}

export type NewMessage =
  | { readonly role: "user"; readonly text: string; readonly foreignTexts?: readonly ForeignText[] }
  | { readonly role: "assistant" };

/** Its number. An answer begins empty and is being written. */
export async function addMessage(tx: Tx, chatId: ChatId, message: NewMessage): Promise<number> {
  const text = message.role === "user" ? message.text : "";
  const foreignTexts = message.role === "user" ? (message.foreignTexts ?? []) : [];
  const state = message.role === "user" ? "complete" : "streaming";
  const { rows } = await sql<{ seq: number }>`
    with chat as (update chat_sessions set last_message = last_message + 1, updated_at = run_now()
      where id = ${chatId} returning id, last_message)
    insert into chat_messages (session_id, seq, role, text, foreign_texts, state)
      select id, last_message, ${message.role}, ${text}, ${toJson(foreignTexts)}::jsonb, ${state} from chat returning seq`.execute(
    tx,
  );
  const [row] = rows;
  assert(row, "the conversation is locked, so it is there");
  await tellChat(tx, chatId, "message", {
    message_seq: row.seq,
    role: message.role,
    text,
    foreign_texts: foreignTexts,
  });
  return row.seq;
}

/** An event for the watching clients; they are told when it is committed. */
export async function tellChat(tx: Tx, chatId: string, type: ChatEventType, data: ChatEvent["data"]): Promise<void> {
  await sql`
    with chat as (update chat_sessions set last_seq = last_seq + 1 where id = ${chatId} returning id, last_seq),
    event as (insert into chat_events (session_id, seq, type, data)
      select id, last_seq, ${type}, ${toJson(data)}::jsonb from chat)
    select pg_notify(${changesChannel}, ${chatTopic(chatId)}) from chat`.execute(tx);
}

/** Oldest first: everything after `seq`, at most `limit`. */
export async function chatEventsAfter(
  tx: Tx,
  chatId: string,
  seq: number,
  limit: number,
): Promise<readonly ChatEvent[]> {
  const { rows } = await sql`select seq, type, data from chat_events where session_id = ${chatId} and seq > ${seq}
    order by seq limit ${limit}`.execute(tx);
  return rows.map(toEvent);
}

/** What the user's newest run was given; null: the user has no run. */
export async function findTimeZone(tx: Tx): Promise<string | null> {
  const { rows } = await sql<{ time_zone: string }>`select time_zone from homework_runs where user_id = app_user_id()
    order by created_at desc limit 1`.execute(tx);
  return rows[0]?.time_zone ?? null;
}

/** Texts of a long conversation that are looked through for addresses; older ones count as not said. */
const textsMax = 200;

export async function chatFacts(tx: Tx, chatId: string): Promise<ChatFacts> {
  const { rows } = await sql<{ untrusted: boolean; urls: string[]; approvals: string[]; texts: string[] }>`
    select coalesce(bool_or(c.is_untrusted), false) or exists (select from chat_messages m
             where m.session_id = ${chatId} and m.foreign_texts <> '[]') as untrusted,
           coalesce((select array_agg(distinct u) from chat_calls f, unnest(f.found_urls) u where f.session_id = ${chatId}), '{}') as urls,
           coalesce(array_agg(distinct c.approval) filter (where c.approval is not null
             and c.state in ('approved', 'begun', 'done', 'failed')), '{}') as approvals,
           array(select m.text from chat_messages m where m.session_id = ${chatId} and m.role = 'user' and m.text ilike '%http%'
                  order by m.seq desc limit ${textsMax}) as texts
      from chat_calls c where c.session_id = ${chatId}`.execute(tx);
  const [row] = rows;
  assert(row, "an aggregate has one row");
  return { hasReadUntrusted: row.untrusted, foundUrls: row.urls, approvals: row.approvals, userTexts: row.texts };
}

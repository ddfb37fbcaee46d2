// Conversations: asking a model about one's things, following its answer, and saying yes or no to what it wants to change.

import { z } from "zod";
import { callKinds, callStates, chatEventTypes, chatLimits, messageStates } from "../../domain/chat/chat.ts";
import { numberIn, pageOf, pageQuery, sinceQuery } from "../paging.ts";
import { act, read, routesTagged } from "../route.ts";
import { differIn, filledText, foreignTexts, givenForeignTexts, id, text, timestamp } from "../text.ts";
import { count, whole } from "./run-shapes.ts";

export const chat = z.object({
  id,
  title: z.string(),
  context_type: z.string(),
  entity_id: id.nullable(),
  /** The run it is a follow-up of. */
  run_id: id.nullable(),
  /** The number of its last event: follow the stream from there. */
  last_seq: count,
  created_at: timestamp,
  updated_at: timestamp,
  /** Its page. */
  url: z.string(),
});

export const chatCall = z.object({
  call_id: z.string(),
  tool: z.string(),
  kind: z.enum(callKinds),
  /** Exactly what is carried out after a yes. */
  args: z.unknown(),
  /** What it does, in the platform's words: the first line says what, the others give details. */
  effect: z.string(),
  needs_confirmation: z.boolean(),
  /** `begun`: it reached the outside world and its outcome is unknown. */
  state: z.enum(callStates),
  /** What came of it, in a line. */
  summary: z.string().nullable(),
});

export const chatMessage = z.object({
  seq: whole.min(1),
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  /** What others wrote and the user handed over with it. */
  foreign_texts: foreignTexts,
  state: z.enum(messageStates),
  model: z.string().nullable(),
  /** Written by the demo model: rules, no AI. */
  is_demo: z.boolean(),
  error: z.string().nullable(),
  calls: z.array(chatCall),
  metrics: z.object({
    cost_total_micro_usd: count,
    /** Calls without a known price: what they cost is missing in the total. */
    unpriced_calls: count,
    tokens_total: count,
  }),
  created_at: timestamp,
});

/**
 * `message` begins one (`message_seq`, `role`, `text`); `text` replaces everything from `at` of a message by `text`; `tool` tells
 * of a call that has ended; `confirm` lists the `calls` that wait for a word; `done` and `error` end an answer.
 */
export const chatEvent = z.object({
  seq: whole.min(1),
  type: z.enum(chatEventTypes),
  data: z.record(z.string(), z.unknown()),
});

const messageText = filledText(chatLimits.text);
const chatTitle = filledText(chatLimits.title);

const route = routesTagged("chat");
const base = "/api/chat/sessions";
const one = `${base}/{chatId}`;
const chatParams = z.object({ chatId: id });
const messageParams = chatParams.extend({ messageSeq: numberIn(1, 1e9) });

/** The answer is message `answer_seq`; it comes by the stream, from `since_seq` on. */
const due = { message_seq: whole.min(1), answer_seq: whole.min(1), since_seq: count };

export const chatRoutes = {
  create: route(`POST ${base}`, {
    policy: act,
    summary: "Begin a conversation",
    body: z.strictObject({
      /** Left out: how the first message begins. */
      title: chatTitle.optional(),
      /** What one is looking at: a project or a thing in one. */
      entity_id: id.optional(),
    }),
    result: chat,
    creates: true,
  }),
  list: route(`GET ${base}`, {
    policy: read,
    summary: "One's conversations, the ones last written to first",
    query: z.strictObject(pageQuery),
    result: pageOf(chat),
  }),
  get: route(`GET ${one}`, {
    policy: read,
    summary: "One conversation and a page of its messages, newest first",
    params: chatParams,
    query: z.strictObject({ limit: pageQuery.limit, messages_cursor: pageQuery.cursor }),
    result: z.object({ chat, messages: pageOf(chatMessage) }),
  }),
  rename: route(`PATCH ${one}`, {
    policy: act,
    summary: "Give a conversation another title",
    params: chatParams,
    body: z.strictObject({ title: chatTitle }),
    result: chat,
  }),
  remove: route(`DELETE ${one}`, {
    policy: act,
    summary: "Delete a conversation; an answer under way is stopped",
    params: chatParams,
    result: chat,
  }),
  send: route(`POST ${one}/messages`, {
    policy: act,
    summary:
      "Say something. The answer comes by the stream and is finished also if no one watches. What waited for confirmation is turned down by it; 409 while an answer is being written",
    params: chatParams,
    body: z.strictObject({
      text: messageText,
      /** What others wrote: material, never an instruction. */
      foreign_texts: givenForeignTexts,
    }),
    result: z.object(due),
    creates: true,
  }),
  confirm: route(`POST ${one}/messages/{messageSeq}/confirm`, {
    policy: act,
    summary:
      "Say yes or no to calls that wait, one by one. Exactly what was shown is carried out once nothing waits any more, all writes in one transaction",
    params: messageParams,
    body: z.strictObject({
      decisions: z
        .array(z.strictObject({ call_id: text(200), decision: z.enum(["approve", "reject"]) }))
        .min(1)
        .max(chatLimits.callsAtOnce)
        .refine(differIn("call_id"), "must decide on each call once"),
    }),
    result: chatMessage,
  }),
  stop: route(`POST ${one}/stop`, {
    policy: act,
    summary: "Stop the answer that is being written or waits for a word; what is there of it stays",
    params: chatParams,
    result: z.object({
      /** Null: nothing was under way. */
      stopped_seq: whole.min(1).nullable(),
    }),
  }),
  stream: route(`GET ${one}/stream`, {
    policy: read,
    summary:
      "A conversation's events as server-sent events (`chat_event`): replay after `since_seq` or `Last-Event-ID`, then live; kept for a day; after a longer absence read the messages",
    params: chatParams,
    query: sinceQuery,
    result: chatEvent,
    streams: true,
  }),
  followUp: route("POST /api/homework/runs/{runId}/follow-up", {
    policy: act,
    summary: "Begin a conversation that knows a run: its objective, report, what changed and its checks",
    params: z.object({ runId: id }),
    body: z.strictObject({
      /** Left out: the conversation begins empty. */
      text: messageText.optional(),
    }),
    result: z.object({
      chat_id: id,
      url: z.string(),
      message_seq: whole.min(1).nullable(),
      answer_seq: whole.min(1).nullable(),
      since_seq: count,
    }),
    creates: true,
  }),
} as const;

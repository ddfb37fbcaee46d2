// Conversations: asking a model about one's things, following its answer, and saying yes or no to what it wants to change.

import { z } from "zod";
import { callKinds, callStates, chatEventTypes, chatLimits, messageStates } from "../../domain/chat/chat.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { defineRoute } from "../route.ts";
import { id, text, timestamp } from "../text.ts";
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

const chatCall = z.object({
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

const messageText = text(chatLimits.text).refine((value) => value.trim() !== "", "must not be empty");
const chatTitle = text(chatLimits.title).refine((value) => value.trim() !== "", "must not be empty");

const tag = "chat";
const base = "/api/chat/sessions";
const one = `${base}/{chatId}`;
const chatParams = z.object({ chatId: id });
const messageParams = chatParams.extend({ messageSeq: z.coerce.number<number | string>().int().min(1).max(1e9) });
const read = { kind: "user", scope: "read" } as const;
const act = { kind: "user", scope: "run" } as const;

/** The answer is message `answer_seq`; it comes by the stream, from `since_seq` on. */
const due = { message_seq: whole.min(1), answer_seq: whole.min(1), since_seq: count };

export const chatRoutes = {
  create: defineRoute({
    method: "post",
    path: base,
    policy: act,
    tag,
    summary: "Begin a conversation",
    body: z.strictObject({
      /** Left out: how the first message begins. */
      title: chatTitle.optional(),
      /** What one is looking at: a project or a thing in one. */
      entity_id: id.optional(),
    }),
    status: 201,
    result: chat,
    creates: true,
  }),
  list: defineRoute({
    method: "get",
    path: base,
    policy: read,
    tag,
    summary: "One's conversations, the ones last written to first",
    query: z.strictObject(pageQuery),
    status: 200,
    result: pageOf(chat),
  }),
  get: defineRoute({
    method: "get",
    path: one,
    policy: read,
    tag,
    summary: "One conversation and a page of its messages, newest first",
    params: chatParams,
    query: z.strictObject({ limit: pageQuery.limit, messages_cursor: pageQuery.cursor }),
    status: 200,
    result: z.object({ chat, messages: pageOf(chatMessage) }),
  }),
  rename: defineRoute({
    method: "patch",
    path: one,
    policy: act,
    tag,
    summary: "Give a conversation another title",
    params: chatParams,
    body: z.strictObject({ title: chatTitle }),
    status: 200,
    result: chat,
  }),
  remove: defineRoute({
    method: "delete",
    path: one,
    policy: act,
    tag,
    summary: "Delete a conversation; an answer under way is stopped",
    params: chatParams,
    status: 200,
    result: chat,
  }),
  send: defineRoute({
    method: "post",
    path: `${one}/messages`,
    policy: act,
    tag,
    summary:
      "Say something. The answer comes by the stream and is finished also if nobody watches. What waited for confirmation is turned down by it; 409 while an answer is being written",
    params: chatParams,
    body: z.strictObject({ text: messageText }),
    status: 201,
    result: z.object(due),
    creates: true,
  }),
  confirm: defineRoute({
    method: "post",
    path: `${one}/messages/{messageSeq}/confirm`,
    policy: act,
    tag,
    summary:
      "Say yes or no to calls that wait, one by one. Exactly what was shown is carried out once nothing waits any more, all writes in one transaction",
    params: messageParams,
    body: z.strictObject({
      decisions: z
        .array(z.strictObject({ call_id: text(200), decision: z.enum(["approve", "reject"]) }))
        .min(1)
        .max(chatLimits.callsAtOnce)
        .refine(
          (decisions) => new Set(decisions.map((each) => each.call_id)).size === decisions.length,
          "must decide on each call once",
        ),
    }),
    status: 200,
    result: chatMessage,
  }),
  stop: defineRoute({
    method: "post",
    path: `${one}/stop`,
    policy: act,
    tag,
    summary: "Stop the answer that is being written or waits for a word; what is there of it stays",
    params: chatParams,
    status: 200,
    result: z.object({
      /** Null: nothing was under way. */
      stopped_seq: whole.min(1).nullable(),
    }),
  }),
  stream: defineRoute({
    method: "get",
    path: `${one}/stream`,
    policy: read,
    tag,
    summary:
      "A conversation's events as server-sent events (`chat_event`): replay after `since_seq` or `Last-Event-ID`, then live; kept for a day, so whoever was away longer reads the messages",
    params: chatParams,
    query: z.strictObject({ since_seq: z.coerce.number<number | string>().int().min(0).optional() }),
    status: 200,
    result: chatEvent,
    streams: true,
  }),
  followUp: defineRoute({
    method: "post",
    path: "/api/homework/runs/{runId}/follow-up",
    policy: act,
    tag,
    summary: "Begin a conversation that knows a run: its objective, report, what changed and its checks",
    params: z.object({ runId: id }),
    body: z.strictObject({
      /** Left out: the conversation begins empty. */
      text: messageText.optional(),
    }),
    status: 201,
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

// Rows of conversations, parsed: sessions, messages with their calls, events.

import { z } from "zod";
import {
  type Chat,
  type ChatCall,
  type ChatEvent,
  type ChatId,
  type ChatMessage,
  callKinds,
  callStates,
  chatEventTypes,
  messageStates,
} from "../../domain/chat/chat.ts";
import type { UserId } from "../../domain/identity/identity.ts";
import { foreignText } from "../../domain/policy/foreign-text.ts";
import { changeColumn } from "../change/change-set-store.ts";
import { idColumn, objectColumn, rowOf, whole } from "../row.ts";

const chatRow = rowOf({
  id: idColumn<ChatId>(),
  userId: idColumn<UserId>(),
  title: z.string(),
  contextType: z.string(),
  entityId: z.string().nullable(),
  runId: z.string().nullable(),
  lastSeq: whole,
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const toChat = (found: unknown): Chat => chatRow.parse(found);

const callRow = rowOf({
  seq: whole,
  position: whole,
  callId: z.string(),
  tool: z.string(),
  kind: z.enum(callKinds),
  args: z.unknown(),
  effect: z.string(),
  changes: z.array(changeColumn),
  needsWord: z.boolean(),
  approval: z.string().nullable(),
  state: z.enum(callStates),
  result: z.string().nullable(),
  summary: z.string().nullable(),
  isUntrusted: z.boolean(),
  foundUrls: z.array(z.string()),
});

/** With the number of the message it belongs to. */
export type CallOfMessage = ChatCall & { readonly seq: number };

export const toCall = (found: unknown): CallOfMessage => callRow.parse(found);

const messageRow = rowOf({
  seq: whole,
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  foreignTexts: z.array(foreignText),
  state: z.enum(messageStates),
  model: z.string().nullable(),
  isDemo: z.boolean(),
  error: z.string().nullable(),
  said: z
    .object({
      native: z.object({ provider: z.string(), model: z.string(), message: z.unknown() }).nullable(),
      callIds: z.array(z.string()),
    })
    .nullable(),
  costMicroUsd: whole,
  unpricedCalls: whole,
  tokens: whole,
  createdAt: z.string(),
});

export function toMessage(found: unknown, calls: readonly CallOfMessage[]): ChatMessage {
  const message = messageRow.parse(found);
  return { ...message, calls: calls.filter(({ seq }) => seq === message.seq) };
}

const eventRow = z.object({
  seq: whole,
  type: z.enum(chatEventTypes),
  data: objectColumn,
});

export const toEvent = (found: unknown): ChatEvent => eventRow.parse(found);

// Rows of conversations, parsed: sessions, messages with their calls, events.

import { z } from "zod";
import type { StagedChange } from "../domain/change-set/staged-write.ts";
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
} from "../domain/chat/chat.ts";
import { entityKinds } from "../domain/entity/kinds.ts";
import type { UserId } from "../domain/identity/identity.ts";

const whole = z.coerce.number().int();

/** A row with the names that the domain gives its columns. */
const renamed = (row: unknown): unknown =>
  Object.fromEntries(Object.entries(row as object).map(([name, value]) => [toCamelCase(name), value]));
const toCamelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const chatRow = z.object({
  id: z.string().transform((id) => id as ChatId),
  userId: z.string().transform((id) => id as UserId),
  title: z.string(),
  contextType: z.string(),
  entityId: z.string().nullable(),
  runId: z.string().nullable(),
  lastSeq: whole,
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const toChat = (found: unknown): Chat => chatRow.parse(renamed(found));

const image = z.record(z.string(), z.unknown());
const changeColumn: z.ZodType<StagedChange> = z.object({
  op: z.enum(["created", "updated", "deleted", "restored"]),
  kind: z.enum(["project", ...entityKinds, "edge"]),
  projectId: z.string(),
  entityId: z.string(),
  title: z.string(),
  before: image.nullable(),
  after: image,
});

const callRow = z.object({
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

export const toCall = (found: unknown): CallOfMessage => callRow.parse(renamed(found));

const messageRow = z.object({
  seq: whole,
  role: z.enum(["user", "assistant"]),
  text: z.string(),
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
  const message = messageRow.parse(renamed(found));
  return { ...message, calls: calls.filter(({ seq }) => seq === message.seq) };
}

const eventRow = z.object({
  seq: whole,
  type: z.enum(chatEventTypes),
  data: z.record(z.string(), z.unknown()),
});

export const toEvent = (found: unknown): ChatEvent => eventRow.parse(found);

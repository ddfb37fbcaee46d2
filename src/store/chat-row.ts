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

const chatRow = z.object({
  id: z.string(),
  user_id: z.string(),
  title: z.string(),
  context_type: z.string(),
  entity_id: z.string().nullable(),
  run_id: z.string().nullable(),
  last_seq: whole,
  created_at: z.string(),
  updated_at: z.string(),
});

export function toChat(found: unknown): Chat {
  const row = chatRow.parse(found);
  return {
    id: row.id as ChatId,
    userId: row.user_id as UserId,
    title: row.title,
    contextType: row.context_type,
    entityId: row.entity_id,
    runId: row.run_id,
    lastSeq: row.last_seq,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

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
  call_id: z.string(),
  tool: z.string(),
  kind: z.enum(callKinds),
  args: z.unknown(),
  effect: z.string(),
  changes: z.array(changeColumn),
  needs_word: z.boolean(),
  approval: z.string().nullable(),
  state: z.enum(callStates),
  result: z.string().nullable(),
  summary: z.string().nullable(),
  is_untrusted: z.boolean(),
  found_urls: z.array(z.string()),
});

/** With the number of the message it belongs to. */
export type CallOfMessage = ChatCall & { readonly seq: number };

export function toCall(found: unknown): CallOfMessage {
  const row = callRow.parse(found);
  return {
    seq: row.seq,
    position: row.position,
    callId: row.call_id,
    tool: row.tool,
    kind: row.kind,
    args: row.args,
    effect: row.effect,
    changes: row.changes,
    needsWord: row.needs_word,
    approval: row.approval,
    state: row.state,
    result: row.result,
    summary: row.summary,
    isUntrusted: row.is_untrusted,
    foundUrls: row.found_urls,
  };
}

const messageRow = z.object({
  seq: whole,
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  state: z.enum(messageStates),
  model: z.string().nullable(),
  is_demo: z.boolean(),
  error: z.string().nullable(),
  said: z
    .object({
      native: z.object({ provider: z.string(), model: z.string(), message: z.unknown() }).nullable(),
      callIds: z.array(z.string()),
    })
    .nullable(),
  cost_micro_usd: whole,
  unpriced_calls: whole,
  tokens: whole,
  created_at: z.string(),
});

export function toMessage(found: unknown, calls: readonly CallOfMessage[]): ChatMessage {
  const row = messageRow.parse(found);
  return {
    seq: row.seq,
    role: row.role,
    text: row.text,
    state: row.state,
    model: row.model,
    isDemo: row.is_demo,
    error: row.error,
    said: row.said,
    calls: calls.filter(({ seq }) => seq === row.seq),
    costMicroUsd: row.cost_micro_usd,
    unpricedCalls: row.unpriced_calls,
    tokens: row.tokens,
    createdAt: row.created_at,
  };
}

const eventRow = z.object({
  seq: whole,
  type: z.enum(chatEventTypes),
  data: z.record(z.string(), z.unknown()),
});

export const toEvent = (found: unknown): ChatEvent => eventRow.parse(found);

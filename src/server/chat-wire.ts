// Conversations, from the domain to the contract.

import type { Chat, ChatCall, ChatMessage } from "../domain/chat/chat.ts";
import type { Chat as WireChat, ChatMessage as WireMessage } from "../protocol/api.ts";

export const pageOfChat = (chatId: string) => `/chat/${chatId}`;

export const toWireChat = (chat: Chat): WireChat => ({
  id: chat.id,
  title: chat.title,
  context_type: chat.contextType,
  entity_id: chat.entityId,
  run_id: chat.runId,
  last_seq: chat.lastSeq,
  created_at: chat.createdAt,
  updated_at: chat.updatedAt,
  url: pageOfChat(chat.id),
});

export const toWireMessage = (message: ChatMessage): WireMessage => ({
  seq: message.seq,
  role: message.role,
  text: message.text,
  state: message.state,
  model: message.model,
  is_demo: message.isDemo,
  error: message.error,
  calls: message.calls.map(toWireCall),
  metrics: {
    cost_total_micro_usd: message.costMicroUsd,
    unpriced_calls: message.unpricedCalls,
    tokens_total: message.tokens,
  },
  created_at: message.createdAt,
});

const toWireCall = (call: ChatCall): WireMessage["calls"][number] => ({
  call_id: call.callId,
  tool: call.tool,
  kind: call.kind,
  args: call.args,
  effect: call.effect,
  needs_confirmation: call.needsWord,
  state: call.state,
  summary: call.summary,
});

// Conversations, from the domain to the contract.

import type { Chat, ChatCall, ChatMessage } from "../domain/chat/chat.ts";
import { chatCall, chatMessage, chat as chatShape } from "../protocol/routes/chat.ts";
import { wireOf } from "./wire.ts";

export const pageOfChat = (chatId: string) => `/chat/${chatId}`;

const chatOf = wireOf(chatShape);
export const toWireChat = (chat: Chat) => chatOf({ ...chat, url: pageOfChat(chat.id) });

const callOf = wireOf(chatCall);
const toWireCall = (call: ChatCall) => callOf({ ...call, needsConfirmation: call.needsWord });

const messageOf = wireOf(chatMessage);
export const toWireMessage = (message: ChatMessage) =>
  messageOf({
    ...message,
    foreignTexts: [...message.foreignTexts],
    calls: message.calls.map(toWireCall),
    metrics: {
      cost_total_micro_usd: message.costMicroUsd,
      unpriced_calls: message.unpricedCalls,
      tokens_total: message.tokens,
    },
  });

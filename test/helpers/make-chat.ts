// Messages and calls of a conversation with boring defaults.

import type { ChatCall, ChatMessage } from "../../src/domain/chat/chat.ts";

export function makeMessage(change: Partial<ChatMessage> = {}): ChatMessage {
  return {
    seq: 2,
    role: "assistant",
    text: "An answer",
    foreignTexts: [],
    state: "complete",
    model: null,
    isDemo: false,
    error: null,
    said: null,
    calls: [],
    costMicroUsd: 0,
    unpricedCalls: 0,
    tokens: 0,
    createdAt: "2030-03-17T17:36:40Z",
    ...change,
  };
}

/** A write that waits for a word. */
export function makeCall(change: Partial<ChatCall> = {}): ChatCall {
  return {
    position: 1,
    callId: "call_2_1",
    tool: "create_task",
    kind: "write",
    args: { title: "Buy tiles" },
    effect: "create task “Buy tiles”",
    changes: [],
    needsWord: true,
    approval: null,
    state: "pending",
    result: null,
    summary: null,
    isUntrusted: false,
    foundUrls: [],
    ...change,
  };
}

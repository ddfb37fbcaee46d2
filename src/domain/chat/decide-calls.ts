// What a person's word about waiting calls leads to: each is decided once, what was decided stays, and the answer goes on when
// nothing waits any more.

import type { ChatCall, ChatMessage } from "./chat.ts";

export type CallDecision = { readonly callId: string; readonly decision: "approve" | "reject" };

export type DecidedCalls =
  | {
      readonly outcome: "decided";
      readonly approved: readonly string[];
      readonly rejected: readonly string[];
      /** Nothing waits any more. */
      readonly isOver: boolean;
    }
  | { readonly outcome: "unknown_call"; readonly callId: string }
  | { readonly outcome: "refused"; readonly why: string };

export function decideCalls(message: ChatMessage, decisions: readonly CallDecision[]): DecidedCalls {
  if (message.state !== "awaiting_confirmation")
    return { outcome: "refused", why: "Nothing of this message waits for your word" };
  const calls = new Map(message.calls.map((call) => [call.callId, call]));
  for (const { callId, decision } of decisions) {
    const call = calls.get(callId);
    if (!call?.needsWord) return { outcome: "unknown_call", callId };
    if (!isSame(call, decision)) return { outcome: "refused", why: `The call ${callId} is ${call.state} already` };
  }
  const open = decisions.filter(({ callId }) => calls.get(callId)?.state === "pending");
  const idsOf = (which: CallDecision["decision"]) =>
    open.filter(({ decision }) => decision === which).map(({ callId }) => callId);
  const waiting = message.calls.filter(({ state }) => state === "pending").length;
  return {
    outcome: "decided",
    approved: idsOf("approve"),
    rejected: idsOf("reject"),
    isOver: new Set(open.map(({ callId }) => callId)).size === waiting,
  };
}

/** The same word twice is one word. */
function isSame({ state }: ChatCall, decision: CallDecision["decision"]): boolean {
  return state === "pending" || state === (decision === "approve" ? "approved" : "rejected");
}

// What of a conversation a model is shown: the exchange that is under way in full, and of those before it as many whole ones
// as there is room for, newest first. What is left out is counted. An exchange begins with what the user wrote.

import { unreachable } from "../../lib/assert.ts";
import { clip } from "../planner/clip.ts";
import type { ChatCall, ChatMessage } from "./chat.ts";

export type ShownReply = {
  readonly callId: string;
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
  readonly isUntrusted: boolean;
};

export type ShownMessage =
  | { readonly role: "user"; readonly text: string }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly calls: readonly { readonly callId: string; readonly tool: string; readonly args: unknown }[];
      readonly replies: readonly ShownReply[];
    };

export type ShownHistory = {
  /** Messages of the conversation that are not here. */
  readonly leftOut: number;
  readonly messages: readonly ShownMessage[];
};

/** Characters. Together about 25,000 tokens, whatever the age of the conversation; one exchange alone may have more. */
export const historyLimits = {
  earlier: 60_000,
  /** Of one result: in the exchange that is under way, and in earlier ones. */
  result: 6_000,
  oldResult: 600,
  /** Arguments of calls in earlier exchanges. */
  oldArgs: 600,
} as const;

/** `messages` without the answer that is to be written: the newest ones; `before` them there are more. */
export function shownHistory(messages: readonly ChatMessage[], before = 0): ShownHistory {
  const exchanges = exchangesOf(messages);
  const current = exchanges.at(-1) ?? [];
  const kept: ShownMessage[][] = [];
  let room: number = historyLimits.earlier;
  for (const exchange of exchanges.slice(0, -1).toReversed()) {
    const shown = exchange.flatMap((message) => show(message, true));
    room -= sizeOf(shown);
    if (room < 0 || exchange[0]?.role !== "user") break; // Half an exchange makes no sense to anyone.
    kept.unshift(shown);
  }
  const left = exchanges.slice(0, exchanges.length - 1 - kept.length);
  return {
    leftOut: left.reduce((sum, exchange) => sum + exchange.length, before),
    messages: [...kept.flat(), ...current.flatMap((message) => show(message, false))],
  };
}

function exchangesOf(messages: readonly ChatMessage[]): readonly (readonly ChatMessage[])[] {
  const exchanges: ChatMessage[][] = [];
  for (const message of messages) {
    const last = exchanges.at(-1);
    if (message.role === "user" || last === undefined) exchanges.push([message]);
    else last.push(message);
  }
  return exchanges;
}

/** An answer that broke off is shown as far as it got; one that never began is not. */
function show({ role, text, calls }: ChatMessage, isOld: boolean): readonly ShownMessage[] {
  if (role === "user") return [{ role, text }];
  if (text.trim() === "" && calls.length === 0) return [];
  return [
    {
      role,
      text,
      calls: calls.map(({ callId, tool, args }) => ({ callId, tool, args: isOld ? shortArgs(args) : args })),
      replies: calls.map((call) => replyOf(call, isOld ? historyLimits.oldResult : historyLimits.result)),
    },
  ];
}

function shortArgs(args: unknown): unknown {
  const json = JSON.stringify(args) ?? "";
  return json.length <= historyLimits.oldArgs ? args : { shortened: json.slice(0, historyLimits.oldArgs) };
}

const sizeOf = (messages: readonly ShownMessage[]): number => JSON.stringify(messages).length;

/** Every call has an answer: providers take no other conversation. */
function replyOf(call: ChatCall, max: number): ShownReply {
  const { callId, tool, isUntrusted } = call;
  return { callId, tool, text: clip(resultOf(call), max), isError: call.state !== "done", isUntrusted };
}

function resultOf({ state, result }: ChatCall): string {
  if (result !== null) return result;
  switch (state) {
    case "pending":
    case "rejected":
      return "Not done: the user has not allowed it.";
    case "approved":
      return "Not done: the answer ended before it was.";
    case "begun":
      return "Nobody knows whether this happened: it was under way when the answer ended. Find out before you do it again.";
    case "done":
    case "failed":
      return "";
    default:
      return unreachable(state);
  }
}

/** Calls of a model for the user's last message so far. */
export function answersSoFar(messages: readonly ChatMessage[]): number {
  return messages.length - 1 - messages.findLastIndex(({ role }) => role === "user");
}

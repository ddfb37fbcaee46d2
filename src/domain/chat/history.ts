// What of a conversation a model is shown: the exchange that is under way in full, and of those before it as many whole ones
// as there is room for, newest first. What is left out is counted. An exchange begins with what the user wrote.

import { unreachable } from "../../lib/assert.ts";
import { clip } from "../planner/clip.ts";
import type { ForeignText } from "../policy/foreign-text.ts";
import type { CallKind, ChatCall, ChatMessage } from "./chat.ts";

export type ShownReply = {
  readonly callId: string;
  readonly tool: string;
  readonly kind: CallKind;
  /** How the whole of it is opened. */
  readonly ref: string;
  readonly text: string;
  readonly isError: boolean;
  readonly isUntrusted: boolean;
};

export type ShownMessage =
  | { readonly role: "user"; readonly text: string; readonly foreignTexts?: readonly ForeignText[] }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly calls: readonly { readonly callId: string; readonly tool: string; readonly args: unknown }[];
      readonly replies: readonly ShownReply[];
      readonly native: Native;
      /** Of an exchange that is over. */
      readonly earlierNative?: Native;
    };

type Native = NonNullable<ChatMessage["said"]>["native"];

export type ShownHistory = {
  /** Messages of the conversation that are not here. */
  readonly leftOut: number;
  readonly earlier: readonly ShownMessage[];
  readonly current: readonly ShownMessage[];
};

/** Characters. Together about 25,000 tokens, whatever the age of the conversation; one exchange alone may have more. */
export const historyLimits = {
  earlier: 60_000,
  /** Of one result, and of the arguments of a call, in earlier exchanges. */
  oldResult: 600,
  oldArgs: 600,
} as const;

/** `messages` without the answer that is to be written: the newest ones; `before` them there are more. */
export function shownHistory(messages: readonly ChatMessage[], before = 0): ShownHistory {
  const exchanges = exchangesOf(messages);
  const kept: ShownMessage[][] = [];
  let room: number = historyLimits.earlier;
  for (const exchange of exchanges.slice(0, -1).toReversed()) {
    const shown = exchange.flatMap(showEarlier);
    room -= JSON.stringify(shown, (key, value) => (key === "earlierNative" ? undefined : value)).length;
    if (room < 0 || exchange[0]?.role !== "user") break; // Half an exchange makes no sense to anyone.
    kept.unshift(shown);
  }
  const left = exchanges.slice(0, exchanges.length - 1 - kept.length);
  return {
    leftOut: left.reduce((sum, exchange) => sum + exchange.length, before),
    earlier: kept.flat(),
    current: (exchanges.at(-1) ?? []).flatMap(show),
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
function show({ seq, role, text, foreignTexts, calls, said }: ChatMessage): readonly ShownMessage[] {
  if (role === "user") return [{ role, text, ...(foreignTexts.length === 0 ? {} : { foreignTexts }) }];
  if (text.trim() === "" && calls.length === 0) return [];
  const shown = calls.map((call, at) => ({ ...call, callId: said?.callIds[at] ?? call.callId }));
  return [
    {
      role,
      text,
      calls: shown.map(({ callId, tool, args }) => ({ callId, tool, args })),
      replies: shown.map((call) => showReply(seq, call)),
      native: said?.native ?? null,
    },
  ];
}

/** In short, and in our words: what a provider wants back, it wants back within one exchange; some insist on more. */
const showEarlier = (message: ChatMessage): readonly ShownMessage[] =>
  show(message).map((shown) =>
    shown.role === "user"
      ? shown
      : {
          ...shown,
          calls: shown.calls.map((call) => ({ ...call, args: shortArgs(call.args) })),
          replies: shown.replies.map((reply) => ({ ...reply, text: clip(reply.text, historyLimits.oldResult) })),
          native: null,
          ...(shown.native === null ? {} : { earlierNative: shown.native }),
        },
  );

function shortArgs(args: unknown): unknown {
  const json = JSON.stringify(args) ?? "";
  return json.length <= historyLimits.oldArgs ? args : { shortened: json.slice(0, historyLimits.oldArgs) };
}

/** Every call has an answer: providers take no other conversation. `seq` is of the message that wants the call. */
export function showReply(seq: number, call: ChatCall): ShownReply {
  const { callId, tool, kind, position, isUntrusted } = call;
  const ref = nameResult(seq, String(position));
  return { callId, tool, kind, ref, text: resultOf(call), isError: call.state !== "done", isUntrusted };
}

/** What `read_result` opens a result by: its message and its call. */
export const nameResult = (seq: number, key: string): string => `i${seq}/${key}`;

function resultOf({ state, result }: ChatCall): string {
  if (result !== null) return result;
  switch (state) {
    case "pending":
    case "rejected":
      return "Not done: the user has not allowed it.";
    case "approved":
      return "Not done: the answer ended before it was.";
    case "begun":
      return "It is not known whether this happened: it was under way when the answer ended. Find out before you do it again.";
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

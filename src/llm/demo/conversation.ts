// What a session has brought so far, read from its messages: its own calls with their results, what the platform lists, and whether
// the user has said something meanwhile.

import type { ModelMessage, PlainAnswer, ToolReply } from "../model.ts";

type Args = Readonly<Record<string, unknown>>;
export type Wanted = { readonly tool: string; readonly args: Args };
export type DoneCall = Wanted & { readonly reply: ToolReply | null };

export type Conversation = {
  readonly calls: readonly DoneCall[];
  readonly wasInterrupted: boolean;
  /** The platform has asked it to end. */
  readonly mustEnd: boolean;
};

export function readConversation(messages: readonly ModelMessage[]): Conversation {
  const replies = messages.flatMap((message) => (message.role === "tool" ? message.results : []));
  const made = messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  const calls = made.map(({ callId, tool, args }) => ({
    tool,
    args: (typeof args === "object" ? (args ?? {}) : {}) as Args,
    reply: replies.find((reply) => reply.callId === callId) ?? null,
  }));
  const notes = messages.slice(1).flatMap((message) => (message.role === "user" ? [message.text] : []));
  const last = messages.at(-1);
  return {
    calls,
    wasInterrupted: notes.some((note) => note.includes("The user has just said")),
    mustEnd: messages.length > 1 && last?.role === "user" && last.text.includes("end_iteration"),
  };
}

/** An answer that calls these, with ids that no other answer of the session has. */
export const callAll = ({ length }: readonly ModelMessage[], calls: readonly Wanted[]): PlainAnswer => ({
  text: "",
  toolCalls: calls.map((call, n) => ({ callId: `demo-${length}-${n + 1}`, ...call })),
});

const madeLine = /(?:Made the \w+|Wrote the note|Added to the document) ([0-9a-f-]{36})/;
/** The id that a tool says it made; a staged write says it, too, before it is done. */
export const madeId = ({ reply }: DoneCall): string | null => madeLine.exec(reply?.text ?? "")?.[1] ?? null;
export const isStaged = ({ reply }: DoneCall): boolean => reply?.text.includes("NOT written yet") === true;

/** Fences are for models that read. */
export const unfence = (text: string): string => text.replaceAll(/^<<<(?:untrusted|end) [^\n]*>>>\n?/gm, "").trim();

// A conversation as it is shown: the messages that were read, with what the stream told since folded onto them. Pure. What
// the stream only hints at (tool calls, questions, ends) is read again by the component that shows it.

import { z } from "zod";
import type { ChatEvent, ChatMessage } from "../../../../src/protocol/api.ts";

const begun = z.object({
  message_seq: z.number(),
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  foreign_texts: z.array(z.object({ title: z.string(), text: z.string() })).default([]),
});
const written = z.object({ message_seq: z.number(), at: z.number(), text: z.string() });

/** Oldest first. An event that is in what was read already changes nothing that is newer. */
export function foldChat(read: readonly ChatMessage[], events: readonly ChatEvent[]): readonly ChatMessage[] {
  return events.reduce(fold, read);
}

function fold(messages: readonly ChatMessage[], { type, data }: ChatEvent): readonly ChatMessage[] {
  if (type === "message") {
    const said = begun.safeParse(data);
    if (!said.success || messages.some(({ seq }) => seq === said.data.message_seq)) return messages;
    return [...messages, beginning(said.data)];
  }
  if (type !== "text") return messages;
  const said = written.safeParse(data);
  if (!said.success) return messages;
  return messages.map((message) => (message.seq === said.data.message_seq ? rewrite(message, said.data) : message));
}

/** Only while it is being written: what has ended is as it was read. */
function rewrite(message: ChatMessage, { at, text }: z.output<typeof written>): ChatMessage {
  if (message.state !== "streaming") return message;
  return { ...message, text: message.text.slice(0, at) + text };
}

/** What is not known yet comes when the conversation is read again. */
function beginning({ message_seq: seq, role, text, foreign_texts }: z.output<typeof begun>): ChatMessage {
  return {
    seq,
    role,
    text,
    foreign_texts,
    state: role === "user" ? "complete" : "streaming",
    model: null,
    is_demo: false,
    error: null,
    calls: [],
    metrics: { cost_total_micro_usd: 0, unpriced_calls: 0, tokens_total: 0 },
    created_at: "",
  };
}

/** Its answer is being written, or waits for a word: no other message can be sent, or sending it says no. */
export function openAnswerOf(messages: readonly ChatMessage[]): ChatMessage | null {
  return messages.findLast(({ state }) => state === "streaming" || state === "awaiting_confirmation") ?? null;
}

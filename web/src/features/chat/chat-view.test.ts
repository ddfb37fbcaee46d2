import { expect, test } from "vitest";
import type { ChatEvent, ChatMessage } from "../../../../src/protocol/api.ts";
import { foldChat, openAnswerOf } from "./chat-view.ts";

const message = (seq: number, fields: Partial<ChatMessage> = {}): ChatMessage => ({
  seq,
  role: "assistant",
  text: "",
  foreign_texts: [],
  state: "streaming",
  model: null,
  is_demo: false,
  error: null,
  calls: [],
  metrics: { cost_total_micro_usd: 0, unpriced_calls: 0, tokens_total: 0 },
  created_at: "2030-03-17T17:00:00Z",
  ...fields,
});
let seq = 0;
const event = (type: ChatEvent["type"], data: ChatEvent["data"]): ChatEvent => ({ seq: ++seq, type, data });
const texts = (messages: readonly ChatMessage[]) => messages.map(({ text }) => text);

test("an answer grows with what is told of it", () => {
  const events = [
    event("text", { message_seq: 2, at: 0, text: "Three tasks" }),
    event("text", { message_seq: 2, at: 11, text: " are due." }),
  ];
  expect(texts(foldChat([message(2)], events))).toEqual(["Three tasks are due."]);
});

test("an answer that begins anew loses what it had said", () => {
  const events = [event("text", { message_seq: 2, at: 0, text: "No." })];
  expect(texts(foldChat([message(2, { text: "Three tasks" })], events))).toEqual(["No."]);
});

test("a message that begins is there at once, and only once", () => {
  const events = [event("message", { message_seq: 3, role: "user", text: "And tomorrow?" })];
  const shown = foldChat([message(2, { state: "complete" })], [...events, ...events]);
  expect(shown.map(({ seq: number, state, role }) => [number, state, role])).toEqual([
    [2, "complete", "assistant"],
    [3, "complete", "user"],
  ]);
});

test("what has ended stays as it was read", () => {
  const ended = message(2, { state: "complete", text: "All of it." });
  expect(foldChat([ended], [event("text", { message_seq: 2, at: 0, text: "All" })])).toEqual([ended]);
});

test("an event of another shape changes nothing", () => {
  expect(foldChat([message(2)], [event("text", { message_seq: "two" }), event("done", {})])).toEqual([message(2)]);
});

test("the open answer is the one being written, or waiting for a word", () => {
  expect(openAnswerOf([message(1, { state: "complete" }), message(2)])?.seq).toBe(2);
  expect(openAnswerOf([message(2, { state: "awaiting_confirmation" })])?.seq).toBe(2);
  expect(openAnswerOf([message(2, { state: "failed" })])).toBeNull();
});

// A provider as a list of replies to `fetch`, for wire details that the lab does not play. Only tests import it.

import type { Instant } from "../../src/lib/env.ts";
import { defaultTimeouts } from "../../src/llm/answer-limits.ts";
import { callModel } from "../../src/llm/call-model.ts";
import type { ModelAnswer, ModelMessage, ModelOutcome, ModelRequest } from "../../src/llm/model.ts";
import type { ProviderName } from "../../src/llm/model-id.ts";
import { createPriceBook, type OwnPrices } from "../../src/llm/prices.ts";
import { makeRequest, refOf } from "../lab/lab-models.ts";

/** Events of a stream, each an object or text as it is; or a refusal. */
export type FakeReply =
  | { readonly events: readonly unknown[] }
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> };

export const fakeNowMs = Date.UTC(2026, 10, 15, 12, 0, 0);

export type Wire = Record<string, unknown>;

export type FakeCall = { readonly outcome: ModelOutcome; readonly sent: readonly Wire[] };

type Options = {
  readonly ownPrices?: OwnPrices;
  readonly modelsWithoutTools?: Set<string>;
  readonly modelsWantingReasoning?: Set<string>;
};

/** One call of a model that is answered with these, one after the other. */
export async function callFake(
  id: string,
  replies: readonly FakeReply[],
  request: Partial<ModelRequest> = {},
  { ownPrices = {}, modelsWithoutTools = new Set(), modelsWantingReasoning = new Set() }: Options = {},
): Promise<FakeCall> {
  const model = refOf(id);
  const sent: Wire[] = [];
  const outcome = await callModel({
    provider: { name: model.provider as ProviderName, baseUrl: "http://127.0.0.1:9/v1", apiKey: "sk-fake-key" },
    model,
    request: makeRequest(request),
    signal: new AbortController().signal,
    onText: () => {},
    onSilence: () => {},
    fetch: async (_url, init) => {
      const reply = replies[sent.length];
      sent.push(JSON.parse(String(init?.body)) as Wire);
      if (reply === undefined) throw new Error(`call ${sent.length} was not expected`);
      return toResponse(reply);
    },
    env: { now: () => fakeNowMs as Instant, random: () => 0 },
    redact: (text) => text,
    prices: createPriceBook(ownPrices),
    timeouts: defaultTimeouts,
    modelsWithoutTools,
    modelsWantingReasoning,
  });
  return { outcome, sent };
}

function toResponse(reply: FakeReply): Response {
  if (!("events" in reply)) {
    const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
    return new Response(text, { status: reply.status, headers: { ...reply.headers } });
  }
  const lines = reply.events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
  return new Response(lines.join(""), { status: 200, headers: { "content-type": "text/event-stream" } });
}

export function answerIn({ outcome }: FakeCall): ModelAnswer {
  if (outcome.kind !== "answered") throw new Error(`no answer: ${JSON.stringify(outcome)}`);
  // As it comes out of the journal.
  return JSON.parse(JSON.stringify(outcome.answer)) as ModelAnswer;
}

/** A conversation in which this was answered, with a result for each call and another question. */
export function conversation(answer: ModelAnswer, text = "And now?"): readonly ModelMessage[] {
  const results = answer.toolCalls.map(({ callId, tool }) => ({ callId, tool, text: "done", isError: false }));
  return [
    { role: "user", text: "What is next?" },
    { role: "assistant", ...answer },
    ...(results.length > 0 ? [{ role: "tool" as const, results }] : []),
    { role: "user", text },
  ];
}

export const noteTool = {
  name: "note",
  description: "Writes it down.",
  schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

/** Chat completions, as OpenRouter and compatible servers stream them. */
export const chatChunk = (delta: unknown, finish: string | null = null, more: Wire = {}): Wire => ({
  id: "c1",
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});

export const chatCall = (args: string, { id = "call_1", name = "note", index = 0 } = {}): Wire => ({
  tool_calls: [{ index, id, type: "function", function: { name, arguments: args } }],
});

export const chatText = (text: string, more: Wire = {}): FakeReply => ({
  events: [chatChunk({ role: "assistant", content: text }), chatChunk({}, "stop", more), "[DONE]"],
});

/** Messages of Anthropic; `blocks` are start events with their deltas. */
export function claudeEvents(
  blocks: readonly { readonly start: Wire; readonly deltas: readonly Wire[] }[],
  stop = "end_turn",
): FakeReply {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: "m1", type: "message", role: "assistant", model: "claude", content: [], usage };
  return {
    events: [
      { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
      ...blocks.flatMap(({ start, deltas }, index) => [
        { type: "content_block_start", index, content_block: start },
        ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
        { type: "content_block_stop", index },
      ]),
      { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } },
      { type: "message_stop" },
    ],
  };
}

export const claudeText = (text: string): FakeReply =>
  claudeEvents([{ start: { type: "text", text: "" }, deltas: [{ type: "text_delta", text }] }]);

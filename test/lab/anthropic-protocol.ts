// Anthropic messages. Only tests import it.

import {
  type LabEvent,
  type LabProtocol,
  type LabTurn,
  makeTurn,
  num,
  records,
  type Said,
  type SaidReasoning,
  sentArgs,
  str,
  textOf,
  wordsOf,
} from "./lab-protocol.ts";

export const anthropicProtocol: LabProtocol = {
  name: "anthropic",
  matches: (path) => path.endsWith("/messages"),
  read: (body) => ({
    model: str(body.model),
    isStream: body.stream === true,
    system: textOf(body.system),
    items: records(body.messages).map(toItem),
    tools: records(body.tools).map((tool) => str(tool.name)),
    wantsJson: false,
    maxOutputTokens: num(body.max_tokens),
  }),
  whole: (said) => ({
    ...head(said),
    ...transformed(said),
    content: [
      ...thinkingOf(said),
      ...(said.text === "" ? [] : [{ type: "text", text: said.text }]),
      ...said.toolCalls.map(({ id, name, args }, at) => ({
        type: "tool_use",
        id,
        name,
        input: said.isHalf && at === said.toolCalls.length - 1 ? {} : args,
      })),
    ],
    stop_reason: stopOf(said),
    usage: { ...inputOf(said), output_tokens: said.usage?.output ?? 0 },
  }),
  events: (said) => {
    const events: LabEvent[] = [];
    const say = (type: string, rest: object) => events.push({ event: type, data: { type, ...rest } });
    const message = { ...head(said), ...transformed(said), content: [], stop_reason: null };
    say("message_start", { message: { ...message, usage: { ...inputOf(said), output_tokens: 1 } } });
    for (const [index, { start, deltas }] of blocksOf(said).entries()) {
      say("content_block_start", { index, content_block: start });
      for (const delta of deltas) say("content_block_delta", { index, delta });
      say("content_block_stop", { index });
    }
    if (said.finish === "error") say("error", { error: { type: "overloaded_error", message: "Overloaded" } });
    if (said.finish === "none" || said.finish === "error") return events;
    say("message_delta", {
      delta: { stop_reason: stopOf(said), stop_sequence: null },
      usage: { output_tokens: said.usage?.output ?? 0 },
    });
    say("message_stop", {});
    return events;
  },
  error: (status, message, code) => ({
    type: "error",
    error: { type: code ?? errorTypes[status] ?? "api_error", message },
    request_id: "req_lab",
  }),
};

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

type Block = { readonly start: object; readonly deltas: readonly object[] };

function blocksOf(said: Said): readonly Block[] {
  const thinking = thinkingOf(said).map((block): Block => {
    if (block.type === "redacted_thinking") return { start: block, deltas: [] };
    return {
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...wordsOf(block.thinking).map((text) => ({ type: "thinking_delta", thinking: text })),
        { type: "signature_delta", signature: block.signature },
      ],
    };
  });
  const deltas = wordsOf(said.text).map((text) => ({ type: "text_delta", text }));
  const text = said.text === "" ? [] : [{ start: { type: "text", text: "" }, deltas }];
  const calls = said.toolCalls.map(({ id, name }, at) => ({
    start: { type: "tool_use", id, name, input: {} },
    deltas: [{ type: "input_json_delta", partial_json: sentArgs(said, at) }],
  }));
  return [...thinking, ...text, ...calls];
}

type Thinking =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string };

const thinkingOf = ({ reasoning }: Said): readonly Thinking[] => reasoning.map(toThinking);

export const toThinking = ({ text, signature, isRedacted }: SaidReasoning): Thinking =>
  isRedacted
    ? { type: "redacted_thinking", data: signature ?? "" }
    : { type: "thinking", thinking: text, signature: signature ?? "" };

const head = ({ id, model }: Said) => ({
  id: `msg_${id}`,
  type: "message",
  role: "assistant",
  model,
  stop_sequence: null,
});

const transformed = ({ transformations }: Said) =>
  transformations.length === 0 ? {} : { input_transformations: transformations };

/** `input_tokens` is what was neither read from nor written to a cache. */
const inputOf = ({ usage }: Said) => ({
  input_tokens: usage === null ? 0 : usage.input - usage.cacheRead - usage.cacheWrite,
  cache_creation_input_tokens: usage?.cacheWrite ?? 0,
  cache_read_input_tokens: usage?.cacheRead ?? 0,
});

function stopOf({ finish, toolCalls }: Said): string {
  if (finish === "length") return "max_tokens";
  if (finish === "window") return "model_context_window_exceeded";
  if (finish === "content_filter") return "refusal";
  return toolCalls.length > 0 ? "tool_use" : "end_turn";
}

function toItem({ role, content }: Record<string, unknown>): LabTurn {
  const parts = records(content);
  const results = parts
    .filter(({ type }) => type === "tool_result")
    .map((part) => ({ callId: str(part.tool_use_id), name: "", text: textOf(part.content) }));
  return makeTurn({
    role: role === "assistant" ? "assistant" : results.length > 0 ? "tool" : "user",
    text: textOf(content),
    reasoning: parts.map(({ thinking }) => str(thinking)).join(""),
    toolCalls: parts
      .filter(({ type }) => type === "tool_use")
      .map(({ id, name, input }) => ({ id: str(id), name: str(name), args: input })),
    results,
  });
}

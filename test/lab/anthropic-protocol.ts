// Anthropic messages. Only tests import it.

import {
  argsText,
  callId,
  type LabEvent,
  type LabMessage,
  type LabProtocol,
  num,
  records,
  type Said,
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
    messages: records(body.messages).map(toMessage),
    tools: records(body.tools).map((tool) => str(tool.name)),
    wantsJson: false,
    maxOutputTokens: num(body.max_tokens),
  }),
  whole: (said) => ({
    ...head(said),
    content: [
      ...(said.text === "" ? [] : [{ type: "text", text: said.text }]),
      ...said.toolCalls.map(({ name, args }, at) => ({ type: "tool_use", id: callId(said, at), name, input: args })),
    ],
    stop_reason: stopOf(said),
    usage: { ...inputOf(said), output_tokens: said.usage?.output ?? 0 },
  }),
  events: (said) => {
    const events: LabEvent[] = [];
    const say = (type: string, rest: object) => events.push({ event: type, data: { type, ...rest } });
    say("message_start", {
      message: { ...head(said), content: [], stop_reason: null, usage: { ...inputOf(said), output_tokens: 1 } },
    });
    sayText(say, said);
    for (const [at, { name, args }] of said.toolCalls.entries()) {
      const index = at + 1;
      const block = { type: "tool_use", id: callId(said, at), name, input: {} };
      say("content_block_start", { index, content_block: block });
      say("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: argsText(args) } });
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
  error: (_status, message) => ({ type: "error", error: { type: "lab_error", message } }),
};

function sayText(say: (type: string, rest: object) => void, said: Said): void {
  if (said.text === "") return;
  say("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
  for (const text of wordsOf(said.text)) say("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
  say("content_block_stop", { index: 0 });
}

const head = ({ id, model }: Said) => ({
  id: `msg_${id}`,
  type: "message",
  role: "assistant",
  model,
  stop_sequence: null,
});

/** `input_tokens` is what was neither read from nor written to a cache. */
const inputOf = ({ usage }: Said) => ({
  input_tokens: usage === null ? 0 : usage.input - usage.cacheRead - usage.cacheWrite,
  cache_creation_input_tokens: usage?.cacheWrite ?? 0,
  cache_read_input_tokens: usage?.cacheRead ?? 0,
});

function stopOf({ finish, toolCalls }: Said): string {
  if (finish === "length") return "max_tokens";
  if (finish === "content_filter") return "refusal";
  return toolCalls.length > 0 ? "tool_use" : "end_turn";
}

function toMessage({ role, content }: Record<string, unknown>): LabMessage {
  const parts = records(content);
  const toolCalls = parts
    .filter(({ type }) => type === "tool_use")
    .map(({ name, input }) => ({ name: str(name), args: input }));
  const isResult = parts.some(({ type }) => type === "tool_result");
  const who = role === "assistant" ? "assistant" : isResult ? "tool" : "user";
  return { role: who, text: textOf(content), toolCalls };
}

// OpenAI chat completions, as OpenRouter and servers on one's own machine speak it, too. Only tests import it.

import {
  fromJson,
  type LabProtocol,
  type LabTurn,
  makeTurn,
  num,
  record,
  records,
  type Said,
  sentArgs,
  str,
  textOf,
  wordsOf,
} from "./lab-protocol.ts";

export const chatProtocol: LabProtocol = {
  name: "chat",
  matches: (path) => path.endsWith("/chat/completions"),
  read: (body) => {
    const messages = records(body.messages);
    const isSystem = (message: Record<string, unknown>) => ["system", "developer"].includes(str(message.role));
    return {
      model: str(body.model),
      isStream: body.stream === true,
      system: messages
        .filter(isSystem)
        .map(({ content }) => textOf(content))
        .join("\n"),
      items: messages.filter((message) => !isSystem(message)).map(toItem),
      tools: records(body.tools).map((tool) => str(record(tool.function).name)),
      wantsJson: str(record(body.response_format).type).startsWith("json"),
      maxOutputTokens: num(body.max_tokens) ?? num(body.max_completion_tokens),
    };
  },
  whole: (said) => ({
    ...head(said, "chat.completion"),
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: said.text,
          ...reasoningOf(said),
          ...(said.toolCalls.length > 0 ? { tool_calls: calls(said) } : {}),
        },
        finish_reason: finishOf(said),
      },
    ],
    ...usageOf(said),
  }),
  events: (said) => {
    const chunk = (delta: object, finish: string | null = null) => ({
      data: { ...head(said, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason: finish }] },
    });
    const last = said.finish === "none" ? [] : [chunk({}, finishOf(said))];
    const counted =
      said.usage === null ? [] : [{ data: { ...head(said, "chat.completion.chunk"), choices: [], ...usageOf(said) } }];
    return [
      chunk({ role: "assistant", content: "" }),
      ...(said.reasoning.length === 0 ? [] : [chunk(reasoningOf(said))]),
      ...wordsOf(said.text).map((word) => chunk({ content: word })),
      ...calls(said).map((call) => chunk({ tool_calls: [call] })),
      ...last,
      ...counted,
      { data: "[DONE]" },
    ];
  },
  error: (status, message, code) => ({
    error: {
      message,
      type: status < 500 ? "invalid_request_error" : "server_error",
      code: code ?? status,
      param: null,
    },
  }),
};

const head = ({ id, model }: Said, object: string) => ({ id: `chatcmpl-${id}`, created: 1_900_000_000, model, object });

const calls = (said: Said) =>
  said.toolCalls.map(({ id, name }, index) => ({
    index,
    ...(id === null ? {} : { id }),
    type: "function",
    function: { name, arguments: sentArgs(said, index) },
  }));

/** OpenRouter has details with signatures, other servers a text of their own. */
function reasoningOf({ id, reasoning, provider, model }: Said): object {
  if (reasoning.length === 0) return {};
  const text = reasoning.map((part) => part.text).join("");
  if (provider !== "openrouter") return { reasoning_content: text };
  const details = reasoning.map((part, index) => {
    const shared = { format: chooseFormat(model), index, id: `rs_${id}_${index}` };
    return part.isRedacted
      ? { type: "reasoning.encrypted", data: part.signature ?? "", ...shared }
      : { type: "reasoning.text", text: part.text, signature: part.signature, ...shared };
  });
  return { ...(text === "" ? {} : { reasoning: text }), reasoning_details: details };
}

function chooseFormat(model: string): string {
  if (model.startsWith("google/")) return "google-gemini-v1";
  return model.startsWith("openai/") ? "openai-responses-v1" : "anthropic-claude-v1";
}

function finishOf({ finish, toolCalls }: Said): string {
  if (finish === "window") return "length";
  return finish === "stop" && toolCalls.length > 0 ? "tool_calls" : finish;
}

function usageOf({ usage, costInDollars }: Said): object {
  if (usage === null) return {};
  return {
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
      ...(costInDollars === null ? {} : { cost: costInDollars }),
    },
  };
}

function toItem(message: Record<string, unknown>): LabTurn {
  const text = textOf(message.content);
  if (message.role === "tool")
    return makeTurn({ role: "tool", text, results: [{ callId: str(message.tool_call_id), name: "", text }] });
  const toolCalls = records(message.tool_calls).map((call) => {
    const called = record(call.function);
    return { id: str(call.id), name: str(called.name), args: fromJson(str(called.arguments)) };
  });
  const reasoning = str(message.reasoning_content) || str(message.reasoning);
  return makeTurn({ role: message.role === "assistant" ? "assistant" : "user", text, reasoning, toolCalls });
}

// OpenAI chat completions, as OpenRouter and servers on one's own machine speak it, too. Only tests import it.

import {
  argsText,
  callId,
  fromJson,
  type LabMessage,
  type LabProtocol,
  num,
  record,
  records,
  type Said,
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
      messages: messages.filter((message) => !isSystem(message)).map(toMessage),
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
      ...wordsOf(said.text).map((word) => chunk({ content: word })),
      ...calls(said).map((call) => chunk({ tool_calls: [call] })),
      ...last,
      ...counted,
      { data: "[DONE]" },
    ];
  },
  error: (status, message) => ({ error: { message, type: "lab_error", code: status, param: null } }),
};

const head = ({ id, model }: Said, object: string) => ({ id: `chatcmpl-${id}`, created: 1_900_000_000, model, object });

const calls = (said: Said) =>
  said.toolCalls.map(({ name, args }, index) => ({
    index,
    id: callId(said, index),
    type: "function",
    function: { name, arguments: argsText(args) },
  }));

function finishOf({ finish, toolCalls }: Said): string {
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

function toMessage(message: Record<string, unknown>): LabMessage {
  const role = message.role === "assistant" ? "assistant" : message.role === "tool" ? "tool" : "user";
  const toolCalls = records(message.tool_calls).map((call) => {
    const called = record(call.function);
    return { name: str(called.name), args: fromJson(str(called.arguments)) };
  });
  return { role, text: textOf(message.content), toolCalls };
}

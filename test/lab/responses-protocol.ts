// OpenAI responses. Only tests import it.

import {
  argsText,
  callId,
  fromJson,
  type LabEvent,
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

export const responsesProtocol: LabProtocol = {
  name: "responses",
  matches: (path) => path.endsWith("/responses"),
  read: (body) => {
    const input = records(body.input);
    const isSystem = (item: Record<string, unknown>) => ["system", "developer"].includes(str(item.role));
    const system = input.filter(isSystem).map(({ content }) => textOf(content));
    return {
      model: str(body.model),
      isStream: body.stream === true,
      system: [str(body.instructions), ...system].filter((text) => text !== "").join("\n"),
      messages: input.filter((item) => !isSystem(item)).map(toMessage),
      tools: records(body.tools).map((tool) => str(tool.name)),
      wantsJson: str(record(record(body.text).format).type).startsWith("json"),
      maxOutputTokens: num(body.max_output_tokens),
    };
  },
  whole: (said) => response(said, statusOf(said), items(said)),
  events: (said) => {
    const events: LabEvent[] = [];
    const say = (type: string, rest: object) =>
      events.push({ event: type, data: { type, sequence_number: events.length, ...rest } });
    say("response.created", { response: response(said, "in_progress", [], false) });
    for (const [at, item] of items(said).entries()) sayItem(say, item, at, said);
    if (said.finish !== "none") {
      const status = statusOf(said);
      say(`response.${status}`, { response: response(said, status, items(said)) });
    }
    return events;
  },
  error: (status, message) => ({ error: { message, type: "lab_error", code: `lab_${status}`, param: null } }),
};

type Item = { readonly id: string; readonly type: string } & Record<string, unknown>;

function sayItem(say: (type: string, rest: object) => void, item: Item, at: number, said: Said): void {
  const place = { item_id: item.id, output_index: at };
  if (item.type === "message") {
    say("response.output_item.added", { output_index: at, item: { ...item, status: "in_progress", content: [] } });
    const part = { type: "output_text", text: "", annotations: [] };
    say("response.content_part.added", { ...place, content_index: 0, part });
    for (const delta of wordsOf(said.text)) say("response.output_text.delta", { ...place, content_index: 0, delta });
    say("response.output_text.done", { ...place, content_index: 0, text: said.text });
  } else {
    say("response.output_item.added", { output_index: at, item: { ...item, status: "in_progress", arguments: "" } });
    say("response.function_call_arguments.delta", { ...place, delta: item.arguments });
    say("response.function_call_arguments.done", { ...place, arguments: item.arguments });
  }
  say("response.output_item.done", { output_index: at, item });
}

function items(said: Said): readonly Item[] {
  const message = {
    id: `msg_${said.id}`,
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: said.text, annotations: [] }],
  };
  const calls = said.toolCalls.map(({ name, args }, at) => ({
    id: `fc_${said.id}_${at}`,
    type: "function_call",
    status: "completed",
    call_id: callId(said, at),
    name,
    arguments: argsText(args),
  }));
  return [...(said.text === "" ? [] : [message]), ...calls];
}

function statusOf({ finish }: Said): string {
  if (finish === "error") return "failed";
  return finish === "length" || finish === "content_filter" ? "incomplete" : "completed";
}

function response(said: Said, status: string, output: readonly Item[], isDone = true): object {
  const { id, model, usage, finish } = said;
  const reason = finish === "length" ? "max_output_tokens" : "content_filter";
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: 1_900_000_000,
    model,
    status,
    output,
    error: status === "failed" ? { code: "server_error", message: "lab: failed on purpose" } : null,
    incomplete_details: status === "incomplete" ? { reason } : null,
    ...(isDone && usage !== null
      ? {
          usage: {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: usage.cacheRead },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: usage.input + usage.output,
          },
        }
      : {}),
  };
}

function toMessage(item: Record<string, unknown>): LabMessage {
  if (item.type === "function_call")
    return { role: "assistant", text: "", toolCalls: [{ name: str(item.name), args: fromJson(str(item.arguments)) }] };
  if (item.type === "function_call_output") return { role: "tool", text: textOf(item.output), toolCalls: [] };
  return { role: item.role === "assistant" ? "assistant" : "user", text: textOf(item.content), toolCalls: [] };
}

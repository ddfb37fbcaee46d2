// OpenAI responses. Only tests import it.

import {
  fromJson,
  type LabEvent,
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
      items: input.filter((item) => !isSystem(item)).map(toItem),
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
  error: (status, message, code) => ({
    error: { message, type: status < 500 ? "invalid_request_error" : "server_error", code: code ?? null, param: null },
  }),
};

type Item = { readonly id: string; readonly type: string; readonly status?: string } & Record<string, unknown>;
type Say = (type: string, rest: object) => void;

function sayItem(say: Say, item: Item, at: number, said: Said): void {
  const place = { item_id: item.id, output_index: at };
  if (item.type === "message") {
    say("response.output_item.added", { output_index: at, item: { ...item, status: "in_progress", content: [] } });
    const part = { type: "output_text", text: "", annotations: [] };
    say("response.content_part.added", { ...place, content_index: 0, part });
    for (const delta of wordsOf(said.text)) say("response.output_text.delta", { ...place, content_index: 0, delta });
    say("response.output_text.done", { ...place, content_index: 0, text: said.text });
  } else if (item.type === "reasoning") sayReasoning(say, item, at);
  else {
    say("response.output_item.added", { output_index: at, item: { ...item, status: "in_progress", arguments: "" } });
    say("response.function_call_arguments.delta", { ...place, delta: item.arguments });
    if (item.status === "incomplete") return;
    say("response.function_call_arguments.done", { ...place, arguments: item.arguments });
  }
  say("response.output_item.done", { output_index: at, item });
}

function sayReasoning(say: Say, item: Item, at: number): void {
  const place = { item_id: item.id, output_index: at, summary_index: 0 };
  say("response.output_item.added", { output_index: at, item: { ...item, summary: [] } });
  for (const { text } of records(item.summary)) {
    say("response.reasoning_summary_part.added", { ...place, part: { type: "summary_text", text: "" } });
    for (const delta of wordsOf(str(text))) say("response.reasoning_summary_text.delta", { ...place, delta });
    say("response.reasoning_summary_part.done", { ...place, part: { type: "summary_text", text } });
  }
}

export const reasoningItemId = (answerId: string, at: number): string => `rs_${answerId}_${at}`;
export const callItemId = (answerId: string, at: number): string => `fc_${answerId}_${at}`;

function items(said: Said): readonly Item[] {
  const message = {
    id: `msg_${said.id}`,
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: said.text, annotations: [] }],
  };
  const reasoning = said.reasoning.map(({ text, signature }, at) => ({
    id: reasoningItemId(said.id, at),
    type: "reasoning",
    summary: text === "" ? [] : [{ type: "summary_text", text }],
    ...(signature === null ? {} : { encrypted_content: signature }),
  }));
  const calls = said.toolCalls.map(({ id, name }, at) => ({
    id: callItemId(said.id, at),
    type: "function_call",
    status: said.isHalf && at === said.toolCalls.length - 1 ? "incomplete" : "completed",
    call_id: id,
    name,
    arguments: sentArgs(said, at),
  }));
  return [...reasoning, ...(said.text === "" ? [] : [message]), ...calls];
}

function statusOf({ finish }: Said): string {
  if (finish === "error") return "failed";
  return ["length", "window", "content_filter"].includes(finish) ? "incomplete" : "completed";
}

function response(said: Said, status: string, output: readonly Item[], isDone = true): object {
  const { id, model, usage, finish } = said;
  const reason = finish === "content_filter" ? "content_filter" : "max_output_tokens";
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

function toItem(item: Record<string, unknown>): LabTurn {
  if (item.type === "function_call") {
    const call = { id: str(item.call_id), name: str(item.name), args: fromJson(str(item.arguments)) };
    return makeTurn({ role: "assistant", toolCalls: [call] });
  }
  if (item.type === "function_call_output") {
    const text = textOf(item.output);
    return makeTurn({ role: "tool", text, results: [{ callId: str(item.call_id), name: "", text }] });
  }
  if (item.type === "reasoning") return makeTurn({ role: "assistant", reasoning: textOf(item.summary) });
  return makeTurn({ role: item.role === "assistant" ? "assistant" : "user", text: textOf(item.content) });
}

// Tools for models that cannot call them: the tools stand in the instructions, calls come as a JSON object in the answer, and
// results go back as the user's messages. Engines do not know. The names of calls are made from their place, so that a replay
// makes the same ones. Pure.

import { z } from "zod";
import { readJson } from "../lib/json.ts";
import { findObject, isUnclosed } from "./find-object.ts";
import type {
  ModelAnswer,
  ModelMessage,
  ModelOutcome,
  ModelRequest,
  ModelUsage,
  ToolCall,
  ToolOffer,
} from "./model.ts";

/** More calls than this in one answer are not read. */
const callsMax = 64;

export function toTextRequest(request: ModelRequest): ModelRequest {
  const { system, messages, tools } = request;
  return {
    ...request,
    system: `${system}\n\n${describeTools(tools)}`,
    messages: messages.map(toTextMessage),
    tools: [],
  };
}

/** The answer with calls where it has some; what is not a call stays text. */
export function fromTextOutcome(outcome: ModelOutcome, { messages }: ModelRequest): ModelOutcome {
  if (outcome.kind !== "answered") return outcome;
  const { text } = outcome.answer;
  const begin = text.search(/\{\s*"tool_calls"/);
  if (begin >= 0 && isUnclosed(text.slice(begin))) return cutCall(text, outcome.usage);
  return { ...outcome, answer: readAnswer(text, messages.length) };
}

const cutCall = (text: string, usage: ModelUsage): ModelOutcome => ({
  kind: "cut_off",
  text,
  outputTokens: usage.outputTokens,
  why: "a call is not whole",
  usage,
});

function describeTools(tools: readonly ToolOffer[]): string {
  return [
    "# Tools",
    "To call tools, answer with one JSON object of this form and nothing else:",
    '{"tool_calls": [{"tool": "NAME", "args": {}}]}',
    "The results come in the next message. To answer without a tool, leave this form out.",
    ...tools.map(
      ({ name, description, schema }) =>
        `## ${name}\n${description}\nArguments (JSON schema): ${JSON.stringify(schema)}`,
    ),
  ].join("\n\n");
}

function toTextMessage(message: ModelMessage): ModelMessage {
  if (message.role === "user") return message;
  if (message.role === "tool") {
    const lines = message.results.map(
      ({ tool, text, isError }) => `${isError ? "Error" : "Result"} of ${tool}:\n${text}`,
    );
    return { role: "user", text: lines.join("\n\n") };
  }
  const { text, toolCalls } = message;
  if (toolCalls.length === 0) return { ...message, native: null };
  const calls = JSON.stringify({ tool_calls: toolCalls.map(({ tool, args }) => ({ tool, args })) });
  return { role: "assistant", text: text.trim() === "" ? calls : `${text}\n${calls}`, toolCalls: [], native: null };
}

const written = z.object({
  tool_calls: z
    .array(
      z.object({
        tool: z.string().optional(),
        name: z.string().optional(),
        args: z.unknown().optional(),
        arguments: z.unknown().optional(),
      }),
    )
    .min(1),
});

function readAnswer(text: string, place: number): ModelAnswer {
  const found = findObject(text);
  const { data } = written.safeParse(found.kind === "found" ? found.value : null);
  if (data === undefined) return { text, toolCalls: [], native: null };
  const toolCalls = data.tool_calls.slice(0, callsMax).map((call, at) => ({
    callId: nameCall(place, at),
    tool: call.tool ?? call.name ?? "",
    args: call.args ?? call.arguments ?? {},
  }));
  const before = text.slice(0, text.search(/(```\w*\s*)?\{\s*"tool_calls"/));
  return { text: before.trim(), toolCalls, native: null };
}

const nameCall = (place: number, at: number) => `text_${place}_${at}`;

const thinking = /^\s*<think>[\s\S]*?(<\/think>|$)\s*/;
/** A call that begins and has no end. */
const openTag = /<tool_call>\s*(\{|<function=)(?![\s\S]*<\/tool_call>)/;
const tagged = /<tool_call>([\s\S]*?)<\/tool_call>/g;

/** What compatible servers leave in the text when their parser is wrong or missing: thinking, and calls in tags. */
export function fromTaggedOutcome(outcome: ModelOutcome, { messages, tools }: ModelRequest): ModelOutcome {
  if (outcome.kind !== "answered" || outcome.answer.toolCalls.length > 0) return outcome;
  const { text } = outcome.answer;
  const spoken = text.replace(thinking, "");
  const bodies = [...spoken.matchAll(tagged)].slice(0, callsMax).map(([, body = ""]) => readTagged(body));
  const isCalling =
    bodies.length > 0 && bodies.every((call) => call !== null && tools.some(({ name }) => name === call.tool));
  if (tools.length > 0 && openTag.test(spoken)) return cutCall(spoken, outcome.usage);
  if (!isCalling && spoken === text) return outcome;
  const toolCalls = isCalling
    ? bodies.flatMap((call, at) => (call === null ? [] : [{ ...call, callId: nameCall(messages.length, at) }]))
    : [];
  const rest = isCalling ? spoken.replace(tagged, "").trim() : spoken;
  if (rest === "" && toolCalls.length === 0)
    return { kind: "fault", fault: { kind: "transient", why: "the answer was empty" }, usage: outcome.usage };
  return { ...outcome, answer: { text: rest, toolCalls, native: null } };
}

const taggedCall = z.object({
  name: z.string(),
  arguments: z.unknown().optional(),
  parameters: z.unknown().optional(),
});

function readTagged(body: string): Omit<ToolCall, "callId"> | null {
  const found = findObject(body);
  const { data } = taggedCall.safeParse(found.kind === "found" ? found.value : null);
  return data === undefined
    ? readXml(body)
    : { tool: data.name, args: parsed(data.arguments ?? data.parameters ?? {}) };
}

/** Qwen: `<function=note><parameter=text>a</parameter></function>`. */
function readXml(body: string): Omit<ToolCall, "callId"> | null {
  const tool = /<function=([\w.-]+)>/.exec(body)?.[1];
  if (tool === undefined) return null;
  const parameters = [...body.matchAll(/<parameter=([\w.-]+)>\n?([\s\S]*?)\n?<\/parameter>/g)];
  return { tool, args: Object.fromEntries(parameters.map(([, name = "", value = ""]) => [name, parsed(value)])) };
}

/** JSON in a text, or the text. */
const parsed = (value: unknown): unknown => (typeof value === "string" ? readJson(value, value) : value);

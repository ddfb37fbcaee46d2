// Our messages in the SDK's words, in a form that the asked provider accepts: every call has its result right after it, ids
// fit, blank texts are left out, and the last word is never the assistant's. The same messages always become the same bytes,
// and more messages only add to them, so that prefixes stay cached and signatures valid. Pure.

import { createHash } from "node:crypto";
import type { AssistantModelMessage, ModelMessage as SdkMessage, ToolModelMessage } from "ai";
import { isRecord } from "../lib/json.ts";
import type { ModelMessage, ModelRef, ToolCall, ToolReply } from "./model.ts";
import { protocolOf } from "./model-id.ts";
import { readVerbatim } from "./native.ts";

/**
 * `own`: the provider's own reasoning goes back as it came. `none`: it was refused. `insisted`: the provider wants some with every
 * answer, also with those of others and of exchanges that are over.
 */
export type SentReasoning = "own" | "none" | "insisted";

export type SendOptions = { readonly model: ModelRef; readonly reasoning: SentReasoning };

type ToolResultPart = Extract<ToolModelMessage["content"][number], { type: "tool-result" }>;

const noResult = "There is no result: the call was not carried out.";
const goOn = "Continue.";
/** DeepSeek asks for reasoning with every call; an empty text would be left out. */
const noReasoning = "(not recorded)";

export function toSdkMessages(messages: readonly ModelMessage[], options: SendOptions): SdkMessage[] {
  const sent: SdkMessage[] = [];
  const usedIds = new Set<string>();
  for (const [at, message] of messages.entries()) {
    if (message.role === "user" && message.text.trim() !== "") sent.push({ role: "user", content: message.text });
    if (message.role === "assistant") sent.push(...sendTurn(message, resultsAfter(messages, at), usedIds, options));
  }
  const last = sent.at(-1);
  if (last === undefined || last.role === "assistant") sent.push({ role: "user", content: goOn });
  return protocolOf(options.model) === "openai-compatible" ? joinUsers(sent) : sent;
}

/** Results that belong to no call right before them are left out: every provider refuses them. */
function resultsAfter(messages: readonly ModelMessage[], at: number): readonly ToolReply[] {
  const after = messages.slice(at + 1);
  const end = after.findIndex(({ role }) => role !== "tool");
  const tools = end < 0 ? after : after.slice(0, end);
  return tools.flatMap((message) => (message.role === "tool" ? message.results : []));
}

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;
type OpenCall = { readonly callId: string; readonly sentId: string; readonly tool: string };

function sendTurn(
  message: AssistantMessage,
  results: readonly ToolReply[],
  usedIds: Set<string>,
  { model, reasoning }: SendOptions,
): readonly SdkMessage[] {
  const verbatim = reasoning === "none" ? null : readVerbatim(nativeOf(message, reasoning), model);
  if (verbatim !== null) {
    const calls = verbatim.content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
    for (const { toolCallId } of calls) usedIds.add(toolCallId);
    const open = calls.map(({ toolCallId: id, toolName }) => ({ callId: id, sentId: id, tool: toolName }));
    return withResults(verbatim, open, results);
  }
  const calls = message.toolCalls.map((call) => ({ ...call, sentId: nameCall(call, usedIds) }));
  const text = message.text.trim();
  const isFilled = reasoning === "insisted" && calls.length > 0 && protocolOf(model) === "openai-compatible";
  const content = [
    ...(isFilled ? [{ type: "reasoning" as const, text: noReasoning }] : []),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map(({ sentId, tool, args }) => ({
      type: "tool-call" as const,
      toolCallId: sentId,
      toolName: tool,
      input: asObject(args),
    })),
  ];
  return withResults({ role: "assistant", content }, calls, results);
}

const nativeOf = ({ native, earlierNative }: AssistantMessage, reasoning: SentReasoning) =>
  native ?? (reasoning === "insisted" ? earlierNative : null);

/** Some servers use an id again in every answer; Claude takes each once. */
function nameCall({ callId }: ToolCall, usedIds: Set<string>): string {
  const fitting = fitName(callId);
  const sentId = usedIds.has(fitting) ? fitName(`${callId}#${usedIds.size}`) : fitting;
  usedIds.add(sentId);
  return sentId;
}

const takenName = /^[A-Za-z0-9_-]{1,64}$/;
const keptMax = 47;
const hashLength = 16;

/**
 * A name that every provider takes: letters, digits, dash and underscore, 64 of them at most. The same text always becomes the
 * same name, and two texts do not become one.
 */
export function fitName(text: string): string {
  if (takenName.test(text)) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, hashLength);
  return `${text.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, keptMax)}_${hash}`;
}

function withResults(
  message: AssistantModelMessage,
  calls: readonly OpenCall[],
  results: readonly ToolReply[],
): readonly SdkMessage[] {
  if (message.content.length === 0) return [];
  if (calls.length === 0) return [message];
  const content = calls.map(({ callId, sentId, tool }): ToolResultPart => {
    const result = results.find((each) => each.callId === callId) ?? { text: noResult, isError: true };
    // A result without a word is refused as blank text by some.
    const value = result.text.trim() === "" ? "(nothing)" : result.text;
    const type = result.isError ? "error-text" : "text";
    return { type: "tool-result", toolCallId: sentId, toolName: tool, output: { type, value } };
  });
  return [message, { role: "tool", content }];
}

/** Providers take nothing but an object back, also where the model has sent something else. */
const asObject = (args: unknown): unknown => (isRecord(args) ? args : { invalid_arguments: args });

/** The chat templates of Mistral and Gemma refuse two user messages in a row. */
function joinUsers(messages: readonly SdkMessage[]): SdkMessage[] {
  const joined: SdkMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === "user" && last?.role === "user")
      joined[joined.length - 1] = { role: "user", content: `${last.content}\n\n${message.content}` };
    else joined.push(message);
  }
  return joined;
}

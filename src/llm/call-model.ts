// One call, one try: our request in the SDK's words, the stream read to its end, and what came of it. It retries nothing:
// whoever asks decides about that, and every try is a row in the ledger.

import {
  jsonSchema,
  type LanguageModelUsage,
  Output,
  type ModelMessage as SdkMessage,
  streamText,
  type TextStreamPart,
  type ToolSet,
  tool,
} from "ai";
import { z } from "zod";
import { unreachable } from "../lib/assert.ts";
import type { Env } from "../lib/env.ts";
import { judgeError } from "./faults.ts";
import type { ModelMessage, ModelOutcome, ModelRef, ModelRequest, TextPart } from "./model.ts";
import { providerSpecs } from "./model-id.ts";
import { type Finish, outcomeOf, type Read } from "./outcome.ts";
import { readOutputLimit } from "./output-limits.ts";
import { reservationOf, type Tokens } from "./prices.ts";
import { languageModel, type Provider } from "./providers.ts";
import type { Redact } from "./redact.ts";

// The SDK writes warnings to the console, where nobody asked for them.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

/** How long an answer may be silent before it counts as lost. */
export type Timeouts = { readonly firstChunkMs: number; readonly chunkMs: number; readonly totalMs: number };

/**
 * Models that think say nothing until they have, for minutes at times; once words come, a minute without one is a stall; and
 * whatever takes longer than a quarter of an hour is not a step of an iteration.
 */
export const defaultTimeouts: Timeouts = { firstChunkMs: 240_000, chunkMs: 60_000, totalMs: 900_000 };

export type CallInput = {
  readonly provider: Provider;
  readonly model: ModelRef;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly onText: TextPart;
  readonly fetch: typeof fetch;
  readonly env: Pick<Env, "now" | "random">;
  readonly redact: Redact;
  readonly timeouts: Timeouts;
};

export async function callModel(input: CallInput): Promise<ModelOutcome> {
  const { model, request, env, redact } = input;
  const read = await readStream(input);
  return outcomeOf(model, reservationOf(model, request), read, (error) =>
    judgeError(error, { nowMs: env.now(), random: env.random(), redact }),
  );
}

async function readStream({ provider, model, request, signal, onText, fetch, timeouts }: CallInput): Promise<Read> {
  const read: Writable<Read> = { text: "", toolCalls: [], finish: null, error: null };
  try {
    const { stream } = streamText({
      model: languageModel(provider, model, fetch),
      instructions: request.system,
      messages: request.messages.map(toSdkMessage),
      tools: toolsOf(request),
      maxOutputTokens: readOutputLimit(model, request),
      abortSignal: signal,
      timeout: timeouts,
      maxRetries: 0,
      // Without it, the SDK writes errors to the console.
      onError: () => {},
      // What we send is the user's own: not for the provider to keep.
      providerOptions: { openai: { store: false } },
      ...(asksForJson(provider, request) ? { output: Output.json() } : {}),
    });
    for await (const part of stream) {
      if (part.type === "text-delta") {
        read.text += part.text;
        onText(part.text);
      } else if (part.type === "tool-call")
        read.toolCalls = [...read.toolCalls, { callId: part.toolCallId, tool: part.toolName, args: part.input }];
      else if (part.type === "finish-step") read.finish = toFinish(part);
      // What was counted may still come after it.
      else if (part.type === "error") read.error ??= part.error;
      else if (part.type === "abort") read.error ??= new DOMException(part.reason ?? "given up", "TimeoutError");
    }
  } catch (error) {
    read.error ??= error;
  }
  return read;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** With tools, Google refuses it; and OpenAI wants to read the word somewhere. */
function asksForJson(provider: Provider, { format, tools, system, messages }: ModelRequest): boolean {
  if (format !== "json" || tools.length > 0 || !providerSpecs[provider.name].takesJson) return false;
  return [system, ...messages.map((message) => ("text" in message ? message.text : ""))].some((text) =>
    /json/i.test(text),
  );
}

/** Arguments are checked by the tools, not here: a wrong one is for the repair, not for the bin. */
function toolsOf({ tools }: ModelRequest): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, schema }) => [name, tool({ description, inputSchema: jsonSchema(schema) })]),
  );
}

function toSdkMessage(message: ModelMessage): SdkMessage {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.text };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(message.text === "" ? [] : [{ type: "text" as const, text: message.text }]),
          ...message.toolCalls.map(({ callId, tool: toolName, args }) => ({
            type: "tool-call" as const,
            toolCallId: callId,
            toolName,
            input: asObject(args),
          })),
        ],
      };
    case "tool":
      return {
        role: "tool",
        content: message.results.map(({ callId, tool: toolName, text, isError }) => ({
          type: "tool-result" as const,
          toolCallId: callId,
          toolName,
          output: { type: isError ? ("error-text" as const) : ("text" as const), value: text },
        })),
      };
    default:
      return unreachable(message);
  }
}

/** Providers take nothing but an object back, also where the model has sent something else. */
function asObject(args: unknown): unknown {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? args : { invalid_arguments: args };
}

type FinishStep = Extract<TextStreamPart<ToolSet>, { type: "finish-step" }>;

function toFinish({ finishReason, rawFinishReason, usage, providerMetadata }: FinishStep): Finish {
  return {
    reason: finishReason,
    rawReason: rawFinishReason ?? null,
    tokens: toTokens(usage),
    costInDollars: costIn(usage.raw) ?? costIn(providerMetadata?.openrouter?.usage),
  };
}

/** Null: the provider said nothing about them. */
function toTokens({ inputTokens, outputTokens, inputTokenDetails: details }: LanguageModelUsage): Tokens | null {
  if (inputTokens === undefined && outputTokens === undefined) return null;
  return {
    input: inputTokens ?? 0,
    output: outputTokens ?? 0,
    cacheRead: details.cacheReadTokens ?? 0,
    cacheWrite: details.cacheWriteTokens ?? 0,
  };
}

const reportedCost = z.object({
  cost: z.number().min(0),
  is_byok: z.boolean().optional(),
  cost_details: z.object({ upstream_inference_cost: z.number().min(0).nullish() }).optional(),
});

/** With a key of one's own at OpenRouter, the provider behind it sends a bill as well. */
function costIn(usage: unknown): number | null {
  const { data } = reportedCost.safeParse(usage);
  if (data === undefined) return null;
  return data.cost + ((data.is_byok && data.cost_details?.upstream_inference_cost) || 0);
}

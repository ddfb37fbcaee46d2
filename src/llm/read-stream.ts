// Sends one request through the SDK and reads the stream to its end: text, calls, how it finished, what was counted, and the
// provider's own message to send back later. It judges nothing; errors are part of what was read.

import { jsonSchema, type LanguageModelUsage, Output, streamText, type TextStreamPart, type ToolSet, tool } from "ai";
import { z } from "zod";
import type { Timeouts } from "./answer-limits.ts";
import { callOptions, markedMessages, markedSystem } from "./cache-marks.ts";
import type { ModelRef, ModelRequest, TextPart } from "./model.ts";
import { providerSpecs } from "./model-id.ts";
import { keepNative } from "./native.ts";
import type { Finish, Read } from "./outcome.ts";
import { readOutputLimit } from "./output-limits.ts";
import type { Tokens } from "./prices.ts";
import { languageModel, type Provider } from "./providers.ts";
import { addRawChunk, type RawCall, readRawArgs } from "./raw-calls.ts";
import { type SentReasoning, toSdkMessages } from "./sdk-messages.ts";
import { type OnSilence, watchSilence } from "./watch-silence.ts";

// The SDK would write its warnings to the console.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

export type StreamInput = {
  readonly provider: Provider;
  readonly model: ModelRef;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly onText: TextPart;
  readonly onSilence: OnSilence;
  readonly fetch: typeof fetch;
  /** How long an answer may be silent, and how long it may take, before it counts as lost. */
  readonly timeouts: Timeouts;
  readonly reasoning: SentReasoning;
};

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type Reading = Writable<Omit<Read, "native">> & { readonly raw: RawCall[]; metadata: FinishStep["providerMetadata"] };

export async function readStream(input: StreamInput): Promise<Read> {
  const reading: Reading = { text: "", toolCalls: [], finish: null, error: null, raw: [], metadata: undefined };
  let native: Read["native"] = null;
  const watch = watchSilence(input.timeouts, input.onSilence);
  try {
    const result = send(input, watch.signal);
    for await (const part of result.stream) {
      if (isContent(part)) watch.hear();
      take(reading, part, input.onText);
    }
    reading.toolCalls = readRawArgs(reading.toolCalls, reading.raw);
    // Asked for earlier, the SDK would read the stream a second time beside us.
    if (reading.error === null && reading.finish !== null)
      native = keepNative(input.model, await result.responseMessages, reading);
  } catch (error) {
    reading.error ??= error;
  } finally {
    watch.stop();
  }
  // The SDK has words of its own for why it stopped.
  if (watch.signal.aborted && !input.signal.aborted) reading.error = watch.signal.reason;
  const { text, toolCalls, finish, error } = reading;
  return { text, toolCalls, finish, error, native };
}

/** What a model says, thinks or calls; everything else only keeps the stream alive. */
function isContent(part: TextStreamPart<ToolSet>): boolean {
  switch (part.type) {
    case "text-delta":
    case "reasoning-delta":
      return part.text !== "";
    case "tool-input-delta":
      return part.delta !== "";
    case "tool-input-start":
    case "tool-call":
      return true;
    default:
      return false;
  }
}

function send({ provider, model, request, signal, fetch, timeouts, reasoning }: StreamInput, givenUp: AbortSignal) {
  const system = markedSystem(provider, request);
  return streamText({
    model: languageModel(provider, model, fetch),
    ...(system === undefined ? {} : { instructions: system }),
    messages: markedMessages(provider, toSdkMessages(request.messages, { model, reasoning })),
    tools: readTools(request),
    maxOutputTokens: readOutputLimit(model, request),
    abortSignal: AbortSignal.any([signal, givenUp]),
    timeout: { totalMs: timeouts.totalMs },
    maxRetries: 0,
    // Without it, the SDK writes errors to the console.
    onError: () => {},
    providerOptions: callOptions(provider, request),
    include: { rawChunks: provider.name === "openrouter" },
    ...(asksForJson(provider, request) ? { output: Output.json() } : {}),
  });
}

function take(reading: Reading, part: TextStreamPart<ToolSet>, onText: TextPart): void {
  if (part.type === "text-delta") {
    reading.text += part.text;
    onText(part.text);
  } else if (part.type === "tool-call")
    reading.toolCalls = [...reading.toolCalls, { callId: part.toolCallId, tool: part.toolName, args: part.input }];
  else if (part.type === "raw") addRawChunk(reading.raw, part.rawValue);
  else if (part.type === "finish-step") {
    reading.finish = readFinish(part);
    reading.metadata = part.providerMetadata;
  }
  // What was counted may still come after it.
  else if (part.type === "error") reading.error ??= part.error;
  else if (part.type === "abort") reading.error ??= new DOMException(part.reason ?? "given up", "TimeoutError");
}

/** With tools, Google refuses it; and OpenAI wants to read the word somewhere. */
function asksForJson(provider: Provider, { format, tools, system, messages }: ModelRequest): boolean {
  if (format !== "json" || tools.length > 0 || !providerSpecs[provider.name].takesJson) return false;
  return [system, ...messages.map((message) => ("text" in message ? message.text : ""))].some((text) =>
    /json/i.test(text),
  );
}

/** Arguments are checked by the tools, not here. */
function readTools({ tools }: ModelRequest): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, schema }) => [name, tool({ description, inputSchema: jsonSchema(schema) })]),
  );
}

type FinishStep = Extract<TextStreamPart<ToolSet>, { type: "finish-step" }>;

function readFinish({ finishReason, rawFinishReason, usage, providerMetadata }: FinishStep): Finish {
  return {
    reason: finishReason,
    rawReason: rawFinishReason ?? null,
    tokens: readTokens(usage),
    costInDollars: readCost(usage.raw) ?? readCost(providerMetadata?.openrouter?.usage),
  };
}

/** Null: the provider said nothing about them. */
function readTokens({ inputTokens, outputTokens, inputTokenDetails: details }: LanguageModelUsage): Tokens | null {
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
function readCost(usage: unknown): number | null {
  const { data } = reportedCost.safeParse(usage);
  if (data === undefined) return null;
  return data.cost + ((data.is_byok && data.cost_details?.upstream_inference_cost) || 0);
}

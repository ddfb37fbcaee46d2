// What became of a call: an answer only if it came to its own end, else a cut-off answer or a fault, and what is to be paid
// for each. Pure.

import { type FinishReason, InvalidResponseDataError } from "ai";
import type { Judged } from "./faults.ts";
import { isUnclosed } from "./find-object.ts";
import type { ModelFault, ModelOutcome, ModelRef, ModelRequest, ModelUsage, NativeAnswer, ToolCall } from "./model.ts";
import { protocolOf } from "./model-id.ts";
import { estimateTokens, type PriceBook, type Tokens } from "./prices.ts";

export type Finish = {
  readonly reason: FinishReason;
  /** The provider's own word; null: the stream just ended. */
  readonly rawReason: string | null;
  readonly tokens: Tokens | null;
  readonly costInDollars: number | null;
};

/** Everything a stream brought. */
export type Read = {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: Finish | null;
  /** Null: there is no whole message. */
  readonly native: NativeAnswer | null;
  /** What broke it off; null: nothing did. */
  readonly error: unknown;
};

export const freeUsage: ModelUsage = {
  costMicroUsd: 0,
  inputTokens: 0,
  cachedTokens: 0,
  writtenTokens: 0,
  outputTokens: 0,
  pricedBy: "free",
};

export type JudgeInput = {
  readonly model: ModelRef;
  readonly request: ModelRequest;
  readonly prices: PriceBook;
  readonly judge: (error: unknown) => Judged;
};

export function judgeRead(input: JudgeInput, read: Read): ModelOutcome {
  const { model, request, prices, judge } = input;
  const { finish, error } = read;
  const settled = prices.settle(model, request, finish?.tokens ?? null, finish?.costInDollars ?? null);
  // A failure costs what the provider said it costs; without figures nothing is assumed.
  const told = finish?.tokens || finish?.costInDollars ? settled : "unknown";
  const cut = describeCut(model, read);
  if (cut !== null)
    return { kind: "cut_off", text: read.text, outputTokens: finish?.tokens?.output ?? 0, why: cut, usage: told };
  if (error !== null) {
    const { fault, isFree } = judge(error);
    return { kind: "fault", fault, usage: isFree ? freeUsage : told };
  }
  if (finish === null) return { kind: "fault", fault: transient("the answer broke off"), usage: "unknown" };
  const fault = faultOfFinish(model, finish, read) ?? faultOfCount(model, request, finish);
  if (fault !== null) return { kind: "fault", fault, usage: told };
  const { text, toolCalls, native } = read;
  return { kind: "answered", answer: { text, toolCalls, native }, usage: settled };
}

/** Anthropic's word; the SDK turns it into `length`. */
const contextExceeded = "model_context_window_exceeded";

/** Why an answer that was begun is not whole; null: it is, or it failed in another way. */
function describeCut({ provider }: ModelRef, { text, toolCalls, finish, error }: Read): string | null {
  const isBegun = text !== "" || toolCalls.length > 0;
  // The compatible servers' SDK says so of a stream that ends without a reason.
  if (error !== null)
    return isBegun && InvalidResponseDataError.isInstance(error) ? "the stream ended without a reason" : null;
  if (finish === null) return null;
  const { reason, rawReason } = finish;
  if (reason === "length" && rawReason !== contextExceeded) return "it was longer than allowed";
  if (!isBegun || reason === "error" || reason === "content-filter") return null;
  if (reason === "interrupted") return "the stream ended before the answer did";
  // OpenRouter always names a reason; without one its SDK makes up whole calls from half ones.
  if (rawReason === null && (reason === "other" || provider === "openrouter"))
    return "the stream ended without a reason";
  return toolCalls.some(isBroken) ? "the arguments of a call are not whole" : null;
}

function faultOfFinish(model: ModelRef, { reason, rawReason }: Finish, { text, toolCalls }: Read): ModelFault | null {
  if (reason === "length") return { kind: "too_long", why: "the prompt fills the model's context window" };
  if (reason === "error") return transient(`the model failed (${rawReason ?? reason})`);
  if (reason === "content-filter")
    return { kind: "filtered", why: `the provider has filtered the answer (${rawReason ?? reason})` };
  if (reason === "interrupted" || (reason === "other" && isBrokenReason(model, rawReason)))
    return transient(`the answer broke off (${rawReason ?? "without a reason"})`);
  if (text.trim() === "" && toolCalls.length === 0) return transient("the answer was empty");
  return null;
}

/** Of the reasons that the SDK does not know, every one of Google's is a failure: `UNEXPECTED_TOOL_CALL`, `OTHER`. */
const isBrokenReason = (model: ModelRef, rawReason: string | null) =>
  rawReason === null || protocolOf(model) === "google" || /error|fail|length|max|cancel/i.test(rawReason);

/** Below the first, an estimate says little; the second is half of the smallest window that Ollama gives a model. */
const truncation = { estimateMin: 3_000, countedMin: 1_024 };

/** Ollama drops the front of a prompt that does not fit, instructions first, and says nothing: only the count shows it. */
function faultOfCount(model: ModelRef, request: ModelRequest, { tokens }: Finish): ModelFault | null {
  if (tokens === null || protocolOf(model) !== "openai-compatible") return null;
  const estimate = estimateTokens(model, request);
  if (estimate <= truncation.estimateMin || tokens.input < truncation.countedMin || tokens.input >= estimate / 2)
    return null;
  const why = `the server has read ${tokens.input} of about ${estimate} tokens and dropped the rest. Give the model a larger context window (Ollama: set OLLAMA_CONTEXT_LENGTH)`;
  return { kind: "too_long", why };
}

/** Arguments that are no JSON stay a string; those that are whole but wrong are the tool's to refuse. */
const isBroken = ({ args }: ToolCall) => typeof args === "string" && isUnclosed(args);

const transient = (why: string): ModelFault => ({ kind: "transient", why });

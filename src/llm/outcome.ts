// What became of a call: an answer only if it came to its own end, else a fault, and what is to be paid for either. An answer
// that broke off is never one, whatever there is of it. Pure.

import type { FinishReason } from "ai";
import type { Judged } from "./faults.ts";
import { isUnclosed } from "./find-object.ts";
import type { ModelFault, ModelOutcome, ModelRef, ModelUsage, ToolCall } from "./model.ts";
import { settle, type Tokens } from "./prices.ts";

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

export function outcomeOf(
  model: ModelRef,
  reservedMicroUsd: number,
  read: Read,
  judge: (error: unknown) => Judged,
): ModelOutcome {
  const { finish } = read;
  // Only figures that were told are believed of something that failed.
  const told =
    finish?.tokens || finish?.costInDollars
      ? settle(model, finish.tokens, finish.costInDollars, reservedMicroUsd)
      : "unknown";
  if (read.error !== null) {
    const { fault, isFree } = judge(read.error);
    return { kind: "fault", fault, usage: isFree ? freeUsage : told };
  }
  if (finish === null) return { kind: "fault", fault: transient("the answer broke off"), usage: "unknown" };
  const cutOff = describeCut(finish, read);
  if (cutOff !== null)
    return {
      kind: "cut_off",
      text: read.text,
      outputTokens: finish.tokens?.output ?? 0,
      why: cutOff,
      usage: told,
    };
  const fault = faultOfFinish(finish, read);
  if (fault !== null) return { kind: "fault", fault, usage: told };
  return {
    kind: "answered",
    answer: { text: read.text, toolCalls: read.toolCalls, native: null },
    usage: settle(model, finish.tokens, finish.costInDollars, reservedMicroUsd),
  };
}

/** Anthropic's word; the SDK turns it into `length`. */
const contextExceeded = "model_context_window_exceeded";

function describeCut({ reason, rawReason }: Finish, { text, toolCalls }: Read): string | null {
  if (reason === "length" && rawReason !== contextExceeded) return "it was longer than allowed";
  // A stream that ends before its first word has begun no answer.
  if (text === "" && toolCalls.length === 0) return null;
  if (reason === "interrupted") return "the stream ended before the answer did";
  if (reason === "other" && rawReason === null) return "the stream ended without a reason";
  if (reason !== "error" && reason !== "content-filter" && toolCalls.some(isBroken))
    return "the arguments of a call are not whole";
  return null;
}

function faultOfFinish({ reason, rawReason }: Finish, { text, toolCalls }: Read): ModelFault | null {
  if (reason === "length" && rawReason === contextExceeded)
    return { kind: "too_long", why: "the prompt fills the model's context window" };
  if (reason === "error") return transient(`the model failed (${rawReason ?? reason})`);
  if (reason === "content-filter") return { kind: "filtered", why: "the provider has filtered the answer" };
  if (reason === "interrupted" || (reason === "other" && (rawReason === null || saysBroken.test(rawReason))))
    return transient(`the answer broke off (${rawReason ?? "without a reason"})`);
  if (text.trim() === "" && toolCalls.length === 0) return transient("the answer was empty");
  return null;
}

/** Reasons that the SDK does not know, such as OpenRouter's `error`. */
const saysBroken = /error|fail|length|max|cancel/i;

/** Arguments that are no JSON stay a string; those that are whole but wrong are the tool's to refuse. */
const isBroken = ({ args }: ToolCall) => typeof args === "string" && isUnclosed(args);

const transient = (why: string): ModelFault => ({ kind: "transient", why });

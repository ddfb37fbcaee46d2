// What became of a call: an answer only if it came to its own end, else a fault, and what is to be paid for either. An answer
// that broke off is never one, whatever there is of it. Pure.

import type { FinishReason } from "ai";
import type { Judged } from "./faults.ts";
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

export const freeUsage: ModelUsage = { costMicroUsd: 0, inputTokens: 0, outputTokens: 0, pricedBy: "free" };

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
  const fault = faultOfFinish(finish, read);
  if (fault !== null) return { kind: "fault", fault, usage: told };
  return {
    kind: "answered",
    answer: { text: read.text, toolCalls: read.toolCalls },
    usage: settle(model, finish.tokens, finish.costInDollars, reservedMicroUsd),
  };
}

function faultOfFinish({ reason, rawReason }: Finish, { text, toolCalls }: Read): ModelFault | null {
  if (reason === "length") return transient("the answer was longer than allowed and broke off");
  if (reason === "error" || reason === "interrupted") return transient(`the model failed (${rawReason ?? reason})`);
  if (reason === "content-filter") return { kind: "refused", why: "the provider has filtered the answer" };
  if (reason === "other" && (rawReason === null || saysBroken.test(rawReason) || toolCalls.some(isBroken)))
    return transient(`the answer broke off (${rawReason ?? "without a reason"})`);
  if (text.trim() === "" && toolCalls.length === 0) return transient("the answer was empty");
  return null;
}

/** Reasons that the SDK does not know, such as OpenRouter's `error`. */
const saysBroken = /error|fail|length|max|cancel/i;

/** Arguments that are no JSON stay a string. */
const isBroken = ({ args }: ToolCall) => typeof args === "string";

const transient = (why: string): ModelFault => ({ kind: "transient", why });

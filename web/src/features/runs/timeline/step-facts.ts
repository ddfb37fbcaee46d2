// What a step used, in a few words: its model, its time, its cost, its tokens, and what of the user's its prompt contained. Pure.

import type { RunStep } from "../../../../../src/protocol/api.ts";
import { counted, dollars } from "../../../../../src/protocol/figures.ts";
import { shortDuration } from "./iteration-words.ts";
import { tookMs } from "./lanes.ts";

export function stepFacts(step: RunStep): readonly string[] {
  const ms = tookMs(step);
  return [
    ...(step.model ? [step.role ? `${step.model} as ${step.role}` : step.model] : []),
    // What is written down in one go has no length of its own.
    ...(ms ? [shortDuration(ms)] : []),
    ...(step.cost_micro_usd ? [dollars(step.cost_micro_usd)] : []),
    ...(step.tokens ? [tokenWords(step.tokens, step.cached_tokens ?? 0)] : []),
    ...(step.messages && !step.is_error ? [`read ${counted(step.messages, "message")} of yours`] : []),
  ];
}

const tokenWords = (tokens: number, cached: number): string =>
  cached === 0 ? counted(tokens, "token") : `${counted(tokens, "token")} (${cached.toLocaleString("en")} from cache)`;

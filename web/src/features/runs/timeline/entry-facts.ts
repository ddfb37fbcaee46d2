// What an entry used, in a few words: its model, its time, its cost, its tokens, and what of the user's its prompt contained. Pure.

import type { RunEntry } from "../../../../../src/protocol/api.ts";
import { counted } from "../../../../../src/protocol/figures.ts";
import { fineDollars, shortDuration } from "./iteration-words.ts";
import { tookMs } from "./lanes.ts";

/** Shorter than this is at once. */
const noticedMs = 1_000;

/** Beside the entry: what a person asks about. */
export function entryFacts(entry: RunEntry): readonly string[] {
  const ms = tookMs(entry);
  return [
    ...(ms !== null && ms >= noticedMs ? [shortDuration(ms)] : []),
    ...(entry.cost_micro_usd ? [fineDollars(entry.cost_micro_usd)] : []),
    ...(entry.messages && !entry.is_error ? [`read ${counted(entry.messages, "message")} of yours`] : []),
  ];
}

/** In the opened entry: what stands behind it. */
export function technicalFacts(entry: RunEntry): readonly string[] {
  return [
    ...(entry.model ? [entry.role ? `${entry.model} as ${entry.role}` : entry.model] : []),
    ...(entry.tokens ? [tokenWords(entry.tokens, entry.cached_tokens ?? 0)] : []),
  ];
}

const tokenWords = (tokens: number, cached: number): string =>
  cached === 0 ? counted(tokens, "token") : `${counted(tokens, "token")} (${cached.toLocaleString("en")} from cache)`;

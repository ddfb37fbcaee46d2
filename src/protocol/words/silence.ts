// What is told of a model that does not answer: one sentence for pages and the terminal. Pure.

import { describeSilence } from "../../domain/run/provider/silence.ts";
import type { Run } from "../api.ts";

type Silence = Run["silences"][number];

export const silenceWords = (
  { tries, tries_most: triesMost, at_stake_micro_usd: atStakeMicroUsd }: Omit<Silence, "entry" | "model" | "since">,
  silentMs: number,
): string => describeSilence({ silentMs, tries, triesMost, atStakeMicroUsd });

/** Of a run as it was read or as a view has it, the longest at this moment; null: every call under way is being answered. */
export function longestSilence({ silences }: { readonly silences: readonly Silence[] }, nowMs: number): string | null {
  const [longest] = silences;
  // biome-ignore lint/style/noRestrictedGlobals: reads a given timestamp, not the clock
  return longest === undefined ? null : silenceWords(longest, nowMs - Date.parse(longest.since));
}

// What a turn has used, by its answer. The field is not part of the stable protocol, and agents count differently.

import type { Tokens } from "../backends/backend.ts";
import { at, numberAt } from "../backends/read-event.ts";

/** Null: the answer does not say. */
export function readUsage(answer: unknown): Tokens | null {
  const usage = at(answer, "usage");
  if (usage !== undefined && usage !== null) return readStandard(usage);
  const quota = at(answer, "_meta", "quota", "token_count");
  if (quota === undefined || quota === null) return null;
  return {
    input: numberAt(quota, "input_tokens"),
    cacheRead: 0,
    cacheWrite: 0,
    output: numberAt(quota, "output_tokens"),
    reasoning: 0,
  };
}

/** Whether input includes what came from the cache, and output the thoughts, is told by the total. */
function readStandard(usage: unknown): Tokens {
  const [input, output] = [numberAt(usage, "inputTokens"), numberAt(usage, "outputTokens")];
  const [cacheRead, cacheWrite] = [numberAt(usage, "cachedReadTokens"), numberAt(usage, "cachedWriteTokens")];
  const reasoning = numberAt(usage, "thoughtTokens");
  const cached = cacheRead + cacheWrite;
  const total = numberAt(usage, "totalTokens");
  const beyond = total - input - output;
  const isCacheInside = cached > 0 && cached <= input && total > 0 && beyond < cached;
  const isThoughtOutside = reasoning > 0 && beyond >= reasoning + (isCacheInside ? 0 : cached);
  return {
    input: isCacheInside ? input - cached : input,
    cacheRead,
    cacheWrite,
    output: isThoughtOutside ? output + reasoning : output,
    reasoning,
  };
}

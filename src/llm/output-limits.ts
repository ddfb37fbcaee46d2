// How much a model may write in one answer. Providers count thinking as output, so a model that always thinks needs room for
// it before its first word; and some refuse a limit above what the model can write. Pure.

import type { ModelRef, ModelRequest } from "./model.ts";
import { nameAtProvider, protocolOf } from "./model-id.ts";

/** What an answer may have unless the caller says less. Longer documents are written in several calls. */
const usualMax = 16_000;
/** A model that always thinks can spend this much on a short answer. */
const thinkingMin = 8_000;

type Family = { readonly name: RegExp; readonly canWrite: number; readonly alwaysThinks: boolean };

/** By the name at the provider; the first that fits counts. */
const families: readonly Family[] = [
  { name: /claude-3[.-][57]/, canWrite: 8_192, alwaysThinks: false },
  { name: /claude-(3-|instant|2)/, canWrite: 4_096, alwaysThinks: false },
  { name: /claude-[a-z]+-(5[.-][5-9]|[6-9])|claude-fable/, canWrite: 64_000, alwaysThinks: true },
  { name: /gpt-3\.5|gpt-4(-|$)/, canWrite: 4_096, alwaysThinks: false },
  { name: /gpt-(5|6|7)|(^|\/)o[1-9]/, canWrite: 100_000, alwaysThinks: true },
  { name: /gemini-(1|2\.0)/, canWrite: 8_192, alwaysThinks: false },
  { name: /gemini-(2\.5|3|4)/, canWrite: 64_000, alwaysThinks: true },
  { name: /deepseek-(r|reason)|qwq|qwen3|magistral|gpt-oss/, canWrite: 32_000, alwaysThinks: true },
];

/** Servers of one's own often have small windows, and vLLM refuses a limit that does not fit beside the prompt. */
const ownServerMax = 8_000;

/** The most that this request lets the model write, thinking included. */
export function readOutputLimit(model: ModelRef, { maxOutputTokens }: Pick<ModelRequest, "maxOutputTokens">): number {
  const name = nameAtProvider(model).toLowerCase();
  const family = families.find((each) => each.name.test(name));
  const most = Math.min(
    family?.canWrite ?? usualMax,
    protocolOf(model) === "openai-compatible" ? ownServerMax : usualMax,
  );
  const wanted = maxOutputTokens ?? most;
  return Math.min(family?.alwaysThinks ? Math.max(wanted, thinkingMin) : wanted, most);
}

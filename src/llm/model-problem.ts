// Whether a model can be asked here, from its name and the settings alone: one rule for settings, runs, outcomes and tests of a model.

import { isProviderName, parseModelId, providerNames } from "./model-id.ts";

/** The setting without which a provider cannot be asked. Those on this machine need none. */
export const neededSettings = {
  openrouter: "openrouter_api_key",
  anthropic: "anthropic_api_key",
  openai: "openai_api_key",
  google: "google_api_key",
  "openai-compatible": "openai_compatible_url",
} as const;

export type NeededSetting = (typeof neededSettings)[keyof typeof neededSettings];

/** Null: none is needed, or there is no such provider. */
export function neededSetting(provider: string): NeededSetting | null {
  return Object.hasOwn(neededSettings, provider) ? neededSettings[provider as keyof typeof neededSettings] : null;
}

/** Why a model of this name cannot be asked, and what to do; null: it can, as far as the settings say. */
export function findModelProblem(id: string, isSet: (setting: NeededSetting) => boolean): string | null {
  const provider = id.slice(0, Math.max(id.indexOf("/"), 0));
  const model = parseModelId(id);
  if (model === null) {
    const why = isProviderName(provider) ? "names no model of its provider" : "has no provider that is known here";
    return `${id} ${why}. Name models as provider/model, such as anthropic/claude-sonnet-5-5. Providers: ${providerNames.join(", ")}.`;
  }
  const needed = neededSetting(provider);
  if (needed === null || isSet(needed)) return null;
  if (needed === "openai_compatible_url")
    return `${id} has no server. Set openai_compatible_url, or choose another model.`;
  return `${id} has no key. Save a key for ${provider} on the page Settings, Models, or set ${needed}, or choose another model.`;
}

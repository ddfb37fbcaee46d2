// Names of models and of those who have them: `provider/model`. No SDK is loaded for this: settings are read by every command.

import type { ModelRef } from "./model.ts";

type Protocol = "openrouter" | "anthropic" | "openai" | "google" | "openai-compatible";

type ProviderSpec = {
  readonly protocol: Protocol;
  /** Null: wherever the settings say. */
  readonly baseUrl: string | null;
  /** On this machine: needs no key and costs nothing. */
  readonly isLocal: boolean;
  /** Takes a request for JSON without a schema. LM Studio refuses one, Anthropic has none, of others it is unknown. */
  readonly takesJson: boolean;
};

export const providerSpecs = {
  openrouter: spec("openrouter", "https://openrouter.ai/api/v1", { takesJson: true }),
  anthropic: spec("anthropic", "https://api.anthropic.com/v1", {}),
  openai: spec("openai", "https://api.openai.com/v1", { takesJson: true }),
  google: spec("google", "https://generativelanguage.googleapis.com/v1beta", { takesJson: true }),
  "openai-compatible": spec("openai-compatible", null, {}),
  ollama: spec("openai-compatible", "http://127.0.0.1:11434/v1", { isLocal: true, takesJson: true }),
  lmstudio: spec("openai-compatible", "http://127.0.0.1:1234/v1", { isLocal: true }),
  vllm: spec("openai-compatible", "http://127.0.0.1:8000/v1", { isLocal: true, takesJson: true }),
} as const satisfies Readonly<Record<string, ProviderSpec>>;

export type ProviderName = keyof typeof providerSpecs;
export const providerNames = Object.keys(providerSpecs) as readonly ProviderName[];

export const demoRef: ModelRef = { provider: "demo", id: "demo/rules", isDemo: true };

export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(providerSpecs, name);
}

/** `provider/model`; the model's own name may have more slashes in it. Null for anything else. */
export function parseModelId(id: string): ModelRef | null {
  if (id === demoRef.id) return demoRef;
  const at = id.indexOf("/");
  const provider = id.slice(0, Math.max(at, 0));
  if (!isProviderName(provider) || at === id.length - 1 || /\s/.test(id)) return null;
  return { provider, id, isDemo: false };
}

/** What the provider itself calls it. */
export function nameAtProvider({ provider, id }: ModelRef): string {
  return id.slice(provider.length + 1);
}

/** Null: the demo model, or a provider that is not known. */
export function protocolOf({ provider }: ModelRef): Protocol | null {
  return isProviderName(provider) ? providerSpecs[provider].protocol : null;
}

function spec(
  protocol: Protocol,
  baseUrl: string | null,
  more: { readonly isLocal?: boolean; readonly takesJson?: boolean },
): ProviderSpec {
  return { protocol, baseUrl, isLocal: more.isLocal ?? false, takesJson: more.takesJson ?? false };
}

// Who answers: the providers we know, where they are reached, and the AI SDK's model for one of theirs. Keys travel in
// headers and nowhere else; nothing is read from the environment, so everything the SDK would look up there is passed in.

import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import type { LanguageModel } from "ai";
import { assert, unreachable } from "../lib/assert.ts";
import type { ModelRef } from "./model.ts";
import { nameAtProvider, type ProviderName, providerSpecs } from "./model-id.ts";

/** A provider that can be asked. */
export type Provider = {
  readonly name: ProviderName;
  readonly baseUrl: string;
  /** Null: it wants none. */
  readonly apiKey: string | null;
  /** Of OpenRouter: those behind it may keep or train on what they are sent. Left out: they may not. */
  readonly mayCollectData?: boolean;
};

export type Providers = ReadonlyMap<string, Provider>;

export function languageModel(provider: Provider, model: ModelRef, fetchPage: typeof fetch): LanguageModel {
  assert(provider.name === model.provider, `${model.id} is not a model of ${provider.name}`);
  const name = nameAtProvider(model);
  const { baseUrl: baseURL } = provider;
  const options = { baseURL, apiKey: provider.apiKey ?? "", fetch: withoutRedirects(fetchPage) };
  const { protocol } = providerSpecs[provider.name];
  switch (protocol) {
    case "openrouter":
      return createOpenRouter({ ...options, compatibility: "strict" })(name, {
        usage: { include: true },
        provider: { data_collection: provider.mayCollectData === true ? "allow" : "deny" },
      });
    case "anthropic":
      return createAnthropic(options)(name);
    case "openai":
      return createOpenAI(options)(name);
    case "google":
      return createGoogle(options)(name);
    case "openai-compatible": {
      const { apiKey } = provider;
      const { fetch } = options;
      const key = apiKey === null ? {} : { apiKey };
      return createOpenAICompatible({ name: provider.name, baseURL, fetch, includeUsage: true, ...key })(name);
    }
    default:
      return unreachable(protocol);
  }
}

/** An API that sends us elsewhere would be sent our key there, too. */
function withoutRedirects(fetchPage: typeof fetch): typeof fetch {
  return (input, init) => fetchPage(input, { ...init, redirect: "error" });
}

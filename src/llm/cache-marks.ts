// Where a provider is told that a prefix will come again. Tools and instructions come first and stay the same; the marks add
// nothing to the text itself. Two marks at most: Claude takes four and the SDK drops what is over.

import type { ModelMessage as SdkMessage, SystemModelMessage } from "ai";
import type { ModelRequest } from "./model.ts";
import { providerSpecs } from "./model-id.ts";
import type { Provider } from "./providers.ts";
import { fitName } from "./sdk-messages.ts";

type ProviderOptions = NonNullable<SystemModelMessage["providerOptions"]>;

const ephemeral = { cacheControl: { type: "ephemeral" } };

/** Of the whole call. Anthropic moves this mark along with the conversation by itself. */
export function callOptions({ name }: Provider, { cacheKey }: ModelRequest): ProviderOptions {
  switch (providerSpecs[name].protocol) {
    case "anthropic":
      return { anthropic: ephemeral };
    case "openai":
      // What we send is the user's own: not for the provider to keep.
      return { openai: { store: false, promptCacheKey: fitName(cacheKey) } };
    default:
      return {};
  }
}

/** Undefined: there are no instructions; an empty text would be refused. */
export function markedSystem({ name }: Provider, { system }: ModelRequest): SystemModelMessage | undefined {
  if (system.trim() === "") return undefined;
  const { protocol } = providerSpecs[name];
  const isMarked = protocol === "anthropic" || protocol === "openrouter";
  return { role: "system", content: system, ...(isMarked ? { providerOptions: { [protocol]: ephemeral } } : {}) };
}

/** OpenRouter has no moving mark: the last message, which is never the assistant's, gets one. */
export function markedMessages({ name }: Provider, messages: readonly SdkMessage[]): SdkMessage[] {
  const last = messages.at(-1);
  if (providerSpecs[name].protocol !== "openrouter" || last === undefined) return [...messages];
  return [...messages.slice(0, -1), markMessage(last)];
}

function markMessage(message: SdkMessage): SdkMessage {
  const providerOptions = { openrouter: ephemeral };
  if (message.role !== "tool") return { ...message, providerOptions };
  // On the message, every result would get a mark of its own.
  const content = message.content.map((part, at) =>
    at === message.content.length - 1 && part.type === "tool-result" ? { ...part, providerOptions } : part,
  );
  return { ...message, content };
}

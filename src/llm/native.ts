// Keeps a provider's own message and decides when it goes back as it came. Its provider wants reasoning, signatures and item
// ids back unchanged; another provider, and for most also another model, gets plain text and calls instead.

import { type AssistantModelMessage, assistantModelMessageSchema } from "ai";
import { z } from "zod";
import type { ModelRef, NativeAnswer, ToolCall } from "./model.ts";

export type AssistantPart = Exclude<AssistantModelMessage["content"], string>[number];
export type VerbatimMessage = AssistantModelMessage & { readonly content: AssistantPart[] };

/** Their reasoning may be read by their other models; what cannot be read there is refused with a name (faults.ts). */
const sharedByModels = ["openai", "google"];
/** Their empty texts may carry a signature or a phase. */
const signsEmptyText = ["openai", "google"];

/** Null: this model gets the answer as plain text and calls. */
export function readVerbatim(native: NativeAnswer | null | undefined, model: ModelRef): VerbatimMessage | null {
  // Journals of earlier versions have none.
  if (!native || native.provider !== model.provider) return null;
  if (native.model !== model.id && !sharedByModels.includes(model.provider)) return null;
  const { data } = assistantModelMessageSchema.safeParse(native.message);
  if (data === undefined || typeof data.content === "string") return null;
  // The parsed copy may lack fields that the schema does not know.
  const message = native.message as VerbatimMessage;
  return { ...message, content: message.content.filter((part) => !isBlank(part, model)) };
}

/** Claude sends blank texts before a call and refuses them when they come back. */
function isBlank(part: AssistantPart, { provider }: ModelRef): boolean {
  if (part.type !== "text" || part.text.trim() !== "") return false;
  return part.providerOptions === undefined || !signsEmptyText.includes(provider);
}

type Metadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type Answered = {
  readonly toolCalls: readonly ToolCall[];
  /** What the provider said of the answer as a whole. */
  readonly metadata: Metadata | undefined;
};

export function keepNative(
  model: ModelRef,
  messages: readonly { readonly role: string }[],
  { toolCalls, metadata }: Answered,
): NativeAnswer | null {
  const message = messages.find(({ role }) => role === "assistant");
  if (message === undefined) return null;
  // What a journal cannot hold must not be there in the first attempt either.
  const plain = JSON.parse(JSON.stringify(message)) as Record<string, unknown>;
  return { provider: model.provider, model: model.id, message: withDetails(withArgs(plain, toolCalls), metadata) };
}

/** The SDK's copy of the arguments may be empty where those that were sent could be read (raw-calls.ts). */
function withArgs(message: Record<string, unknown>, toolCalls: readonly ToolCall[]): Record<string, unknown> {
  if (!Array.isArray(message.content)) return message;
  const content = message.content.map((part: Record<string, unknown>) => {
    const call = toolCalls.find(({ callId }) => part.type === "tool-call" && part.toolCallId === callId);
    return typeof call?.args === "object" && call.args !== null ? { ...part, input: call.args } : part;
  });
  return { ...message, content };
}

const details = z.array(z.unknown()).min(1);
const withPartDetails = z.object({
  providerOptions: z.object({ openrouter: z.object({ reasoning_details: details }) }),
});

/** Encrypted reasoning before an answer in words: OpenRouter tells of it with the answer, not with a part. */
function withDetails(message: Record<string, unknown>, stepMetadata: Metadata | undefined): Record<string, unknown> {
  const { data } = details.safeParse(stepMetadata?.openrouter?.reasoning_details);
  const parts = Array.isArray(message.content) ? message.content : [];
  if (data === undefined || parts.some((part) => withPartDetails.safeParse(part).success)) return message;
  return { ...message, providerOptions: { openrouter: { reasoning_details: JSON.parse(JSON.stringify(data)) } } };
}

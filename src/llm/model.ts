// What a model is to the rest of the program: a role asks, an answer or a fault comes back, and what it cost is known or said
// not to be. Failure is data here; only bugs are thrown.

import type { PriceSource } from "../domain/run/budget/price.ts";
import type { NonEmpty } from "../domain/run/run.ts";
import { modelRoles as namedRoles } from "../domain/run/run-models.ts";
import type { OnSilence } from "./watch-silence.ts";

export const modelRoles = namedRoles;
export type ModelRole = (typeof modelRoles)[number];

/** `id` is what people and the ledger see: `anthropic/claude-sonnet-4-5`, `demo/rules`. */
export type ModelRef = { readonly provider: string; readonly id: string; readonly isDemo: boolean };

export type ToolCall = { readonly callId: string; readonly tool: string; readonly args: unknown };

export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      /** Sent back as it came while its provider is asked; others get `text` and `toolCalls`. Null: written by us. */
      readonly native: NativeAnswer | null;
      /** Of an exchange that is over and told in short: sent back only to a provider that insists on it. */
      readonly earlierNative?: NativeAnswer | null;
    }
  | { readonly role: "tool"; readonly results: readonly ToolReply[] };

/**
 * The provider's own assistant message as plain JSON, kept verbatim: reasoning, signatures, item ids and whatever else the
 * provider wants back. `model` is a `ModelRef`'s id.
 */
export type NativeAnswer = { readonly provider: string; readonly model: string; readonly message: unknown };

export type ToolReply = {
  readonly callId: string;
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
};

/** A tool as a model is shown it. */
export type ToolOffer = {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly schema: Readonly<Record<string, unknown>>;
};

export type ModelRequest = {
  readonly role: ModelRole;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolOffer[];
  /** JSON is requested where the provider supports it; the caller still parses and checks the answer. */
  readonly format: "text" | "json";
  /** Null: as much as the model can write, up to a limit of ours (`output-limits.ts`). */
  readonly maxOutputTokens: number | null;
  /** The same for all calls of one conversation, so that its provider finds the cached prefix again. */
  readonly cacheKey: string;
  /** What the prompt was written from, for the demo model, which follows rules and does not read. Never sent. */
  readonly view: unknown;
};

export type PlainAnswer = {
  readonly text: string;
  /** Arguments as the model gave them; where they are no JSON, the raw string. */
  readonly toolCalls: readonly ToolCall[];
};

export type ModelAnswer = PlainAnswer & {
  /** Null: the answer has nothing beyond text and calls (the demo model, an answer read from text). */
  readonly native: NativeAnswer | null;
};

/** Whole micro-dollars. `unpriced` costs are 0 here and are never shown as 0. */
export type ModelUsage = {
  readonly costMicroUsd: number;
  /** All of the prompt; the next two are parts of it. */
  readonly inputTokens: number;
  /** Read from the provider's cache. */
  readonly cachedTokens: number;
  /** Written to the provider's cache. */
  readonly writtenTokens: number;
  readonly outputTokens: number;
  readonly pricedBy: PriceSource;
};

export type ModelFault =
  /** Worth another try at once, or another model: 5xx, a lost connection, garbage. */
  | { readonly kind: "transient"; readonly why: string }
  /** Nothing of an answer for as long as one is waited for. It may have been made, and is paid for as reserved. */
  | { readonly kind: "silent"; readonly why: string }
  /** A limit of the provider: not before then. */
  | { readonly kind: "limit"; readonly why: string; readonly untilMs: number }
  | { readonly kind: "auth" | "quota"; readonly why: string }
  /** The provider will never take this request: an unknown model, a request it calls wrong. */
  | { readonly kind: "refused"; readonly why: string }
  /** The prompt does not fit the model; a shorter one may. */
  | { readonly kind: "too_long"; readonly why: string }
  /** The provider's content filter stopped the prompt or the answer. */
  | { readonly kind: "filtered"; readonly why: string };

/** An answer that broke off: it was paid for, the same request would break off again, and none of its calls count. */
export type CutOff = {
  readonly kind: "cut_off";
  /** What there is of it; often empty. */
  readonly text: string;
  /** As the provider counted, thinking included; 0: it did not say. */
  readonly outputTokens: number;
  readonly why: string;
};

export type ModelOutcome =
  | { readonly kind: "answered"; readonly answer: ModelAnswer; readonly usage: ModelUsage }
  /** `usage` "unknown": the provider named no figures, so the reservation is paid. */
  | (CutOff & { readonly usage: ModelUsage | "unknown" })
  | { readonly kind: "fault"; readonly fault: ModelFault; readonly usage: ModelUsage | "unknown" };

export type TextPart = (text: string) => void;

export type Models = {
  /** The model of a role, and what comes after it when it fails. */
  readonly chainOf: (role: ModelRole) => NonEmpty<ModelRef>;
  /** False: neither the table nor the settings know a price, so a limit on money cannot be kept. */
  readonly isPriced: (model: ModelRef) => boolean;
  /** The most this request can cost, in micro-dollars; 0 without a price. */
  readonly reservationOf: (model: ModelRef, request: ModelRequest) => number;
  /** One call, one try. `onText` hears the answer as it comes, `onSilence` that it does not, and that it does again. */
  readonly call: (
    model: ModelRef,
    request: ModelRequest,
    signal: AbortSignal,
    onText?: TextPart,
    onSilence?: OnSilence,
  ) => Promise<ModelOutcome>;
};

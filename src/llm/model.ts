// What a model is to the rest of the program: a role asks, an answer or a fault comes back, and what it cost is known or said
// not to be. Failure is data here; only bugs are thrown.

import type { PriceSource } from "../domain/run/price.ts";
import type { NonEmpty } from "../domain/run/run.ts";

export const modelRoles = ["planner", "executor", "repair", "summary", "judge", "observer", "chat"] as const;
export type ModelRole = (typeof modelRoles)[number];

/** `id` is what people and the ledger see: `anthropic/claude-sonnet-4-5`, `demo/rules`. */
export type ModelRef = { readonly provider: string; readonly id: string; readonly isDemo: boolean };

export type ToolCall = { readonly callId: string; readonly tool: string; readonly args: unknown };

export type ModelMessage =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: "tool"; readonly results: readonly ToolReply[] };

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
  /** Where a provider can be asked for JSON, it is; what comes back is still parsed and checked by whoever asked. */
  readonly format: "text" | "json";
  readonly maxOutputTokens: number;
  /** What the prompt was written from, for the demo model, which follows rules and does not read. Sent to nobody else. */
  readonly view: unknown;
};

export type ModelAnswer = {
  readonly text: string;
  /** Arguments as the model gave them; where they are no JSON, the raw string. */
  readonly toolCalls: readonly ToolCall[];
};

/** Whole micro-dollars. `unpriced` costs are 0 here and are never shown as 0. */
export type ModelUsage = {
  readonly costMicroUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly pricedBy: PriceSource;
};

export type ModelFault =
  /** Worth another try at once, or another model: 5xx, a cut stream, an answer that broke off, garbage. */
  | { readonly kind: "transient"; readonly why: string }
  /** A limit of the provider: not before then. */
  | { readonly kind: "limit"; readonly why: string; readonly untilMs: number }
  | { readonly kind: "auth" | "quota"; readonly why: string }
  /** The provider will never take this request: too long, unknown model, refused content. */
  | { readonly kind: "refused"; readonly why: string };

export type ModelOutcome =
  | { readonly kind: "answered"; readonly answer: ModelAnswer; readonly usage: ModelUsage }
  /** `usage` "unknown": nobody can tell what the provider has counted, so the reservation is paid. */
  | { readonly kind: "fault"; readonly fault: ModelFault; readonly usage: ModelUsage | "unknown" };

export type TextPart = (text: string) => void;

export type Models = {
  /** The model of a role, and what comes after it when it fails. */
  readonly chainOf: (role: ModelRole) => NonEmpty<ModelRef>;
  /** The most this request can cost, in micro-dollars; 0 where nobody knows a price. */
  readonly reservationOf: (model: ModelRef, request: ModelRequest) => number;
  /** One call, one try. `onText` hears the answer as it comes. */
  readonly call: (
    model: ModelRef,
    request: ModelRequest,
    signal: AbortSignal,
    onText?: TextPart,
  ) => Promise<ModelOutcome>;
};

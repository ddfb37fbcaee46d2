// The modes of the lab: how a real provider differs from a friendly one. A lab has them for all it answers, a scripted answer
// for itself. A mode says nothing on protocols it is not about; those that break an answer break only streams.
// Only tests import it.

import type { LabEvent, LabFault, LabRequest, Refusal, Said } from "./lab-protocol.ts";

export type LabMode =
  /** Thinking is bound to all that was before it: a changed prefix is refused, or the block dropped where asked for. */
  | { readonly mode: "claude-bound" }
  /** Every model is held to the rules of the newest Claude, whatever its name. */
  | { readonly mode: "claude-strict" }
  /** Thinking has no text, only a signature, and a silence before what follows. */
  | { readonly mode: "claude-omitted"; readonly silenceMs?: number }
  /** Overloaded inside a 200. */
  | { readonly mode: "claude-529"; readonly when: "first" | "after-text" }
  /** Every answer has encrypted reasoning; references are not found. */
  | { readonly mode: "openai-stateless" }
  /** `response.failed` instead of an end. */
  | { readonly mode: "openai-failed"; readonly code: string; readonly when?: "first" | "after-text" }
  /** The first call of an answer is signed; a call that comes back without its signature is refused. */
  | { readonly mode: "gemini-sign" }
  | { readonly mode: "gemini-odd"; readonly odd: GeminiOdd }
  /** The last call has half its arguments. */
  | { readonly mode: "openrouter-half"; readonly hasFinish: boolean }
  /** Every answer has encrypted reasoning details that must come back. */
  | { readonly mode: "openrouter-details" }
  /** An error inside a 200, after the first words. */
  | { readonly mode: "openrouter-inband"; readonly code: 402 | 403 | 429; readonly metadata?: object }
  /** All ways but an error text, unless some are named. */
  | { readonly mode: "compat-sloppy"; readonly ways?: readonly SloppyWay[] }
  /** Calls and reasoning stand as text in the content: a server with the wrong parser. */
  | { readonly mode: "compat-text-call" }
  /** What is too long for the window loses its front without a word. */
  | { readonly mode: "ollama-4k"; readonly windowTokens?: number }
  /** Usage says what a prefix cache would have read and written. */
  | { readonly mode: "cache-meter"; readonly minimumTokens?: number; readonly ttlMs?: number }
  /** Calls of the current turn must come back with `reasoning_content`. */
  | { readonly mode: "deepseek-reasoning" }
  /** Templates of Mistral and Gemma: no two user messages in a row. */
  | { readonly mode: "roles-alternate" }
  /** vLLM that was started without a parser for tool calls. */
  | { readonly mode: "vllm-no-parser" };

export type GeminiOdd =
  | "MALFORMED_FUNCTION_CALL"
  | "UNEXPECTED_TOOL_CALL"
  | "TOO_MANY_TOOL_CALLS"
  | "MISSING_THOUGHT_SIGNATURE"
  | "SAFETY"
  | "blocked-prompt"
  | "per-day";

export type SloppyWay = "no-ids" | "index-0" | "stop" | "object-arguments" | "no-usage" | "error-text";

export type ModeName = LabMode["mode"];
export type ModeOf<Name extends ModeName> = Extract<LabMode, { readonly mode: Name }>;

export function findMode<Name extends ModeName>(modes: readonly LabMode[], name: Name): ModeOf<Name> | undefined {
  return modes.findLast((mode): mode is ModeOf<Name> => mode.mode === name);
}

/** What a lab remembers from one request to the next. */
export type LabMemory = {
  readonly nowMs: () => number;
  /** By signature, item or message: what has to come back with it. */
  readonly issued: Map<string, string>;
  /** Gemini's "do not check this signature", as often as it was sent. */
  sentinels: number;
};

export type ModeContext = {
  readonly request: LabRequest;
  readonly modes: readonly LabMode[];
  readonly memory: LabMemory;
};

/** One provider's ways, in the order in which they are asked; what is left out changes nothing. */
export type ModeFamily = {
  /** As far as this server reads it. */
  readonly see?: (context: ModeContext) => LabRequest;
  readonly refuse: (context: ModeContext) => Refusal | null;
  /** A status instead of any answer. */
  readonly fault?: (context: ModeContext) => LabFault | null;
  readonly say?: (said: Said, context: ModeContext) => Said;
  readonly events?: (events: readonly LabEvent[], said: Said, context: ModeContext) => readonly LabEvent[];
};

/** Issued things are forgotten after so many, the oldest first. */
const issuedMax = 100_000;

export function remember({ issued }: LabMemory, key: string, value: string): void {
  issued.set(key, value);
  const [oldest] = issued.keys();
  if (issued.size > issuedMax && oldest !== undefined) issued.delete(oldest);
}

/** A server without a tokenizer: four characters are a token. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / 4);

// What the model lab and its protocols say to each other: a request in words common to all of them, what the script answers,
// and how a protocol writes that down. Only tests import it.

import type { LabMode } from "./lab-mode.ts";

export type LabRequest = {
  readonly protocol: string;
  /** The name it was asked under: `openrouter`, `anthropic`, … */
  readonly provider: string;
  readonly model: string;
  readonly isStream: boolean;
  readonly system: string;
  readonly messages: readonly LabMessage[];
  /** The conversation in the same words on every protocol: neighbours of one role are one turn. */
  readonly turns: readonly LabTurn[];
  readonly tools: readonly string[];
  readonly wantsJson: boolean;
  readonly maxOutputTokens: number | null;
  /** Keys are left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
  /** A fingerprint of the key: ciphertext of one account is worth nothing to another. */
  readonly account: string;
  readonly raw: unknown;
};

export type LabMessage = {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  readonly toolCalls: readonly { readonly name: string; readonly args: unknown }[];
};

export type LabTurn = {
  readonly role: LabMessage["role"];
  readonly text: string;
  /** What came back of the model's own reasoning, where it can be read. */
  readonly reasoning: string;
  readonly toolCalls: readonly LabCall[];
  readonly results: readonly LabResult[];
};

/** `id` is empty where a protocol has none. */
export type LabCall = { readonly id: string; readonly name: string; readonly args: unknown };
export type LabResult = { readonly callId: string; readonly name: string; readonly text: string };

/** `input` includes what was read from and written to a cache. */
export type LabUsage = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
};

/** `args` as a string is sent as it is: for arguments that are no JSON. */
export type LabToolCall = {
  readonly name: string;
  readonly args: unknown;
  /** Instead of the lab's own. */
  readonly id?: string;
};

/** Text may be empty. The lab signs it unless the script does. */
export type LabReasoning = {
  readonly text?: string;
  readonly signature?: string;
  /** Claude only: the text is never shown. */
  readonly isRedacted?: boolean;
};

/** Nothing more comes, and the connection stays open: before the headers, or after so many chunks. */
export type LabHang = {
  readonly at: "headers" | number;
  /** Sent again and again meanwhile, as it is. */
  readonly keepAlive?: string;
};

export type LabAnswer = {
  /** Comes before text and calls. */
  readonly reasoning?: readonly LabReasoning[];
  readonly text?: string;
  readonly toolCalls?: readonly LabToolCall[];
  /** Null: nothing is said about it. */
  readonly usage?: LabUsage | null;
  /** `none`: the stream ends without a word about why. `window`: the context is full, which only Claude tells apart. */
  readonly finish?: "stop" | "length" | "window" | "content_filter" | "error" | "none";
  /** The last call stops in the middle of its arguments; with `finish: "length"` as a cut-off answer does. */
  readonly isHalf?: boolean;
  /** The connection is torn down after so many chunks. */
  readonly cut?: number;
  /** The connection is torn down after so many bytes of the stream. */
  readonly cutAtByte?: number;
  /** Before each chunk. */
  readonly slowMs?: number;
  readonly hang?: LabHang;
  /** Sent instead of what the protocol asks for. */
  readonly garbage?: string;
  /** On top of the lab's own; of two with the same name, this one counts. */
  readonly modes?: readonly LabMode[];
};

export type LabFault = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the protocol's own shape for errors. */
  readonly body?: unknown;
};

export type LabReply = LabAnswer | LabFault;

export type SaidReasoning = {
  readonly text: string;
  readonly signature: string | null;
  readonly isRedacted: boolean;
};

/** `id` null: the server gives none. */
export type SaidCall = {
  readonly id: string | null;
  readonly name: string;
  readonly args: unknown;
  readonly signature: string | null;
};

/** An answer with nothing left open, as a protocol writes it. */
export type Said = {
  readonly id: string;
  readonly model: string;
  readonly provider: string;
  readonly reasoning: readonly SaidReasoning[];
  readonly text: string;
  readonly toolCalls: readonly SaidCall[];
  readonly usage: Required<LabUsage> | null;
  /** Null: this provider does not tell. */
  readonly costInDollars: number | null;
  readonly finish: NonNullable<LabAnswer["finish"]>;
  readonly isHalf: boolean;
  /** What the provider did to the request before it read it (Claude's `input_transformations`). */
  readonly transformations: readonly object[];
};

/** Sent after a silence of `pauseMs`. */
export type LabEvent = { readonly event?: string; readonly data: unknown; readonly pauseMs?: number };

/** A request that a real provider would not take. `rule` is our name for why. */
export type Refusal = {
  readonly rule: string;
  readonly status: number;
  readonly message: string;
  readonly code?: string;
  /** Instead of the protocol's own shape for errors. */
  readonly body?: unknown;
};

export type LabProtocol = {
  readonly name: string;
  /** Of the path below the base address. */
  readonly matches: (path: string) => boolean;
  readonly read: (
    body: Record<string, unknown>,
    path: string,
  ) => Pick<LabRequest, "model" | "isStream" | "system" | "tools" | "wantsJson" | "maxOutputTokens"> & {
    /** One per message or item of the protocol. */
    readonly items: readonly LabTurn[];
  };
  readonly whole: (said: Said) => unknown;
  readonly events: (said: Said) => readonly LabEvent[];
  readonly error: (status: number, message: string, code?: string) => unknown;
};

/** Words with the space behind them: what a stream brings one by one. */
export const wordsOf = (text: string): readonly string[] => text.match(/\S+\s*|\s+/g) ?? [];

export const argsText = (args: unknown): string => (typeof args === "string" ? args : JSON.stringify(args));

/** The arguments of a call as they are sent; of an answer that stops half-way, the last ones are cut in the middle. */
export function sentArgs({ toolCalls, isHalf }: Said, at: number): string {
  const text = argsText(toolCalls[at]?.args ?? {});
  return isHalf && at === toolCalls.length - 1 ? text.slice(0, Math.ceil(text.length / 2)) : text;
}

export const makeTurn = (turn: Partial<LabTurn> & Pick<LabTurn, "role">): LabTurn => ({
  text: "",
  reasoning: "",
  toolCalls: [],
  results: [],
  ...turn,
});

/** The part of a foreign JSON that is an object. */
export const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

export const records = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(record) : [];

export const str = (value: unknown): string => (typeof value === "string" ? value : "");

export const num = (value: unknown): number | null => (typeof value === "number" ? value : null);

export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Content is a string, or parts with a `text`. */
export const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : records(content)
        .map((part) => str(part.text) || textOfResult(part))
        .join("");

function textOfResult(part: Record<string, unknown>): string {
  return part.content === undefined ? "" : textOf(part.content);
}

// What the model lab and its protocols say to each other: a request in words common to all of them, what the script answers,
// and how a protocol writes that down. Only tests import it.

export type LabRequest = {
  readonly protocol: string;
  /** The name it was asked under: `openrouter`, `anthropic`, … */
  readonly provider: string;
  readonly model: string;
  readonly isStream: boolean;
  readonly system: string;
  readonly messages: readonly LabMessage[];
  readonly tools: readonly string[];
  readonly wantsJson: boolean;
  readonly maxOutputTokens: number | null;
  /** Keys are left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
  readonly raw: unknown;
};

export type LabMessage = {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  readonly toolCalls: readonly { readonly name: string; readonly args: unknown }[];
};

/** `input` includes what was read from and written to a cache. */
export type LabUsage = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
};

/** `args` as a string is sent as it is: for arguments that are no JSON. */
export type LabToolCall = { readonly name: string; readonly args: unknown };

export type LabAnswer = {
  readonly text?: string;
  readonly toolCalls?: readonly LabToolCall[];
  /** Null: nothing is said about it. */
  readonly usage?: LabUsage | null;
  /** `none`: the stream ends without a word about why. */
  readonly finish?: "stop" | "length" | "content_filter" | "error" | "none";
  /** The connection is torn down after so many chunks. */
  readonly cut?: number;
  /** Before each chunk. */
  readonly slowMs?: number;
  /** Sent instead of what the protocol asks for. */
  readonly garbage?: string;
};

export type LabFault = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the protocol's own shape for errors. */
  readonly body?: unknown;
};

export type LabReply = LabAnswer | LabFault;

/** One that is complete, as a protocol writes it. */
export type Said = {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly toolCalls: readonly LabToolCall[];
  readonly usage: Required<LabUsage> | null;
  /** Null: this provider does not tell. */
  readonly costInDollars: number | null;
  readonly finish: NonNullable<LabAnswer["finish"]>;
};

export type LabEvent = { readonly event?: string; readonly data: unknown };

export type LabProtocol = {
  readonly name: string;
  /** Of the path below the base address. */
  readonly matches: (path: string) => boolean;
  readonly read: (
    body: Record<string, unknown>,
    path: string,
  ) => Pick<LabRequest, "model" | "isStream" | "system" | "messages" | "tools" | "wantsJson" | "maxOutputTokens">;
  readonly whole: (said: Said) => unknown;
  readonly events: (said: Said) => readonly LabEvent[];
  readonly error: (status: number, message: string) => unknown;
};

/** Words with the space behind them: what a stream brings one by one. */
export const wordsOf = (text: string): readonly string[] => text.match(/\S+\s*|\s+/g) ?? [];

export const argsText = (args: unknown): string => (typeof args === "string" ? args : JSON.stringify(args));

export const callId = (said: Said, at: number): string => `call_${said.id}_${at}`;

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

// Telegram's Bot API over HTTP: the few methods we use. A failure is data, with the wait that Telegram asks for. The token is part of
// the address, so nothing of a request is ever part of an error.

import { z } from "zod";

export type BotFailure = {
  readonly kind: "failed";
  /** The HTTP status; null where nothing was answered. */
  readonly status: number | null;
  readonly why: string;
  readonly afterMs: number | null;
};
export type BotAnswer<T> = { readonly kind: "ok"; readonly result: T } | BotFailure;

export type BotCall = { readonly method: string; readonly body: object };

export type BotApi = {
  /** What stands before the colon of a token. */
  readonly botId: number;
  readonly call: <T>(
    call: BotCall,
    result: z.ZodType<T>,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ) => Promise<BotAnswer<T>>;
};

export type BotSettings = {
  readonly token: string;
  /** Such as https://api.telegram.org. */
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
};

const envelope = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().optional(),
  parameters: z.object({ retry_after: z.number().optional() }).optional(),
});

/** Of a description, as much as people have use for. */
const descriptionMax = 200;

export function openBotApi({ token, baseUrl, fetch }: BotSettings): BotApi {
  return {
    botId: Number(token.split(":", 1)[0]),
    call: async ({ method, body }, result, { timeoutMs, signal }) => {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const response = await fetch(`${baseUrl}/bot${token}/${method}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
          redirect: "error",
          signal: AbortSignal.any([signal, timeout]),
        });
        return readAnswer(response.status, await response.text(), result);
      } catch (thrown) {
        signal.throwIfAborted();
        return failed(null, timeout.aborted ? "Telegram did not answer in time" : describe(thrown), null);
      }
    },
  };
}

const failed = (status: number | null, why: string, afterMs: number | null): BotFailure => ({
  kind: "failed",
  status,
  why,
  afterMs,
});

/** The message of a network error names the address, and the token with it: only its code is told. */
function describe(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : null;
  const code = cause !== null && typeof cause === "object" && "code" in cause ? String(cause.code) : "no connection";
  return `Telegram could not be reached (${code.slice(0, 40)})`;
}

function readAnswer<T>(status: number, text: string, result: z.ZodType<T>): BotAnswer<T> {
  const answer = envelope.safeParse(parseJson(text));
  if (!answer.success) return failed(status, `Telegram answered with HTTP status ${status}`, null);
  const { ok, description, parameters } = answer.data;
  if (!ok) {
    const seconds = parameters?.retry_after ?? null;
    const why = `Telegram answered: ${(description ?? `HTTP status ${status}`).slice(0, descriptionMax)}`;
    return failed(status, why, seconds === null ? null : seconds * 1_000);
  }
  const parsed = result.safeParse(answer.data.result);
  if (parsed.success) return { kind: "ok", result: parsed.data };
  return failed(status, "Telegram answered in a form that is not known", null);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

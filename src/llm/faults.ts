// What went wrong with a call, as one of the five faults, and whether it can have cost anything. Statuses and the fields of
// a provider's error decide, not its sentences (with one exception, where a provider has nothing else). Pure.

import { APICallError, StreamProviderError } from "ai";
import { z } from "zod";
import type { ModelFault } from "./model.ts";
import type { Redact } from "./redact.ts";

/** What an error says of itself, wherever it says it. */
type Facts = {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly message: string;
  /** Codes of the network: `ECONNREFUSED`. */
  readonly networkCode: string | null;
  readonly isTimeout: boolean;
};

export type Judged = {
  readonly fault: ModelFault;
  /** The provider said no before it did anything, or was not reached: this cost nothing. */
  readonly isFree: boolean;
};

export type JudgeOptions = { readonly nowMs: number; readonly random: number; readonly redact: Redact };

/** Most limits are per minute; half of one is over soon enough. */
const limitDefaultMs = 30_000;
/** What a header may ask for; more than a day is a clock that is wrong. */
const limitMaxMs = 24 * 60 * 60 * 1000;
/** Not all at the same moment: up to a tenth later, at least up to a second, at most up to half a minute. */
const jitter = { share: 0.1, minMs: 1_000, maxMs: 30_000 };

export function judgeError(error: unknown, options: JudgeOptions): Judged {
  const facts = factsOf(error);
  const why = options.redact(whyOf(facts));
  const isRefusedAtOnce = facts.status !== null && APICallError.isInstance(error);
  const isFree = isRefusedAtOnce || isNotReached(facts);
  return { fault: faultOf(facts, why, options), isFree };
}

function faultOf(facts: Facts, why: string, { nowMs, random }: JudgeOptions): ModelFault {
  const { status } = facts;
  if (status === 402 || isQuota(facts)) return { kind: "quota", why };
  if (status === 429) return { kind: "limit", why, untilMs: nowMs + withJitter(waitOf(facts, nowMs), random) };
  if (status === 403 && wasModerated(facts)) return { kind: "refused", why };
  if (status === 401 || status === 403) return { kind: "auth", why };
  if (status !== null && status >= 400 && status < 500 && !passing.includes(status)) return { kind: "refused", why };
  return { kind: "transient", why };
}

/** Of the 4xx: too slow, in conflict with another request, too early. The same request may be taken next time. */
const passing = [408, 409, 425];
/** Nothing has left this machine. */
const notReachedCodes = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH"];
const isNotReached = ({ networkCode }: Facts) => networkCode !== null && notReachedCodes.includes(networkCode);

const quotaCodes = ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error"];

const errorBody = z.object({
  error: z.object({
    message: z.string().optional().catch(undefined),
    code: z.union([z.string(), z.number()]).optional().catch(undefined),
    type: z.string().optional().catch(undefined),
    metadata: z
      .object({ reasons: z.array(z.unknown()).optional() })
      .optional()
      .catch(undefined),
    details: z
      .array(z.looseObject({ retryDelay: z.string().optional() }))
      .optional()
      .catch(undefined),
  }),
});

const bodyError = ({ body }: Facts) => errorBody.safeParse(body).data?.error ?? null;

function isQuota(facts: Facts): boolean {
  const error = bodyError(facts);
  if (error === null) return false;
  if ([error.code, error.type].some((code) => typeof code === "string" && quotaCodes.includes(code))) return true;
  // Anthropic says it in words only, as a 400 like any other.
  return facts.status === 400 && /credit balance is too low/i.test(error.message ?? "");
}

/** OpenRouter's word for content that a provider will not read. */
const wasModerated = (facts: Facts) => (bodyError(facts)?.metadata?.reasons?.length ?? 0) > 0;

function waitOf(facts: Facts, nowMs: number): number {
  const { headers } = facts;
  const waits = [
    numberOf(headers["retry-after-ms"]),
    seconds(numberOf(headers["retry-after"])),
    untilDate(headers["retry-after"], nowMs),
    // Google: "34s", in the body.
    ...(bodyError(facts)?.details ?? []).map(({ retryDelay }) => seconds(numberOf(retryDelay?.replace(/s$/, "")))),
  ];
  const wait = waits.find((ms) => ms !== null) ?? limitDefaultMs;
  return Math.min(Math.max(0, Math.ceil(wait)), limitMaxMs);
}

function withJitter(ms: number, random: number): number {
  const most = Math.min(Math.max(ms * jitter.share, jitter.minMs), jitter.maxMs);
  return ms + 1 + Math.floor(random * most);
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}

const seconds = (count: number | null) => (count === null ? null : count * 1000);

function untilDate(text: string | undefined, nowMs: number): number | null {
  // biome-ignore lint/style/noRestrictedGlobals: reads a date that was given, not the clock
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? null : at - nowMs;
}

function factsOf(error: unknown): Facts {
  const base = {
    headers: {},
    message: error instanceof Error ? error.message : String(error),
    networkCode: networkCodeOf(error),
    isTimeout: error instanceof Error && error.name === "TimeoutError",
  };
  if (APICallError.isInstance(error)) {
    const { statusCode, responseHeaders, responseBody, message } = error;
    // A good status with a stream that broke is no answer of the provider.
    const status = statusCode !== undefined && statusCode >= 400 ? statusCode : null;
    return { ...base, message, status, headers: responseHeaders ?? {}, body: parsed(responseBody) };
  }
  if (StreamProviderError.isInstance(error)) {
    const { statusCode, data, message } = error;
    return { ...base, message, status: statusCode ?? null, body: data };
  }
  return { ...base, status: null, body: null };
}

/** Errors have causes; how deep they are nested differs between versions of Node. */
const causesMax = 5;

function networkCodeOf(error: unknown): string | null {
  let each: unknown = error;
  for (let depth = 0; depth < causesMax && each instanceof Error; depth++) {
    if ("code" in each && typeof each.code === "string") return each.code;
    each = each.cause;
  }
  return null;
}

function whyOf(facts: Facts): string {
  const said = bodyError(facts)?.message ?? facts.message;
  const { status, networkCode } = facts;
  if (status !== null) return `${status}: ${said}`;
  if (facts.isTimeout) return "no answer in time";
  return networkCode === null ? said : `${networkCode}: ${said}`;
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return null;
  }
}

// What an error of a call says of itself, wherever it says it: in the status, the headers, the body, an event inside a stream
// that began well, or an error of another provider that a broker passes on. Pure.

import { APICallError, StreamProviderError, TypeValidationError } from "ai";
import { z } from "zod";
import { readJson } from "../lib/json.ts";

export type ErrorFacts = {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody | null;
  /** What people are told. */
  readonly said: string;
  /** Codes and all that was said, for phrases that have no code of their own. */
  readonly text: string;
  /** Codes of the network: `ECONNREFUSED`. */
  readonly networkCode: string | null;
  readonly isTimeout: boolean;
  /** The provider answered with the error at once, instead of beginning an answer. */
  readonly isAtOnce: boolean;
};

/** A part of another shape than expected counts as left out. */
const maybe = <T extends z.ZodType>(shape: T) => shape.optional().catch(undefined);

const errorBody = z.object({
  message: maybe(z.string()),
  code: maybe(z.union([z.string(), z.number()])),
  type: maybe(z.string()),
  status: maybe(z.string()),
  metadata: maybe(
    z.object({
      reasons: maybe(z.array(z.unknown())),
      raw: z.unknown().optional(),
      retry_after_seconds: maybe(z.number().min(0)),
    }),
  ),
  details: maybe(
    z.array(
      z.looseObject({
        reason: maybe(z.string()),
        retryDelay: maybe(z.string()),
        violations: maybe(z.array(z.looseObject({ quotaId: maybe(z.string()) }))),
      }),
    ),
  ),
});
export type ErrorBody = z.infer<typeof errorBody>;

export function readErrorFacts(error: unknown): ErrorFacts {
  const { status, headers, body } = readParts(error);
  const message = error instanceof Error ? error.message : String(error);
  const raw = upstreamText(body);
  const said = [body?.message ?? message, ...(raw === "" ? [] : [raw])].join(": ");
  return {
    status: status ?? statusIn(body),
    headers,
    body,
    said,
    text: [body?.code, body?.type, body?.status, message, said].filter((part) => part !== undefined).join("\n"),
    networkCode: networkCodeOf(error),
    isTimeout: error instanceof Error && error.name === "TimeoutError",
    isAtOnce: status !== null && APICallError.isInstance(error),
  };
}

function readParts(error: unknown): Pick<ErrorFacts, "status" | "headers" | "body"> {
  if (APICallError.isInstance(error)) {
    const { statusCode, responseHeaders, responseBody, data } = error;
    // With a good status, the stream broke or its first event was the error.
    const status = statusCode !== undefined && statusCode >= 400 ? statusCode : null;
    return {
      status,
      headers: responseHeaders ?? {},
      body: innerError(readJson(responseBody ?? "")) ?? innerError(data),
    };
  }
  if (StreamProviderError.isInstance(error))
    return { status: error.statusCode ?? null, headers: {}, body: innerError(error.data) };
  // A chunk of a shape that the SDK does not know may be an error in words.
  if (TypeValidationError.isInstance(error)) return { status: null, headers: {}, body: innerError(error.value) };
  return { status: null, headers: {}, body: null };
}

const texts = z.string().transform((message): ErrorBody => ({ message }));
const inner = z.union([texts, errorBody]);
/** `{error}`, OpenAI's `{response: {error}}`, Google's `[{error}]`, or the error itself. */
const shapes = [
  z.object({ response: z.object({ error: inner }) }).transform(({ response }) => response.error),
  z.object({ error: inner }).transform(({ error }) => error),
  z.tuple([z.object({ error: inner })], z.unknown()).transform(([{ error }]) => error),
  errorBody.refine(({ message }) => message !== undefined),
];

function innerError(body: unknown): ErrorBody | null {
  for (const shape of shapes) {
    const { data } = shape.safeParse(body);
    if (data !== undefined) return data;
  }
  return null;
}

/** The error of the provider behind OpenRouter. */
function upstreamText(body: ErrorBody | null): string {
  const raw = body?.metadata?.raw;
  if (raw === undefined || raw === null) return "";
  const parsed = typeof raw === "string" ? readJson(raw) : raw;
  return innerError(parsed)?.message ?? (typeof raw === "string" ? raw : JSON.stringify(raw));
}

/** Errors inside a stream have names instead of statuses. */
const statusNames: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  RESOURCE_EXHAUSTED: 429,
  authentication_error: 401,
  invalid_api_key: 401,
  UNAUTHENTICATED: 401,
  permission_error: 403,
  PERMISSION_DENIED: 403,
  billing_error: 402,
  request_too_large: 413,
  not_found_error: 404,
  model_not_found: 404,
  NOT_FOUND: 404,
  invalid_request_error: 400,
  INVALID_ARGUMENT: 400,
  overloaded_error: 529,
};

function statusIn(body: ErrorBody | null): number | null {
  if (body === null) return null;
  const { code, type, status } = body;
  if (Number(code) >= 400 && Number(code) <= 599) return Number(code);
  const names = [code, status, type].filter((name) => typeof name === "string");
  const known = names.find((name) => Object.hasOwn(statusNames, name));
  return known === undefined ? null : (statusNames[known] ?? null);
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

// The typed client of the HTTP API, for the web pages and the CLI: `api(routes.projects.list, { query: {} })`.
// It knows the contract only; where the server is and how one signs in comes in as options.

import { errorCodes } from "../lib/app-error.ts";
import { ApiError } from "./api-error.ts";
import type { ErrorEnvelope } from "./error.ts";
import type { AnyRoute, RouteInput, RouteResult } from "./route.ts";

export type ApiOptions = {
  /** Origin of the server, or "" for the page's own. */
  readonly baseUrl: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly headers?: Readonly<Record<string, string>>;
};

export type CallOptions = { readonly signal?: AbortSignal; readonly idempotencyKey?: string };

export type Api = <R extends AnyRoute>(
  route: R,
  input: RouteInput<R>,
  options?: CallOptions,
) => Promise<RouteResult<R>>;

/** The input of whatever route. */
export type LooseInput = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };

export function createApi(options: ApiOptions): Api {
  return async (route, input, call = {}) => {
    const { params, query, body } = input as LooseInput;
    const headers: Record<string, string> = { accept: "application/json", ...options.headers };
    if (route.method !== "get") headers["content-type"] = "application/json";
    if (call.idempotencyKey) headers["idempotency-key"] = call.idempotencyKey;
    const response = await send(options, `${options.baseUrl}${pathOf(route, params)}${queryOf(query)}`, {
      method: route.method.toUpperCase(),
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(call.signal ? { signal: call.signal } : {}),
    });
    const answer = await readJson(response);
    if (!response.ok) throw toApiError(response, answer);
    return answer as RouteResult<typeof route>;
  };
}

async function send(options: ApiOptions, url: string, init: RequestInit): Promise<Response> {
  try {
    return await options.fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError(0, "unreachable", `No answer from the server at ${options.baseUrl || "this address"}`);
  }
}

export async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new ApiError(response.status, "unexpected_answer", `The server answered ${response.status} without JSON`);
  }
}

export function toApiError(response: Response, answer: unknown): ApiError {
  if (!isErrorEnvelope(answer))
    return new ApiError(response.status, "unexpected_answer", `The server answered ${response.status}`);
  const { code, message, details } = answer.error;
  return new ApiError(response.status, code, message, details);
}

/** By hand, because pages load this file first and would load every schema's library with a schema. */
function isErrorEnvelope(answer: unknown): answer is ErrorEnvelope {
  const { error } = (answer ?? {}) as { error?: Partial<Record<string, unknown>> };
  const { code, message, details } = error ?? {};
  const isKnown = typeof code === "string" && Object.hasOwn(errorCodes, code);
  return isKnown && typeof message === "string" && typeof details === "object" && details !== null;
}

/** Fills `{name}` in the route's path. */
export function pathOf(route: AnyRoute, params: Readonly<Record<string, unknown>> = {}): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

export function queryOf(query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)]))}`;
}

// Follows a live stream of the server: every event once, in order, across lost connections. For programs; the web pages
// have the browser's own EventSource.

import { EventSourceParserStream } from "eventsource-parser/stream";
import type { Env } from "../lib/env.ts";
import { ApiError } from "./api-error.ts";
import { type ApiOptions, type LooseInput, pathOf, queryOf, readJson, toApiError } from "./client.ts";
import type { AnyRoute, RouteInput, RouteResult } from "./route.ts";

export type FollowOptions = {
  /** The last event already known; without it the stream begins with what happens next. */
  readonly after?: number;
  readonly signal: AbortSignal;
};

export type Followed<R extends AnyRoute> = { readonly seq: number; readonly data: RouteResult<R> };

export type Follow = <R extends AnyRoute>(
  route: R,
  input: RouteInput<R>,
  options: FollowOptions,
) => AsyncGenerator<Followed<R>>;

/** Between tries, unless the server said otherwise; each is stretched by up to half. */
const firstWaitMs = 500;
const longestWaitMs = 10_000;

export function createFollow(options: ApiOptions, env: Pick<Env, "sleep" | "random">): Follow {
  return async function* follow(route, input, { after, signal }) {
    let seq = after;
    let waitMs = firstWaitMs;
    while (!signal.aborted) {
      try {
        for await (const event of readStream(options, route, input as LooseInput, seq, signal)) {
          waitMs = firstWaitMs;
          seq = event.seq;
          yield event as Followed<typeof route>;
        }
      } catch (error) {
        throwUnlessPassing(error, signal);
      }
      await env.sleep(waitMs * (1 + env.random() / 2), signal).catch(() => {});
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
  };
}

/** A server that is away, stopping or busy will be back; one that says no will say it again. */
function throwUnlessPassing(error: unknown, signal: AbortSignal): void {
  if (signal.aborted) return;
  if (error instanceof SyntaxError) throw error; // An event that is no JSON: it would come again and again.
  if (!(error instanceof ApiError)) return; // The connection broke.
  if (error.status !== 0 && error.status !== 429 && error.status < 500) throw error;
}

async function* readStream(
  options: ApiOptions,
  route: AnyRoute,
  { params, query }: LooseInput,
  after: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<{ seq: number; data: unknown }> {
  const headers: Record<string, string> = { ...options.headers, accept: "text/event-stream" };
  if (after !== undefined) headers["last-event-id"] = String(after);
  const url = `${options.baseUrl}${pathOf(route, params)}${queryOf(query)}`;
  const response = await options.fetch(url, { headers, signal });
  if (!response.ok || !response.body) throw toApiError(response, await readJson(response));
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { id, data } of events) yield { seq: Number(id), data: JSON.parse(data) as unknown };
}

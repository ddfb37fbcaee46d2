// One client's stream of server-sent events: what it missed, then what comes. It ends cleanly on shutdown, after five
// minutes (the browser comes back by itself), when the client is too slow, and when its user may no longer look.
// A chunk is made only when the client takes one, so nothing piles up for a client that does not.

import { AppError } from "../../lib/app-error.ts";
import type { Env } from "../../lib/env.ts";
import { chunksOf, type Live, nextBeat, ring } from "./chunks.ts";
import { type Followed, followMany, followOne, type ManyRequest, type SingleRequest } from "./followed.ts";
import type { Hub } from "./hub.ts";

export type StreamLimits = {
  /** Proxies cut a silent connection after 30 s or more. */
  readonly heartbeatMs: number;
  readonly maxAgeMs: number;
  /** A client that takes nothing for this long is dropped; it can come back and catch up. */
  readonly slowClientMs: number;
  readonly perUser: number;
};

export const defaultStreamLimits: StreamLimits = {
  heartbeatMs: 15_000,
  maxAgeMs: 5 * 60_000,
  slowClientMs: 30_000,
  perUser: 20,
};

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

export type Streams = ReturnType<typeof createStreams>;

/** One timer serves all streams (`sweep`), so that a client costs little while nothing happens. */
export function createStreams(hub: Hub, env: Env, limits: StreamLimits = defaultStreamLimits) {
  const perUser = new Map<string, number>();
  const live = new Set<Live>();
  const closing = new AbortController();
  let isSweeping = false;

  function enter(userId: string): void {
    const count = perUser.get(userId) ?? 0;
    if (count >= limits.perUser)
      throw new AppError("too_many_streams", `At most ${limits.perUser} live streams at once; close another page`);
    perUser.set(userId, count + 1);
  }

  function leave(one: Live): void {
    if (!live.delete(one)) return;
    const { userId } = one;
    const left = (perUser.get(userId) ?? 1) - 1;
    if (left === 0) perUser.delete(userId);
    else perUser.set(userId, left);
    one.isEnded = true;
    ring(one);
  }

  /** Wakes streams that have to beat and drops clients that stopped taking. Runs while there are streams. */
  async function sweep(): Promise<void> {
    if (isSweeping) return;
    isSweeping = true;
    while (live.size > 0 && !closing.signal.aborted) {
      await env.sleep(Math.min(limits.heartbeatMs, limits.slowClientMs) / 4, closing.signal).catch(() => {});
      for (const one of live) lookAfter(one, env.now());
    }
    isSweeping = false;
  }

  function lookAfter(one: Live, now: number): void {
    if (one.offeredAt !== null && one.offeredAt < now - limits.slowClientMs) {
      one.cut(new Error("the client takes nothing"));
      leave(one);
    } else if (one.beatAt <= now) ring(one);
  }

  function open(userId: string, followed: Followed): Response {
    if (closing.signal.aborted) throw new AppError("shutting_down", "The server is stopping");
    enter(userId);
    const beatAt = nextBeat(env, limits);
    const bell = Promise.withResolvers<void>();
    const one: Live = { userId, offeredAt: null, beatAt, isEnded: false, bell, cut: () => {} };
    live.add(one);
    void sweep();
    const chunks = chunksOf({ hub, env, pace: limits }, one, followed);
    return new Response(
      bodyOf(one, chunks, () => leave(one), env),
      { headers },
    );
  }

  return {
    /** One topic. */
    answer: (request: SingleRequest & { readonly userId: string }) => open(request.userId, followOne(request)),
    /** Several, as one stream; for the limits it is one. */
    answerMany: (request: ManyRequest & { readonly userId: string }) => open(request.userId, followMany(request)),
    openCount: () => live.size,
    recheck: (userId: string) => beatNow(live, userId),
    /** Ends every stream in good order. */
    close: () => {
      closing.abort();
      for (const one of live) leave(one);
    },
  };
}

/** The user may have lost what admitted them: each of their streams looks at once instead of with its next heartbeat. */
function beatNow(live: ReadonlySet<Live>, userId: string): void {
  for (const one of live)
    if (one.userId === userId) {
      one.beatAt = 0;
      ring(one);
    }
}

/** The chunks as the body of an answer: one is asked for when the client has taken the one before. */
function bodyOf(
  one: Live,
  chunks: AsyncGenerator<Uint8Array, undefined>,
  leave: () => void,
  env: Env,
): ReadableStream<Uint8Array> {
  const finish = () => {
    leave();
    void chunks.return(undefined); // Also where it waits for a client that will take no more.
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        one.cut = (why) => {
          controller.error(why);
          finish();
        };
      },
      pull: async (controller) => {
        one.offeredAt = null;
        const { value, done } = await chunks.next().catch((thrown: unknown) => {
          finish(); // A stream that cannot be read frees its place; the client reconnects.
          throw thrown;
        });
        if (done || value === undefined) {
          finish();
          controller.close();
          return;
        }
        controller.enqueue(value);
        one.offeredAt = env.now();
      },
      cancel: finish,
    },
    { highWaterMark: 1 },
  );
}

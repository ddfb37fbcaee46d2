// One client's stream of server-sent events: what it missed, then what comes. It ends cleanly on shutdown, after five
// minutes (the browser comes back by itself), when the client is too slow, and when its user may no longer look.
// A chunk is made only when the client takes one, so nothing piles up for a client that does not.

import { AppError } from "../../lib/app-error.ts";
import type { Env } from "../../lib/env.ts";
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

export type StreamRequest = {
  readonly userId: string;
  readonly topic: string;
  /** The last event the client has; the number before the first it wants. */
  readonly after: number;
  readonly stillAdmitted: () => Promise<boolean>;
};

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** A stream that is open: when it last offered a chunk that nobody took yet, and how to end it. */
type Live = { offeredAt: number | null; readonly end: AbortController };

export type Streams = ReturnType<typeof createStreams>;

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

  function leave(userId: string): void {
    const left = (perUser.get(userId) ?? 1) - 1;
    if (left === 0) perUser.delete(userId);
    else perUser.set(userId, left);
  }

  /** Drops clients that stopped taking what is offered. Runs while there are streams. */
  async function sweep(): Promise<void> {
    if (isSweeping) return;
    isSweeping = true;
    while (live.size > 0 && !closing.signal.aborted) {
      await env.sleep(limits.slowClientMs / 10, closing.signal).catch(() => {});
      const tooOld = env.now() - limits.slowClientMs;
      for (const one of live) if (one.offeredAt !== null && one.offeredAt < tooOld) one.end.abort();
    }
    isSweeping = false;
  }

  function answer(request: StreamRequest): Response {
    if (closing.signal.aborted) throw new AppError("shutting_down", "The server is stopping");
    enter(request.userId);
    const one: Live = { offeredAt: null, end: new AbortController() };
    live.add(one);
    void sweep();
    const chunks = chunksOf(hub, env, limits, request, one.end.signal);
    const finish = () => {
      if (!live.delete(one)) return;
      leave(request.userId);
      one.end.abort();
      void chunks.return(undefined); // Also where it waits for a client that will take no more.
    };
    return new Response(bodyOf(one, chunks, finish, env), { headers });
  }

  return {
    answer,
    openCount: () => live.size,
    /** Ends every stream in good order. */
    close: () => {
      closing.abort();
      for (const one of live) {
        one.offeredAt = null; // A clean end, not an error.
        one.end.abort();
      }
    },
  };
}

/** The chunks as the body of an answer: one is asked for when the client has taken the one before. */
function bodyOf(
  one: Live,
  chunks: AsyncGenerator<Uint8Array, undefined>,
  finish: () => void,
  env: Env,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        one.end.signal.addEventListener("abort", () => {
          if (one.offeredAt !== null) controller.error(new Error("the client takes nothing"));
          finish();
        });
      },
      pull: async (controller) => {
        one.offeredAt = null;
        const { value, done } = await chunks.next();
        if (done || value === undefined) {
          finish();
          controller.close();
          return;
        }
        controller.enqueue(value);
        one.offeredAt = env.now();
      },
      cancel: () => {
        one.offeredAt = null;
        finish();
      },
    },
    { highWaterMark: 1 },
  );
}

/** Everything that goes to one client, in order. Ends when the stream should. */
async function* chunksOf(
  hub: Hub,
  env: Env,
  limits: StreamLimits,
  request: StreamRequest,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, undefined> {
  const encoder = new TextEncoder();
  const subscription = hub.subscribe(request.topic);
  const endAt = env.now() + limits.maxAgeMs * (0.8 + env.random() * 0.2); // Not all clients at the same moment.
  let seq = request.after;
  let beatAt = env.now() + limits.heartbeatMs;
  try {
    // Browsers wait this long before they come back, stretched so that they do not all come at once.
    yield encoder.encode(`retry: ${1_000 + Math.floor(env.random() * 2_000)}\n\n`);
    while (!signal.aborted && env.now() < endAt) {
      const woken = subscription.woken(); // Before reading: what is written in between wakes us again.
      const events = await subscription.next(seq);
      if (signal.aborted) return;
      const last = events.at(-1);
      if (last) {
        seq = last.seq;
        yield joined(events.map((event) => event.bytes));
      }
      if (env.now() >= beatAt) {
        if (!(await request.stillAdmitted())) return;
        beatAt = env.now() + limits.heartbeatMs;
        yield encoder.encode(": alive\n\n");
      }
      if (!last) await wakeOrTime(env, woken, beatAt - env.now(), signal);
    }
  } finally {
    subscription.close();
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

async function wakeOrTime(env: Env, woken: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const time = env.sleep(Math.max(0, ms), AbortSignal.any([signal, done.signal])).catch(() => {});
  await Promise.race([woken, time]);
  done.abort();
}

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

/** A stream that is open. One timer serves them all (`sweep`), so that a client costs little while nothing happens. */
type Live = {
  readonly request: StreamRequest;
  /** When a chunk was offered that nobody has taken yet. */
  offeredAt: number | null;
  beatAt: number;
  isEnded: boolean;
  /** Rung when the stream has to look around: time to beat, or to end. */
  bell: PromiseWithResolvers<void>;
  /** Cuts the connection instead of ending it. */
  cut: (why: Error) => void;
};

function ring(one: Live): void {
  const rung = one.bell;
  one.bell = Promise.withResolvers();
  rung.resolve();
}

export type Streams = ReturnType<typeof createStreams>;

export function createStreams(hub: Hub, env: Env, limits: StreamLimits = defaultStreamLimits) {
  const perUser = new Map<string, number>();
  const live = new Set<Live>();
  const closing = new AbortController();
  let isSweeping = false;

  function enter({ userId }: StreamRequest): void {
    const count = perUser.get(userId) ?? 0;
    if (count >= limits.perUser)
      throw new AppError("too_many_streams", `At most ${limits.perUser} live streams at once; close another page`);
    perUser.set(userId, count + 1);
  }

  function leave(one: Live): void {
    if (!live.delete(one)) return;
    const { userId } = one.request;
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

  function answer(request: StreamRequest): Response {
    if (closing.signal.aborted) throw new AppError("shutting_down", "The server is stopping");
    enter(request);
    const beatAt = nextBeat(env, limits);
    const bell = Promise.withResolvers<void>();
    const one: Live = { request, offeredAt: null, beatAt, isEnded: false, bell, cut: () => {} };
    live.add(one);
    void sweep();
    return new Response(
      bodyOf(one, chunksOf(hub, env, limits, one), () => leave(one), env),
      { headers },
    );
  }

  return {
    answer,
    openCount: () => live.size,
    /** Ends every stream in good order. */
    close: () => {
      closing.abort();
      for (const one of live) leave(one);
    },
  };
}

/** Not all at once: a thousand clients that came together would be looked up together, again and again. */
const nextBeat = (env: Env, { heartbeatMs }: StreamLimits): number =>
  env.now() + heartbeatMs * (0.5 + env.random() / 2);

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
          finish(); // Whoever could not be read to leaves its place; a client comes back.
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

/** Everything that goes to one client, in order. Ends when the stream should. */
async function* chunksOf(hub: Hub, env: Env, limits: StreamLimits, one: Live): AsyncGenerator<Uint8Array, undefined> {
  const encoder = new TextEncoder();
  const { topic, after, stillAdmitted } = one.request;
  const subscription = hub.subscribe(topic);
  const endAt = env.now() + limits.maxAgeMs * (0.8 + env.random() * 0.2); // Not all clients at the same moment.
  let seq = after;
  try {
    // Browsers wait this long before they come back, stretched so that they do not all come at once.
    yield encoder.encode(`retry: ${1_000 + Math.floor(env.random() * 2_000)}\n\n`);
    while (!one.isEnded && env.now() < endAt) {
      // Before reading: what happens in between wakes us again.
      const woken = [subscription.woken(), one.bell.promise];
      const isTimeToBeat = env.now() >= one.beatAt;
      // With every beat the database is asked: notifications follow the commit, and whoever sends them may have died.
      const events = await subscription.next(seq, isTimeToBeat);
      if (one.isEnded) return;
      const last = events.at(-1);
      if (last) {
        seq = last.seq;
        yield joined(events.map((event) => event.bytes));
      }
      if (isTimeToBeat) {
        if (!(await stillAdmitted())) return;
        one.beatAt = nextBeat(env, limits);
        yield encoder.encode(": alive\n\n");
      }
      if (!last) await Promise.race(woken);
    }
  } finally {
    subscription.close();
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

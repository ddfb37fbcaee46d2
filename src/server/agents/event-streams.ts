// Server-sent events out of files: one is read when the client takes one, so nothing piles up for a client that does not. A stream ends
// after some minutes, at shutdown, and when its caller may no longer look; the browser comes back with the cursor it has.

import type { Context } from "hono";
import { AppError } from "../../lib/app-error.ts";
import type { Env } from "../../lib/env.ts";
import type { DeskEvent, DeskEvents } from "./agent-desk.ts";

export type EventStreams = ReturnType<typeof createEventStreams>;

export type EventRequest = {
  /** Whose streams are counted together. */
  readonly caller: string;
  readonly open: (cursor: string | null, signal: AbortSignal) => DeskEvents;
  readonly stillAdmitted: () => Promise<boolean>;
};

/** Proxies cut a silent connection after 30 s or more. */
const beatMs = 15_000;
const maxAgeMs = 5 * 60_000;
const perCallerMax = 20;
const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
const cursorMax = 1_000;

export function createEventStreams(env: Env) {
  const closing = new AbortController();
  const open = new Map<string, number>();
  const ends = new Map<() => void, string>();
  const enter = (caller: string) => {
    const count = open.get(caller) ?? 0;
    if (count >= perCallerMax)
      throw new AppError("too_many_streams", `At most ${perCallerMax} live streams at once; close another page`);
    open.set(caller, count + 1);
  };
  const leave = (caller: string) => {
    const left = (open.get(caller) ?? 1) - 1;
    if (left === 0) open.delete(caller);
    else open.set(caller, left);
  };
  return {
    close: () => closing.abort(),
    /** The caller may have lost what admitted them: their streams end, and one who is still admitted comes back. */
    recheck: (caller: string) => {
      for (const [end, of] of ends) if (of === caller) end();
    },
    openCount: () => [...open.values()].reduce((sum, count) => sum + count, 0),
    answer: async (c: Context, request: EventRequest): Promise<Response> => {
      if (closing.signal.aborted) throw new AppError("shutting_down", "The server is stopping");
      enter(request.caller);
      const gone = new AbortController();
      const signal = AbortSignal.any([gone.signal, closing.signal]);
      let isLeft = false;
      const end = () => {
        gone.abort();
        if (!isLeft) leave(request.caller);
        isLeft = true;
        ends.delete(end);
      };
      ends.set(end, request.caller);
      try {
        const cursor = c.req.header("last-event-id")?.slice(0, cursorMax) || null;
        const events = request.open(cursor, signal);
        // What cannot be followed is refused here, while there is still a status to say so with.
        const first = events.next();
        await Promise.race([first, new Promise<void>((resolve) => setImmediate(resolve))]);
        return new Response(bodyOf(chunks(env, first, events, request, signal), end), { headers });
      } catch (thrown) {
        end();
        throw thrown;
      }
    },
  };
}

const encoder = new TextEncoder();

async function* chunks(
  env: Env,
  first: Promise<IteratorResult<DeskEvent, unknown>>,
  events: DeskEvents,
  { stillAdmitted }: EventRequest,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const until = env.now() + maxAgeMs;
  let next = first;
  try {
    yield encoder.encode("retry: 1000\n\n");
    while (!signal.aborted && env.now() < until) {
      const beat = new AbortController();
      const pause = env.sleep(beatMs, AbortSignal.any([beat.signal, signal])).then(
        () => "beat" as const,
        () => "beat" as const,
      );
      const got = await Promise.race([next, pause]);
      beat.abort();
      if (signal.aborted) return;
      if (got === "beat") {
        if (!(await stillAdmitted())) return;
        yield encoder.encode(": alive\n\n");
        continue;
      }
      if (got.done) return;
      yield encoder.encode(format(got.value));
      next = events.next();
    }
  } finally {
    next.catch(() => {});
    void events.return(undefined).catch(() => {});
  }
}

function format({ name, data, id }: DeskEvent): string {
  return `event: ${name}\n${id === null ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function bodyOf(parts: AsyncGenerator<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { value, done } = await parts.next().catch((thrown: unknown) => {
          end();
          throw thrown;
        });
        if (!done && value !== undefined) return controller.enqueue(value);
        end();
        controller.close();
      },
      cancel: () => {
        end();
        void parts.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
}

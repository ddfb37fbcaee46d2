// The body of a request, up to what its route takes, in bounded memory: all bodies under way together have a limit too. A sender that stops
// in the middle is not waited for.

import type { Context, MiddlewareHandler } from "hono";
import { AppError } from "../lib/app-error.ts";

export type BodyLimits = {
  /** Of all bodies that are being read at the same time. */
  readonly bytesInAll: number;
  /** How long a body may stand still. */
  readonly stallMs: number;
};

/** Seven of the largest bodies at once; a slow line still sends something every ten seconds. */
export const defaultBodyLimits: BodyLimits = { bytesInAll: 64 * 1024 * 1024, stallMs: 10_000 };

type Bodies = BodyLimits & { held: number };

const bodiesKey = "bodies";

export function boundBodies(limits: BodyLimits): MiddlewareHandler {
  const bodies: Bodies = { ...limits, held: 0 };
  return async (c, next) => {
    c.set(bodiesKey, bodies);
    await next();
  };
}

export async function readBody(c: Context, bytesMax: number): Promise<Uint8Array> {
  if (Number(c.req.header("content-length") ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const reader = c.req.raw.body?.getReader();
  if (!reader) return new Uint8Array();
  const bodies: Bodies = c.get(bodiesKey) ?? { ...defaultBodyLimits, held: 0 };
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), bodies.stallMs);
      if (done) return Buffer.concat(chunks);
      size += value.byteLength;
      bodies.held += value.byteLength;
      if (size > bytesMax) throw tooLarge(bytesMax);
      if (bodies.held > bodies.bytesInAll) throw new AppError("busy", "Too much is being sent at once; try again");
      chunks.push(value);
    }
  } catch (thrown) {
    void reader.cancel().catch(() => {});
    throw thrown instanceof AppError ? thrown : new AppError("body_cut_off", "The body broke off", { cause: thrown });
  } finally {
    bodies.held -= size;
  }
}

const tooLarge = (bytesMax: number) => new AppError("too_large", `The body may have ${bytesMax} bytes at most here`);

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError("body_late", "The rest of the body did not come in time")), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

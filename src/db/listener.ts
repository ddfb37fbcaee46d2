// One connection that listens for NOTIFY and comes back by itself. After every (re)connection `onConnected` is called:
// what was said while the connection was down is lost, so subscribers look at the tables again.

import pg from "pg";
import type { Env } from "../lib/env.ts";
import type { Logger } from "../lib/logger.ts";

export type ListenerOptions = {
  /** Asked before every try: the server may have moved. */
  readonly config: () => pg.ClientConfig;
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  readonly onConnected: () => void;
  readonly env: Env;
  readonly logger: Logger;
};

/** Seconds between tries double up to here; each is stretched by up to half, so that many processes spread out. */
const longestWaitMs = 5_000;

export function startListener(options: ListenerOptions): { readonly close: () => Promise<void> } {
  const stop = new AbortController();
  const running = keepListening(options, stop.signal);
  return {
    close: async () => {
      stop.abort();
      await running;
    },
  };
}

async function keepListening(options: ListenerOptions, signal: AbortSignal): Promise<void> {
  let waitMs = 100;
  while (!signal.aborted) {
    try {
      await listenOnce(options, signal, () => {
        waitMs = 100;
      });
    } catch (error) {
      options.logger.warn({ error, channel: options.channel }, "lost the listening connection; trying again");
    }
    if (signal.aborted) return;
    await options.env.sleep(waitMs * (1 + options.env.random() / 2), signal).catch(() => {});
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

/** Resolves when the signal is aborted, rejects when the connection breaks. */
async function listenOnce(options: ListenerOptions, signal: AbortSignal, connected: () => void): Promise<void> {
  const client = new pg.Client(options.config());
  const ended = new Promise<void>((resolve, reject) => {
    client.on("error", reject);
    client.on("end", () => reject(new Error("connection ended")));
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  ended.catch(() => {}); // Awaited below; a break during connect is reported by connect itself.
  try {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(options.channel)}`);
    client.on("notification", ({ payload }) => options.onPayload(payload ?? ""));
    connected();
    options.onConnected();
    await ended;
  } finally {
    await client.end().catch(() => {});
  }
}

// Puts what a protocol has written on the wire: whole, or as a stream that may be slow, silent or torn. Only tests import it.

import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { LabEvent, LabFault, LabHang } from "./lab-protocol.ts";

export function sendBody(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: LabFault["headers"] = {},
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}

export type Trouble = {
  readonly cut: number | undefined;
  readonly cutAtByte: number | undefined;
  readonly slowMs: number;
  readonly hang: LabHang | null;
};

export async function sendStream(
  response: ServerResponse,
  events: readonly LabEvent[],
  { cut, cutAtByte = Number.POSITIVE_INFINITY, slowMs, hang }: Trouble,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.flushHeaders();
  let sent = 0;
  for (const [at, event] of events.entries()) {
    const silenceMs = slowMs + (event.pauseMs ?? 0);
    if (silenceMs > 0) await sleep(silenceMs);
    if (response.destroyed) return;
    if (at === hang?.at) return stayOpen(response, hang.keepAlive ?? null);
    if (at === cut) return tear(response);
    const bytes = Buffer.from(writeEvent(event));
    response.write(bytes.subarray(0, cutAtByte - sent));
    sent += bytes.length;
    if (sent > cutAtByte) return tear(response);
  }
  response.end();
}

const keepAliveMs = 15;

/** Until the other side leaves. */
async function stayOpen(response: ServerResponse, keepAlive: string | null): Promise<void> {
  while (keepAlive !== null && !response.destroyed) {
    response.write(keepAlive);
    await sleep(keepAliveMs);
  }
}

const writeEvent = ({ event, data }: LabEvent): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

/** What was sent before the cut shall be there: a torn connection may swallow the last packet. */
async function tear(response: ServerResponse): Promise<void> {
  await sleep(20);
  response.destroy();
}

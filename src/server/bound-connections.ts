// How many connections a server has, in all and of one address, and how long it waits on each. A connection too many is told so and closed. A
// last share is kept for signing in and for health checks: an admin has to get in while others fill the server.

import type { Server, ServerOptions } from "node:http";
import type { Socket } from "node:net";
import { type ErrorCode, errorCodes } from "../lib/app-error.ts";
import { routes } from "../protocol/api.ts";

export type ConnectionLimits = { readonly inAll: number; readonly perAddress: number };

/** Where no setting says otherwise; `max_connections` and `max_connections_per_address` begin with them. */
export const usualConnectionLimits: ConnectionLimits = { inAll: 5_000, perAddress: 1_500 };

/** Kept free beyond `inAll`, for what `isReserved` names. */
const reserve = 50;

/** An honest client sends headers at once and a document of nine megabytes within a minute, also over a slow line. */
export const connectionTimes = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  /** Between two requests, as clients are told. */
  keepAliveTimeout: 10_000,
  /** Beyond that, so that a client that keeps to it late finds its connection open. */
  keepAliveTimeoutBuffer: 5_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
} as const satisfies ServerOptions;

/** Without a byte in either direction. Live streams send one every 15 seconds; the test of a model may take a minute or two. */
const silentMs = 180_000;

export type BoundConnections = {
  /** Only what is reserved is answered now. */
  readonly isFull: () => boolean;
};

export function boundConnections(server: Server, limits: ConnectionLimits): BoundConnections {
  const byAddress = new Map<string, number>();
  let open = 0;
  server.timeout = silentMs;
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "unknown";
    const ofAddress = (byAddress.get(address) ?? 0) + 1;
    if (open >= limits.inAll + reserve) return turnAway(socket, "busy", "This server has too many connections");
    if (ofAddress > limits.perAddress)
      return turnAway(socket, "rate_limited", "There are too many connections from your address");
    open += 1;
    byAddress.set(address, ofAddress);
    socket.once("close", () => {
      open -= 1;
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left === 0) byAddress.delete(address);
      else byAddress.set(address, left);
    });
  });
  return { isFull: () => open > limits.inAll };
}

/** How long a client that was turned away may take to hear it. */
const goodbyeMs = 1_000;

function turnAway(socket: Socket, code: ErrorCode, message: string): void {
  const body = JSON.stringify({ error: { code, message: `${message}; try again in a moment`, details: {} } });
  const { http } = errorCodes[code];
  socket.on("error", () => {}); // it may be gone already
  socket.end(
    `HTTP/1.1 ${http} ${http === 429 ? "Too Many Requests" : "Service Unavailable"}\r\nRetry-After: 2\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), goodbyeMs).unref();
}

const { instance, identity } = routes;
const reserved: readonly string[] = [instance.live, instance.ready, instance.info, identity.signIn].map(
  ({ path }) => path,
);

/** What is answered even where the server is full. */
export const isReserved = (path: string): boolean => reserved.includes(path);

export const fullAnswer = (): Response =>
  Response.json(
    { error: { code: "busy", message: "This server has too many connections; try again in a moment", details: {} } },
    { status: errorCodes.busy.http, headers: { "retry-after": "2", connection: "close" } },
  );

// The port of a server: bound in connections and in time, taken before there is anything to answer with.

import type { Server, ServerOptions } from "node:http";
import { serve as listen } from "@hono/node-server";
import { AppError } from "../lib/app-error.ts";
import {
  type BoundConnections,
  boundConnections,
  type ConnectionLimits,
  connectionTimes,
  fullAnswer,
  isReserved,
} from "../server/bound-connections.ts";
import { closeIfUnread } from "../server/close-unread.ts";
import { type Exchange, queueByConnection } from "../server/one-at-a-time.ts";
import type { Config } from "./config-schema.ts";
import type { Installation } from "./installation.ts";
import { originOf } from "./origin.ts";

export type PortSettings = Pick<
  Config,
  "host" | "port" | "public_url" | "max_connections" | "max_connections_per_address"
>;

/** A connection that was closed before its request had its turn gets this and never sees it. */
const goneStatus = 499;

/** Also for `run-agent serve`: the same limits for whatever is answered. */
export function listenBounded(
  { host, port }: Pick<PortSettings, "host" | "port">,
  limits: ConnectionLimits,
  handler: Handler,
  times: ServerOptions = connectionTimes,
): Promise<Server> {
  let bound: BoundConnections | null = null;
  const takeTurn = queueByConnection();
  return new Promise((resolve, reject) => {
    const fetch = async (request: Request, env: unknown) => {
      if (!(await takeTurn(env as Exchange))) return new Response(null, { status: goneStatus });
      if (bound?.isFull() && !isReserved(new URL(request.url).pathname)) return fullAnswer();
      const answer = await handler(request, env);
      await closeIfUnread(env as Exchange, answer.status);
      return answer;
    };
    const made = listen({ fetch, hostname: host, port, serverOptions: times }, () => resolve(made as Server));
    bound = boundConnections(made as Server, limits);
    made.once("error", reject);
  });
}

type Handler = (request: Request, env: unknown) => Response | Promise<Response>;

export type OpenPort = { server: Server; origin: string; port: number; route: (to: Installation) => void };

/** Takes the port first, so that a taken one is said before a database is started; answers 503 until there is an app. */
export async function openPort(config: PortSettings, times: ServerOptions = connectionTimes): Promise<OpenPort> {
  let handler: Handler = () => new Response("starting", { status: 503, headers: { "retry-after": "1" } });
  const limits = { inAll: config.max_connections, perAddress: config.max_connections_per_address };
  const server = await listenBounded(config, limits, (request, env) => handler(request, env), times).catch(
    (cause: NodeJS.ErrnoException) => {
      throw portError(config, cause);
    },
  );
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : config.port;
  const origin = originOf(config, port);
  const route = ({ app }: Installation) => {
    handler = async (request, env) => app.fetch(request, env as object);
  };
  return { server, origin, port, route };
}

function portError({ host, port }: PortSettings, cause: NodeJS.ErrnoException): AppError {
  if (cause.code === "EADDRINUSE")
    return new AppError(
      "already_exists",
      `Port ${port} of ${host} is taken by another program: choose one with --port`,
      { cause },
    );
  if (cause.code === "EACCES")
    return new AppError(
      "forbidden",
      `Port ${port} of ${host} may not be used by this user: choose one above 1023 with --port`,
      { cause },
    );
  return new AppError("config_invalid", `Cannot listen on ${host}:${port} (${cause.code ?? cause.message})`, { cause });
}

// The port of a server: bound in connections and in time, taken before there is anything to answer with.

import type { Server, ServerOptions } from "node:http";
import { serve as listen } from "@hono/node-server";
import { AppError } from "../lib/app-error.ts";
import {
  type BoundConnections,
  boundConnections,
  connectionTimes,
  fullAnswer,
  isReserved,
} from "../server/bound-connections.ts";
import type { Config } from "./config-schema.ts";
import type { Installation } from "./installation.ts";
import { originOf } from "./origin.ts";

export type PortSettings = Pick<
  Config,
  "host" | "port" | "public_url" | "max_connections" | "max_connections_per_address"
>;

type Handler = (request: Request, env: unknown) => Response | Promise<Response>;

export type OpenPort = { server: Server; origin: string; port: number; route: (to: Installation) => void };

/** Takes the port first, so that a taken one is said before a database is started; answers 503 until there is an app. */
export async function openPort(config: PortSettings, times: ServerOptions = connectionTimes): Promise<OpenPort> {
  let handler: Handler = () => new Response("starting", { status: 503, headers: { "retry-after": "1" } });
  let bound: BoundConnections | null = null;
  const server = await new Promise<Server>((resolve, reject) => {
    const fetch = (request: Request, env: unknown) =>
      bound?.isFull() && !isReserved(new URL(request.url).pathname) ? fullAnswer() : handler(request, env);
    const address = { hostname: config.host, port: config.port };
    const made = listen({ fetch, ...address, serverOptions: times }, () => resolve(made as Server));
    bound = boundConnections(made as Server, {
      inAll: config.max_connections,
      perAddress: config.max_connections_per_address,
    });
    made.once("error", (cause: NodeJS.ErrnoException) => reject(portError(config, cause)));
  });
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

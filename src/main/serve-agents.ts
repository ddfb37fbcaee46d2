// `run-agent serve`: the pages of one root folder on a port. It works on nothing itself: tasks that are started from a page are processes
// of their own, and go on when this one ends.

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import os from "node:os";
import type { AgentsServeOptions } from "../cli/agents/ports.ts";
import { AppError } from "../lib/app-error.ts";
import { silentLogger } from "../lib/logger.ts";
import { createAgentsApp } from "../server/agents/agents-app.ts";
import { usualConnectionLimits } from "../server/bound-connections.ts";
import { realEnv } from "./env.ts";
import { openAgentDesk } from "./open-desk.ts";
import { listenBounded } from "./open-port.ts";
import { builtPages } from "./ports-web.ts";
import { runAgentCommand, type TaskProgram } from "./start-task-program.ts";

/** Requests in flight get this long. */
const drainMs = 2_000;

export type ServeAgentsOptions = AgentsServeOptions & {
  /** What starts a task; `run-agent` itself unless a test says so. */
  readonly program?: TaskProgram;
  readonly webDir?: string | null;
};

export async function serveAgents(options: ServeAgentsOptions): Promise<void> {
  const { root, host, signal } = options;
  const isLocal = isLoopback(host);
  const token = isLocal && !options.needsToken ? null : randomBytes(24).toString("base64url");
  let handler = async (_request: Request, _env: object): Promise<Response> => new Response("starting", { status: 503 });
  const server = await openPort(options, (request, env) => handler(request, env as object));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  const origin = `http://${nameOf(host)}:${port}`;
  const desk = openAgentDesk({
    root,
    logger: silentLogger,
    program: options.program ?? { command: withConfig(options.configFile), environment: process.env },
    actor: os.userInfo().username,
    agentNames: options.agentNames,
  });
  const webDir = options.webDir === undefined ? builtPages() : options.webDir;
  const allowedHosts = [...ownNames(host), ...options.allowedHosts];
  const app = createAgentsApp({ desk, env: realEnv, logger: silentLogger, allowedHosts, origin, token, webDir });
  handler = async (request, env) => app.fetch(request, env);
  options.onListening({ url: token === null ? origin : `${origin}/?token=${token}`, root: root.folder, token });
  if (!signal.aborted) await once(signal, "abort");
  app.streams.close();
  await drain(server);
}

const withConfig = (file: string | null): TaskProgram["command"] => {
  const [program, ...args] = runAgentCommand;
  return file === null ? runAgentCommand : [program, ...args, `--config=${file}`];
};

async function openPort(
  { host, port }: AgentsServeOptions,
  fetch: (request: Request, env: unknown) => Promise<Response>,
): Promise<Server> {
  return listenBounded({ host, port }, usualConnectionLimits, fetch).catch((cause: NodeJS.ErrnoException) => {
    const why =
      cause.code === "EADDRINUSE"
        ? `Port ${port} of ${host} is taken by another program: choose one with --port.`
        : `Cannot listen on ${host}:${port} (${cause.code ?? cause.message}).`;
    throw new AppError(cause.code === "EADDRINUSE" ? "already_exists" : "config_invalid", why, { cause });
  });
}

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127\.[\d.]+$/.test(host);

const isAny = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** In an address; an IPv6 address stands in brackets, and every address is reached as the machine itself. */
const nameOf = (host: string): string => (isAny(host) ? os.hostname() : host.includes(":") ? `[${host}]` : host);

/** Names of this machine; a page of another name that points here (DNS rebinding) is refused. */
function ownNames(host: string): readonly string[] {
  const local = ["localhost", "127.0.0.1", "[::1]", nameOf(host)];
  if (!isAny(host)) return local;
  const addresses = Object.values(os.networkInterfaces()).flatMap((each) => each ?? []);
  return [...local, ...addresses.map(({ address }) => (address.includes(":") ? `[${address}]` : address))];
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, realEnv.sleep(drainMs)]);
  server.closeAllConnections();
}

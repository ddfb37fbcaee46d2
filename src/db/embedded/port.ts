// Chooses the port of the embedded server: the one of last time while it is free, else a new one.

import net from "node:net";
import type { Env } from "../../lib/env.ts";

/** Below the range that systems hand out for outgoing connections, so that none of them takes ours while it is stopped. */
const lowest = 20_000;
const highest = 32_000;
const triesMax = 50;

export async function choosePort(remembered: number | null, env: Env): Promise<number> {
  if (remembered !== null && (await isFree(remembered))) return remembered;
  for (let tries = 0; tries < triesMax; tries++) {
    const port = lowest + Math.floor(env.random() * (highest - lowest));
    if (port !== remembered && (await isFree(port))) return port;
  }
  return anyFreePort();
}

async function isFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== undefined;
}

async function anyFreePort(): Promise<number> {
  const port = await listenOnce(0);
  if (port === undefined) throw new Error("no free port on 127.0.0.1");
  return port;
}

/** The port it could listen on, or undefined when it is taken. */
function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      const address = server.address();
      const taken = typeof address === "object" && address ? address.port : undefined;
      server.close(() => resolve(taken));
    });
  });
}

// A web server on this machine that counts who comes: for pages that may be read, and for connections that must not be made.

import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Dial } from "../../src/tools/web/dial.ts";
import type { PageReader } from "../../src/tools/web/readable-page.ts";

export type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

export type WebCanary = {
  readonly port: number;
  /** Connections so far, whether or not anything was asked over them. */
  readonly connections: () => number;
  /** `Host` and path of each request so far. */
  readonly requests: readonly string[];
  /** The address of a page of it, by whatever name. */
  readonly url: (path: string, host?: string) => string;
  readonly close: () => Promise<void>;
};

export async function startCanary(answer: Answer): Promise<WebCanary> {
  let connections = 0;
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    answer(request, response);
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connections: () => connections,
    requests,
    url: (path, host = "page.example") => `http://${host}:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Every name leads to this machine, and only that port of it may be connected to. */
export function dialOnly(port: number): Dial {
  return {
    resolve: async () => ["127.0.0.1"],
    mayReach: (address, toPort) => address === "127.0.0.1" && toPort === port,
  };
}

/** For tests whose pages are plain texts. */
export const noReader: Pick<PageReader, "read"> = {
  read: async () => {
    throw new Error("no page of this test is HTML");
  },
};

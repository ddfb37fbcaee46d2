// A way to a server that can be cut: every connection through it is torn down, and none is let through until it is mended.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export type Cuttable = {
  readonly url: string;
  readonly cut: () => void;
  readonly mend: () => void;
  /** How often something was sent to the server. */
  readonly sent: () => number;
};

/** Gone with the test. */
export async function cuttable(serverUrl: string): Promise<Cuttable> {
  const to = Number(new URL(serverUrl).port);
  const open = new Set<Socket>();
  let isCut = false;
  let sent = 0;
  const keep = (socket: Socket) => {
    open.add(socket);
    // Torn down on purpose.
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
  };
  const server = createServer((socket) => {
    keep(socket);
    if (isCut) return void socket.destroy();
    const beyond = connect(to, "127.0.0.1");
    keep(beyond);
    socket.on("data", () => {
      sent += 1;
    });
    socket.pipe(beyond).pipe(socket);
    socket.on("close", () => beyond.destroy());
    beyond.on("close", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const tearDown = () => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(async () => {
    tearDown();
    server.close();
    await once(server, "close");
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true;
      tearDown();
    },
    mend: () => {
      isCut = false;
    },
    sent: () => sent,
  };
}

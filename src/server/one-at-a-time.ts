// Requests that are sent on one connection before the answers to earlier ones are taken (pipelining) wait: else a client that reads nothing could
// have any number of answers made and kept for it. Browsers and usual programs never do this.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export type Exchange = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse };

/** Requests on one connection that may wait; with one more, it is closed. */
const waitingMax = 16;

type Line = { last: Promise<void>; waiting: number };

/** Resolves when it is the request's turn; false: its connection is gone, and there is nothing to answer. */
export function queueByConnection(): (exchange: Exchange) => Promise<boolean> | true {
  const lines = new WeakMap<Socket, Line>();
  return ({ incoming: { socket }, outgoing }) => {
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, { last: untilClosed(outgoing), waiting: 0 });
      return true;
    }
    const before = line.last;
    line.waiting += 1;
    if (line.waiting > waitingMax) socket.destroy();
    const turn = before.then(() => {
      line.waiting -= 1;
      return !socket.destroyed;
    });
    line.last = turn.then((isOpen) => (isOpen ? untilClosed(outgoing) : undefined));
    return turn;
  };
}

/** Sent whole, or given up. */
const untilClosed = (outgoing: ServerResponse): Promise<void> =>
  new Promise((resolve) => void outgoing.once("close", resolve));

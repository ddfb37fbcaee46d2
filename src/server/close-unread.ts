// A request that is refused before its body has come: nothing more of the body is read. The sender is told that the connection ends, gets a
// moment to take the answer, and is cut off. Reading megabytes only to throw them away would take the processor from others.

import { setImmediate } from "node:timers/promises";
import type { Exchange } from "./one-at-a-time.ts";

/** A connection that is cut while its sender still writes may lose an answer that was not taken yet. */
const graceMs = 500;

/** Called when the answer is known and not yet sent. */
export async function closeIfUnread({ incoming, outgoing }: Exchange, status: number): Promise<void> {
  if (status < 400 || incoming.complete) return;
  await setImmediate(); // A short body is in the packet that is being taken apart just now.
  if (incoming.complete) return;
  const { socket } = incoming;
  outgoing.shouldKeepAlive = false;
  // Node reads an unwanted body to its end, and cuts the connection as soon as the answer is sent. This one neither reads on nor hurries.
  socket.pause();
  socket.resume = () => socket;
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), graceMs).unref();
  };
}

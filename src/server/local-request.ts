// Whether a request comes from the computer that this server runs on: what changes keys is taken from nowhere else.

import type { Context } from "hono";
import { socketAddressOf } from "./client-address.ts";

/** What proxies add. A request that has one was made elsewhere, however near the proxy is. */
const proxyHeaders = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-server",
  "x-real-ip",
  "x-client-ip",
  "x-original-host",
  "true-client-ip",
  "cf-connecting-ip",
  "fly-client-ip",
];

/**
 * The other end of the connection is this machine, no proxy is in between, and the page was opened by a name of this machine.
 * The last catches proxies that add no header: a browser still names the page it was on. A tunnel to the port looks like a local program.
 */
export function isLocalRequest(c: Context): boolean {
  if (!isOwnAddress(socketAddressOf(c))) return false;
  if (proxyHeaders.some((name) => c.req.header(name) !== undefined)) return false;
  const origin = c.req.header("origin");
  const names = [c.req.header("host") ?? "", ...(origin === undefined ? [] : [origin.replace(/^https?:\/\//, "")])];
  return names.every((name) => isOwnName(name.toLowerCase().replace(/:\d+$/, "")));
}

/** `in-process`: a command of this machine that answers itself. */
const isOwnAddress = (address: string): boolean =>
  address === "in-process" || address === "::1" || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address);

const isOwnName = (name: string): boolean =>
  name === "localhost" || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name);

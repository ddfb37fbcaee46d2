// Where a request comes from: the other end of the connection, or, where that is a proxy of ours, what the proxy says. Everything else
// that claims an address is not believed.

import { BlockList, isIP } from "node:net";
import type { Context, MiddlewareHandler } from "hono";

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** `10.0.0.0/8`, `::1`, `fd00::/8`; null for anything else. */
export function parseNetwork(text: string): { readonly address: string; readonly bits: number } | null {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  const widest = family === 6 ? 128 : 32;
  if (family === 0 || rest.length > 0) return null;
  if (bits === undefined) return { address, bits: widest };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= widest ? { address, bits: Number(bits) } : null;
}

/** Finds the client: the last address of the header that is no proxy of ours. */
export function findClient(trusted: BlockList, socket: string, forwarded: string | undefined): string {
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, familyOf(address));
  if (forwarded === undefined || !isTrusted(socket)) return socket;
  const hops = forwarded.split(",").map(bareAddress);
  for (const hop of hops.toReversed()) {
    if (isIP(hop) === 0) return socket; // A proxy that we trust writes addresses; this is something else.
    if (!isTrusted(hop)) return hop;
  }
  return hops[0] ?? socket;
}

/** Some proxies write `1.2.3.4:5678` and `[::1]:5678`. */
function bareAddress(hop: string): string {
  const text = hop.trim();
  const [, bracketed, dotted] = /^(?:\[([0-9a-f:.]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/i.exec(text) ?? [];
  return bracketed ?? dotted ?? text;
}

const clientKey = "homeworkClientAddress";

export function addressGuard(networks: readonly string[]): MiddlewareHandler {
  const trusted = new BlockList();
  for (const { address, bits } of networks.flatMap((text) => parseNetwork(text) ?? []))
    trusted.addSubnet(address, bits, familyOf(address));
  return async (c, next) => {
    c.set(clientKey, findClient(trusted, socketAddressOf(c), c.req.header("x-forwarded-for")));
    await next();
  };
}

/** The other end of the connection. */
export function socketAddressOf(c: Context): string {
  const env: unknown = c.env;
  if (typeof env !== "object" || env === null || !("incoming" in env)) return "in-process";
  const incoming = env.incoming as { socket?: { remoteAddress?: string } };
  return incoming.socket?.remoteAddress ?? "unknown";
}

/** The address that the request came from, as far as it can be known. */
export const addressOf = (c: Context): string => c.get(clientKey) ?? socketAddressOf(c);

/** For limits: someone with IPv6 has a whole network of addresses, of which the first four groups are the same. */
export function limitedAddressOf(c: Context): string {
  const address = addressOf(c);
  if (isIP(address) !== 6 || address.startsWith("::ffff:")) return address;
  const [head = "", tail] = address.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail ? tail.split(":") : [];
  const middle =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return `${[...front, ...middle, ...back].slice(0, 4).join(":")}::/64`;
}

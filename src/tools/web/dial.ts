// How fetching reaches the internet: names become addresses once, and each address is judged before anyone connects.
// Tests pass in another one that also allows a server of their own.

import { lookup } from "node:dns/promises";
import net from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { isPublicAddress } from "./public-address.ts";

export type Dial = {
  /** All addresses of a name. Asked once for each hop; what it says is what is connected to. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly mayReach: (address: string, port: number) => boolean;
};

/** As the machine resolves names, its hosts file included. */
export function systemDial(ownAddresses = listOwnAddresses): Dial {
  return {
    resolve: async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address),
    mayReach: (address) => isPublicAddress(address) && !ownAddresses().some((own) => isSameAddress(own, address)),
  };
}

/** Asked each time: a machine may get another address while it runs. What listens there listens for its network, not for pages. */
const listOwnAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));

/** One address can be written in several ways. */
const isSameAddress = (one: string, other: string): boolean =>
  ipaddr.isValid(one) && ipaddr.process(one).toNormalizedString() === ipaddr.process(other).toNormalizedString();

/** A name with more is no ordinary one, and each has to be judged. */
const addressesMax = 32;

export type Pinned =
  | { readonly kind: "pinned"; readonly addresses: readonly string[] }
  | { readonly kind: "unknown_host" }
  | { readonly kind: "not_public" };

/** The addresses a connection may be made to. One bad address among them spoils the name: the next answer could be it. */
export async function pinAddresses(dial: Dial, host: string, port: number): Promise<Pinned> {
  const addresses = net.isIP(host) === 0 ? await resolved(dial, host) : [host];
  if (addresses.length === 0) return { kind: "unknown_host" };
  if (addresses.length > addressesMax || addresses.some((address) => !dial.mayReach(address, port)))
    return { kind: "not_public" };
  return { kind: "pinned", addresses };
}

async function resolved(dial: Dial, host: string): Promise<readonly string[]> {
  try {
    return await dial.resolve(host);
  } catch {
    return []; // names that do not exist and servers that do not answer are the same to the caller
  }
}

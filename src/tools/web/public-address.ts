// Which addresses of the internet a page may be fetched from: public ones of single machines, and no other kind.
// Everything else (this machine, its network, metadata services, tunnels into IPv4) is refused without exceptions.

import net from "node:net";
import ipaddr from "ipaddr.js";

/** Of a cloud's inside, although they look public: Azure's agent. Other clouds use private or link-local ones. */
const insideClouds = ["168.63.129.16"];

/** Only 2000::/3 has been given out as global unicast (RFC 4291); `::127.0.0.1` and its like lie outside. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");
/** Documentation (RFC 9637), newer than the list of the library. */
const documentation = ipaddr.parseCIDR("3fff::/20");

/** An address in its plain form, as a resolver gives it. Names, short forms and zones are not addresses. */
export function isPublicAddress(address: string): boolean {
  if (net.isIP(address) === 0 || address.includes("%") || insideClouds.includes(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (!(parsed instanceof ipaddr.IPv6)) return true;
  return parsed.match(globalUnicast) && !parsed.match(documentation) && !isIsatap(parsed);
}

/** Carries an IPv4 address in its last half, whatever the prefix (RFC 5214). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}

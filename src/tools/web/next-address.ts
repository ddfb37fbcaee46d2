// Where a redirect leads, if it may be followed at all. Whether that place may be connected to is judged when it is visited.

import { normalUrl } from "../../domain/policy/web-address.ts";

export type NextAddress =
  | { readonly kind: "next"; readonly url: string }
  | { readonly kind: "stop"; readonly why: string };

export function nextAddress(from: string, location: string): NextAddress {
  const next = URL.canParse(location, from) ? new URL(location, from) : null;
  const url = next === null ? null : normalUrl(next.href);
  if (url === null) return { kind: "stop", why: "it led to something that is no plain web address" };
  if (from.startsWith("https:") && url.startsWith("http:"))
    return { kind: "stop", why: "it led from https to plain http" };
  return { kind: "next", url };
}

// Fetches one page: every hop is judged anew (address, port, name), connected to where it was judged, and bounded in size
// and time. A failure is told in our words only; nothing a server says becomes part of it.

import { setTimeout } from "node:timers/promises";
import { normalUrl } from "../../domain/policy/web-address.ts";
import type { ToolFailure } from "../tool.ts";
import { type Dial, pinAddresses } from "./dial.ts";
import type { WebLimits } from "./limits.ts";
import { nextAddress } from "./next-address.ts";
import { type Hop, HopFailed, requestPinned } from "./request-pinned.ts";

export type FetchDeps = {
  readonly dial: Dial;
  readonly ports: readonly number[];
  readonly limits: WebLimits;
};

export type FetchedPage =
  | {
      readonly kind: "page";
      /** Where the last redirect led. */
      readonly url: string;
      readonly mediaType: string;
      readonly text: string;
      readonly isCut: boolean;
    }
  | { readonly kind: "refused"; readonly code: ToolFailure; readonly why: string };

type Refused = Extract<FetchedPage, { kind: "refused" }>;

const refused = (code: ToolFailure, why: string): Refused => ({ kind: "refused", code, why });

/** `mayFollow`: what the policy says of where a redirect leads. */
export async function fetchPage(
  asked: string,
  deps: FetchDeps,
  signal: AbortSignal,
  mayFollow: (url: string) => boolean = () => true,
): Promise<FetchedPage> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(deps.limits.totalMs)]);
  let at = asked;
  for (let hops = 0; hops <= deps.limits.redirects; hops += 1) {
    const hop = await visit(at, deps, deadline);
    signal.throwIfAborted();
    if (hop.kind === "refused") return hops === 0 ? hop : refused(hop.code, `it led elsewhere, and there ${hop.why}`);
    if (hop.kind === "status") return badStatus(hop.status);
    if (hop.kind === "body") return pageOf(at, hop, deadline);
    const next = nextAddress(at, hop.location);
    if (next.kind === "stop") return refused("denied", next.why);
    if (!mayFollow(next.url))
      return refused(
        "denied",
        `it led to ${new URL(next.url).origin}, where the user has not allowed to send anything`,
      );
    at = next.url;
  }
  return refused("failed", `it led from one address to the next more than ${deps.limits.redirects} times`);
}

async function visit(address: string, deps: FetchDeps, signal: AbortSignal): Promise<Hop | Refused> {
  const normal = normalUrl(address);
  if (normal === null) return refused("invalid_arguments", "the address is not a plain http or https address");
  const url = new URL(normal);
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (!deps.ports.includes(port)) return refused("denied", `port ${port} is not allowed`);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const pinned = await inTime(pinAddresses(deps.dial, host, port), deps.limits.resolveMs, signal);
  if (pinned === "late") return refused("unavailable", "its name could not be resolved in time");
  if (pinned.kind === "unknown_host") return refused("not_found", "no server of that name was found from here");
  if (pinned.kind === "not_public") return refused("denied", "the address is not a public one of the internet");
  try {
    return await requestPinned(url, pinned.addresses, deps.limits, signal);
  } catch (thrown) {
    if (thrown instanceof HopFailed) return refused("unavailable", thrown.message);
    throw thrown;
  }
}

/** Resolvers cannot be stopped; their answer is not waited for any longer. */
export async function inTime<T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T | "late"> {
  const stop = new AbortController();
  const late = setTimeout(ms, "late" as const, { signal: AbortSignal.any([signal, stop.signal]) });
  try {
    return await Promise.race([work, late.catch(() => "late" as const)]);
  } finally {
    stop.abort();
  }
}

function badStatus(status: number): Refused {
  const why = `the server answered with HTTP status ${status}`;
  if (status === 404 || status === 410) return refused("not_found", why);
  if ([401, 402, 403, 407, 451].includes(status)) return refused("denied", why);
  return refused(status === 408 || status === 429 || status >= 500 ? "unavailable" : "failed", why);
}

function pageOf(url: string, hop: Extract<Hop, { kind: "body" }>, deadline: AbortSignal): FetchedPage {
  const { body } = hop;
  if (deadline.aborted) return refused("unavailable", "it took too long");
  if (body.kind === "broken") return refused("unavailable", "its answer broke off");
  if (body.kind === "unknown_encoding") return refused("failed", "its answer is packed in a way we did not ask for");
  const mediaType = (hop.contentType.split(";")[0] ?? "").trim().toLowerCase() || "text/plain";
  const problem = unreadable(mediaType, body.bytes);
  if (problem !== null) return refused("failed", problem);
  const text = decodeText(body.bytes, hop.contentType, mediaType);
  return { kind: "page", url, mediaType, text, isCut: body.isCut };
}

function unreadable(mediaType: string, bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 1_024));
  if (mediaType === "application/pdf" || head.toString("latin1", 0, 5) === "%PDF-")
    return "it is a PDF, which cannot be read here; look for the same as a web page";
  const isText = /^(?:text\/.*|application\/(?:json|xml|.*\+json|.*\+xml|x-ndjson|yaml|x-yaml))$/.test(mediaType);
  const isBinary = head.includes(0) && !(head[0] === 0xff || head[0] === 0xfe); // UTF-16 has zeros in it
  return isText && !isBinary ? null : "it is not a text; only web pages, plain texts, JSON and XML can be read";
}

/** Where a page has to name its encoding, by the HTML standard. */
const headBytes = 1_024;

/** In the encoding that the server or the page names; what cannot be decoded becomes U+FFFD. */
function decodeText(bytes: Uint8Array, contentType: string, mediaType: string): string {
  const named =
    labelIn(contentType) ?? (mediaType.includes("html") || mediaType.includes("xml") ? inHead(bytes) : null);
  return decode(bytes, named);
}

function inHead(bytes: Uint8Array): string | null {
  return labelIn(new TextDecoder("latin1").decode(bytes.subarray(0, headBytes)));
}

function labelIn(text: string): string | null {
  return /(?:charset|encoding)\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(text)?.[1] ?? null;
}

function decode(bytes: Uint8Array, label: string | null): string {
  try {
    return new TextDecoder(label ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // the name of the encoding is unknown
  }
}

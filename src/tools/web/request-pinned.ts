// One request to addresses that have been judged already. It resolves nothing, follows nothing, sends no cookies; what a GET brings
// is read up to the limit, counted after unpacking.

import http from "node:http";
import https from "node:https";
import net, { type LookupFunction } from "node:net";
import type { WebLimits } from "./limits.ts";
import { type Body, readBody } from "./read-body.ts";

export type Hop =
  | { readonly kind: "redirect"; readonly status: number; readonly location: string }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "body"; readonly contentType: string; readonly body: Body };

/** Said in our own words, because what a server says is not to be trusted. */
export class HopFailed extends Error {}

const headers = {
  "User-Agent": "Homework/1.0 (reads pages for its user)",
  Accept: "text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.9, application/xml;q=0.8",
  "Accept-Encoding": "gzip, br",
  "Accept-Language": "en, *;q=0.5",
} as const;

const redirects = [301, 302, 303, 307, 308];

export async function requestPinned(
  url: URL,
  addresses: readonly string[],
  limits: WebLimits,
  signal: AbortSignal,
): Promise<Hop> {
  const response = await respond(url, addresses, { method: "GET", headers }, limits, signal);
  try {
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (redirects.includes(status) && location !== undefined) return { kind: "redirect", status, location };
    if (status < 200 || status > 299) return { kind: "status", status };
    const body = await readBody(response, limits.bodyBytes);
    return { kind: "body", contentType: response.headers["content-type"] ?? "", body };
  } finally {
    response.destroy();
  }
}

export type PinnedRequest = {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** The answer as far as its headers; the caller destroys it. Throws `HopFailed` if no answer comes. */
export function respond(
  url: URL,
  addresses: readonly string[],
  { method, headers: sent, body }: PinnedRequest,
  limits: Pick<WebLimits, "connectMs" | "firstByteMs">,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const start = url.protocol === "https:" ? https.request : http.request;
    const request = start(url, { method, headers: { ...sent }, agent: false, lookup: answerWith(addresses), signal });
    const fail = (why: string) => request.destroy(new HopFailed(why));
    const connecting = setTimeout(fail, limits.connectMs, "it could not be connected to in time");
    const waiting = setTimeout(fail, limits.connectMs + limits.firstByteMs, "it did not answer in time");
    const settle = () => {
      clearTimeout(connecting);
      clearTimeout(waiting);
    };
    const connected = url.protocol === "https:" ? "secureConnect" : "connect";
    request.once("socket", (socket) => socket.once(connected, () => clearTimeout(connecting)));
    request.once("response", (response) => {
      settle();
      resolve(response);
    });
    request.once("close", () => {
      settle();
      reject(new HopFailed("it closed the connection without an answer"));
    });
    // Stays for the life of the request: a server may misbehave after its answer has begun.
    request.on("error", (error) => reject(error instanceof HopFailed ? error : new HopFailed(reasonOf(error))));
    request.end(body);
  });
}

/** Stands in for the resolver, so that the name is not resolved again. Not called where the host is an address itself. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: net.isIP(address) }));
  return (_host, options, callback) => {
    const family = options.family === 4 || options.family === 6 ? options.family : 0;
    const fitting = family === 0 ? all : all.filter((entry) => entry.family === family);
    const [first] = fitting;
    if (first === undefined) callback(new Error("no address of that family"), []);
    else if (options.all) callback(null, fitting);
    else callback(null, first.address, first.family);
  };
}

function reasonOf(error: Error): string {
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  if (code === "ABORT_ERR" || code === "AbortError") return "it took too long";
  if (/^(?:CERT_|ERR_TLS|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)/.test(code)) return "its certificate is not valid";
  return `the connection failed (${code.slice(0, 40)})`;
}

// What every request must pass before any route sees it: a Host we know, an Origin of ours on every change, JSON as
// content, a body of bounded size. They hold for routes, static files and unknown paths alike.

import type { Context, MiddlewareHandler } from "hono";
import { limits } from "../domain/entity/limits.ts";
import { AppError } from "../lib/app-error.ts";

/** Host names, without ports, under which we answer: a page of another name must not reach us (DNS rebinding). */
export function hostGuard(allowedHosts: readonly string[]): MiddlewareHandler {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  return async (c, next) => {
    const name = hostName(c.req.header("host") ?? "");
    if (!allowed.has(name))
      throw new AppError("host_refused", `This server does not answer to the name "${name}"; see allowed_hosts`);
    await next();
  };
}

/** `[::1]:4180` → `[::1]`, `localhost:4180` → `localhost`. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, "");
}

const isChange = (method: string) => method !== "GET" && method !== "HEAD" && method !== "OPTIONS";

/** A change comes from our own pages or from a program with a key, never from another site's page. */
export function originGuard(allowedHosts: readonly string[], publicOrigin: string): MiddlewareHandler {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  return async (c, next) => {
    if (isChange(c.req.method) && !isOurs(c, allowed, publicOrigin))
      throw new AppError("origin_refused", "Changes are only taken from this server's own pages, or with an API key");
    await next();
  };
}

function isOurs(c: Context, allowed: ReadonlySet<string>, publicOrigin: string): boolean {
  const origin = c.req.header("origin");
  if (origin !== undefined) return origin === publicOrigin || isSameHost(origin, c.req.header("host") ?? "", allowed);
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin" || site === "none";
  // No browser: a cookie alone does not do, since only browsers have reason to send one.
  return c.req.header("authorization") !== undefined || c.req.header("cookie") === undefined;
}

function isSameHost(origin: string, host: string, allowed: ReadonlySet<string>): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.host === host.toLowerCase() && allowed.has(hostName(url.host));
}

/** A form of another site can only send three content types; JSON is not among them. */
export const contentTypeGuard: MiddlewareHandler = async (c, next) => {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  const needed = c.req.method === "POST" || c.req.method === "PATCH" || c.req.method === "PUT";
  if (isChange(c.req.method) && (type === undefined ? needed : type !== "application/json"))
    throw new AppError("wrong_content_type", "Send the request with content-type application/json");
  await next();
};

/** Whatever the route: what says that it is larger than any may be is not waited for. Each route reads up to its own limit (read-body.ts). */
export const bodyGuard: MiddlewareHandler = async (c, next) => {
  if (Number(c.req.header("content-length") ?? 0) > limits.bodyBytes)
    throw new AppError("too_large", `A request may have ${limits.bodyBytes} bytes at most`);
  await next();
};

export const tooMany = () => new AppError("rate_limited", "Too many requests; wait a moment");

/** Headers for every answer. Pages get their own policy with a nonce (static-files.ts). */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  if (!headers.has("content-security-policy"))
    headers.set("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
  headers.set("x-content-type-options", "nosniff");
  headers.set("x-frame-options", "DENY");
  headers.set("referrer-policy", "no-referrer");
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cross-origin-resource-policy", "same-origin");
  headers.set("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=()");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
};
